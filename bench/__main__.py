"""`python -m bench [NAME ...]`: one line per measure; exit code 1 if one falls short. Give parts of names to choose."""

from __future__ import annotations

import sys
from importlib import import_module

MODULES = ("answers", "attempts", "sessions", "help", "content", "telegram", "boards", "fanout", "group")
"""One module per group of measures; each has a tuple `MEASURES`."""


def main(wanted: list[str]) -> int:
    short = 0
    for module in MODULES:
        for measure in import_module(f"bench.{module}").MEASURES:
            if wanted and not any(part in measure.name for part in wanted):
                continue
            figure, made_of = measure.run()
            good = measure.holds(figure)
            short += not good
            verdict = "holds" if good else "falls short"
            print(f"{measure.name}: {figure:.3g}, {measure.side} {measure.bar:g}: {verdict} ({made_of})", flush=True)
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
