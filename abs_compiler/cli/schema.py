"""Print the JSON Schema of ABS documents, with which editors complete and check specs while they are written.

The YAML language server of most editors takes it from a comment in the first line of a spec:

  # yaml-language-server: $schema=abs.schema.json

With --config it is the schema of configuration files.

exit status: 0
"""

from __future__ import annotations

import json

from abs_compiler.cli.console import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--config", action="store_true", help="the schema of configuration files")
    parser.add_argument("--output", metavar="FILE", help="write the schema to a file instead of standard output")


def run(arguments: Namespace) -> int:
    """Print; the exit status."""
    if arguments.config:
        from abs_compiler.lint.config_schema import config_schema as schema
    else:
        from abs_compiler.spec.editor_schema import editor_schema as schema
    with report(arguments.output) as out:
        out.write(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n")
    return 0
