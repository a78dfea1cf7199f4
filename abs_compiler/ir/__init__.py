"""IR: typed sessions in, resolved and normalised programs out."""

from abs_compiler.ir.build import build, lower_all
from abs_compiler.ir.lower import Program
from abs_compiler.ir.model import Ir, Step

__all__ = ["Ir", "Program", "Step", "build", "lower_all"]
