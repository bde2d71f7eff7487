"""Runs the proofs of this folder: each asserts a claim of the course and prints what a learner may see.

`run.py [NAME ...]` compares what they print with what is recorded and fails with a difference where one no longer
holds. `run.py --record [NAME ...]` records what they print, with the hashes and versions in `index.toml`. A script
names the packages it needs beyond the standard library in a line `# needs: torch safetensors`.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
import tomllib
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

INDEX = "index.toml"
TIMEOUT_S = 180
"""For one script, on a busy machine. Chosen by us: most take a second, the slowest twenty."""

HEADER = """# Written by `make proofs RECORD=1`: what every script was when its output was recorded.
# CI compares the hashes; `make proofs` runs the scripts and compares what they print.
"""


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def versions_of(script: Path) -> str:
    """Python's version and those of the packages a script names, such as `Python 3.11.7, torch 2.13.0`."""
    needs = re.search(r"^# needs: (.+)$", script.read_text(encoding="utf-8"), re.MULTILINE)
    packages = [name for name in needs[1].split() if name != "nothing"] if needs else []
    # a build's own mark, as in 2.13.0+cpu, says nothing about the claim
    found = [f"{name} {version(name).partition('+')[0]}" for name in packages]
    return ", ".join([f"Python {platform.python_version()}", *found])


def run(script: Path) -> tuple[str, str]:
    """What a script prints, and what is wrong: empty if it has ended well."""
    quiet = {"PYTHONHASHSEED": "0", "PYTHONWARNINGS": "ignore", "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, **quiet, "TMPDIR": folder}
        try:
            ended = subprocess.run(
                [sys.executable, script], cwd=folder, env=environment, capture_output=True, timeout=TIMEOUT_S
            )
        except subprocess.TimeoutExpired:
            return "", f"did not end within {TIMEOUT_S} seconds"
    printed = ended.stdout.decode(errors="replace")
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip()
        return printed, f"ended with exit code {ended.returncode}:\n{said}"
    return printed, ""


def judged(script: Path, recorded: dict[str, str]) -> str:
    """What is wrong with a proof; empty if it holds as recorded."""
    printed, wrong = run(script)
    if wrong:
        return wrong
    output = script.with_suffix(".out")
    before = output.read_text(encoding="utf-8") if output.exists() else ""
    if printed != before:
        lines = difflib.unified_diff(before.splitlines(), printed.splitlines(), "recorded", "printed now", lineterm="")
        return "prints something else than what is recorded:\n" + "\n".join(lines)
    if recorded.get("script") != digest(script) or recorded.get("output") != digest(output):
        return "is not the script that was recorded, although it prints the same: record it anew"
    return ""


def record(script: Path, before: dict[str, str]) -> tuple[dict[str, str], str]:
    """Write what a script prints beside it; its entry for the index, and what is wrong."""
    printed, wrong = run(script)
    if wrong:
        return before, wrong
    output = script.with_suffix(".out")
    output.write_text(printed, encoding="utf-8", newline="\n")
    entry = {"script": digest(script), "output": digest(output), "versions": versions_of(script)}
    same = all(before.get(key) == value for key, value in entry.items())
    entry["date"] = before["date"] if same else datetime.now(UTC).date().isoformat()
    return entry, ""


def written(index: dict[str, dict[str, str]]) -> str:
    parts = [HEADER]
    for name in sorted(index):
        keys = "\n".join(f'{key} = "{index[name][key]}"' for key in ("script", "output", "versions", "date"))
        parts.append(f"[{name}]\n{keys}\n")
    return "\n".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="proofs by name; all by default")
    parser.add_argument("--record", action="store_true", help="record what they print")
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent, help="where they lie")
    arguments = parser.parse_args()
    folder: Path = arguments.folder.resolve()
    scripts = {path.stem: path for path in sorted(folder.glob("*.py")) if path.name != Path(__file__).name}
    if unknown := [name for name in arguments.names if name not in scripts]:
        print(f"There is no proof {', '.join(unknown)} in {folder}.")
        return 2
    index_file = folder / INDEX
    index = tomllib.loads(index_file.read_text(encoding="utf-8")) if index_file.exists() else {}
    failed = 0
    chosen = arguments.names or list(scripts)
    for name in chosen:
        wrong = ""
        if arguments.record:
            index[name], wrong = record(scripts[name], index.get(name, {}))
        else:
            wrong = judged(scripts[name], index.get(name, {}))
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'holds '} {name}" + (f": {wrong}" if wrong else ""), flush=True)
    if arguments.record:
        known = {name: entry for name, entry in index.items() if name in scripts and entry}
        index_file.write_text(written(known), encoding="utf-8", newline="\n")
    print(f"{len(chosen) - failed} of {len(chosen)} proofs hold.")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
