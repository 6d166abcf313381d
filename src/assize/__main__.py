"""The program `assize`: its command line, which Ctrl-C may end before it is imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Imports the command line and runs it."""
    try:
        from assize.cli import main as run

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)  # noqa: T201
        sys.exit(130)


if __name__ == "__main__":
    main()
