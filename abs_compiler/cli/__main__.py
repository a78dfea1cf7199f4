"""`python -m abs_compiler.cli` is `absc`."""

import sys

try:
    from abs_compiler.cli import main

    status = main()
except KeyboardInterrupt:  # before `main` could say so
    status = 130
sys.exit(status)
