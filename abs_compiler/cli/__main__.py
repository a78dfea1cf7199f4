"""`absc`, and `python -m abs_compiler.cli`: one command in a process of its own."""

from __future__ import annotations

import gc
import sys


def run() -> None:
    """Run the command line of this process and end it."""
    # A command is short and makes few cycles; looking for them while modules are imported takes a tenth of its time.
    gc.set_threshold(100_000, 20, 20)
    try:
        from abs_compiler.cli import main

        status = main()
    except KeyboardInterrupt:  # before `main` could say so
        status = 130
    gc.freeze()  # nor are they looked for when the process ends
    sys.exit(status)


if __name__ == "__main__":
    run()
