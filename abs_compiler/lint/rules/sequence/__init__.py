"""Rules about what runs there can be: decided on the machines of `automaton` and on sets of values, never guessed."""
