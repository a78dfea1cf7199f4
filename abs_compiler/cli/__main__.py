"""`python -m abs_compiler.cli` is `absc`."""

import sys

from abs_compiler.cli import main

sys.exit(main())
