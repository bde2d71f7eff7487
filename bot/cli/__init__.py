"""The command line. Libraries are imported where they are used, so that `--help` stays quick."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence

from bot.cli.main import run
from bot.log import set_up

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and exit: 0 well, 1 something was found wrong, 2 it could not start, 3 a bug, 130 interrupted."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # output is UTF-8 whatever the locale says
            stream.reconfigure(encoding="utf-8", errors="replace")
    set_up(level=logging.WARNING)  # `run` hears more
    sys.exit(run(list(sys.argv[1:] if arguments is None else arguments), os.environ))
