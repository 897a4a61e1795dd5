"""The frame of a check: its command line, and the self-test that plants violations in a scratch tree."""

import pathlib
import sys
import tempfile
from typing import NamedTuple


class Planted(NamedTuple):
    """A violation: files that are added to the clean tree, or replace some of it."""
    what: str
    files: dict
    where: str = ""  # how each line of its report begins
    lines: range = range(1, 100)  # how many there may be


def planted_files(files):
    """One violation for each {name: text}; its report names the file."""
    return [Planted(f"{name}: {text.strip()}", {name: text}, name + ":") for name, text in files.items()]


def in_scratch_tree(check, files):
    """What check(root) reports on a tree of these {name: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return check(root)


def self_test(check, clean, planted):
    """The clean tree must pass; each planted violation must be found, by itself, and nothing else."""
    missed = [f"clean tree: {line}" for line in in_scratch_tree(check, clean)]
    for what, files, where, lines in planted:
        found = in_scratch_tree(check, clean | files)
        if len(found) not in lines or not all(line.startswith(where) for line in found):
            missed.append(f"not found: {what}\n    but {found}")
    print("\n".join(missed) or f"all {len(planted)} planted violations found, none in the clean tree")
    return 1 if missed else 0


def main(usage, check, passed, clean, planted, scratch_check=None):
    """Runs `check` on the tree that the command line names, or tests it: it takes a root and returns a line for each
    violation. If it needs more than the files, such as git, `scratch_check` does the same without it."""
    if len(sys.argv) != 2:
        sys.exit(usage)
    if sys.argv[1] == "--self-test":
        sys.exit(self_test(scratch_check or check, clean, planted))
    violations = check(pathlib.Path(sys.argv[1]))
    print("\n".join(violations) or passed)
    sys.exit(1 if violations else 0)
