"""The machine of a compiled session, laid out for looking at: a program in, segments, states and transitions out."""

from abs_compiler.automaton.explore import Machine, MachineState, explore

__all__ = ["Machine", "MachineState", "explore"]
