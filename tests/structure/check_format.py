#!/usr/bin/env python3
"""Checks that all C++ and CUDA sources are formatted according to .clang-format.

    check_format.py ROOT         every tracked .h, .cpp and .cu below ROOT; one line for each file that differs
    check_format.py --self-test  formats a scratch tree and demands that a planted file is found

Exit status: 0 all are formatted, 1 a file differs, 77 clang-format is missing or older than 14, or ROOT is not a git
checkout (CTest: SKIP_RETURN_CODE 77). To format what was changed: git clang-format; a single file: clang-format -i FILE.
"""

import pathlib
import re
import shutil
import subprocess
import sys

from checking import Planted, main

OLDEST = 14
FILES = ["*.h", "*.cpp", "*.cu"]
COMPLAINT = re.compile(r"^(.+?):(\d+):\d+: (?:warning|error): code should be clang-formatted")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def clang_format():
    """The program's path."""
    program = shutil.which("clang-format")
    if not program:
        skip("clang-format is missing: install the package clang-format")
    words = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    version = re.search(r"version (\d+)", words)
    if not version or int(version.group(1)) < OLDEST:
        skip(f"clang-format {OLDEST} or newer is needed, and this is: {words.strip()}")
    return program


def tracked(root):
    """The existing sources that git tracks, relative to the root."""
    try:
        listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--", *FILES], capture_output=True, text=True)
    except FileNotFoundError:
        skip("git is missing: it lists the files")
    if listed.returncode != 0:
        skip(f"{root} is no git checkout: {listed.stderr.strip()}")
    return [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]


def unformatted(root, names):
    """One line for each file, with the first line that differs."""
    program = clang_format()
    if not names:
        return []
    run = subprocess.run([program, "--style=file", "--dry-run", *names], cwd=root, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"clang-format failed: {run.stderr.strip()}")
    found = {}
    for match in map(COMPLAINT.match, run.stderr.splitlines()):
        if match:
            found.setdefault(match.group(1), int(match.group(2)))
    return [f"{name}:{line}: differs from .clang-format; clang-format -i {name}" for name, line in sorted(found.items())]


def check(root):
    return unformatted(root, tracked(root))


def check_scratch(root):
    return unformatted(root, sorted(path.name for path in root.glob("*.cpp")))


CLEAN = {
    ".clang-format": (pathlib.Path(__file__).resolve().parents[2] / ".clang-format").read_text(),
    "good.cpp": "int f() { return 1 + 2; }\n",
    "order.cpp": "#include <glad/gl.h>\n// GLFW after glad\n#include <GLFW/glfw3.h>\n",
}
VIOLATIONS = [Planted("a third line that differs",
                      {"bad.cpp": "int f() { return 1 + 2; }\n\nint g( ) {return 3;}\n"}, "bad.cpp:3:")]

if __name__ == "__main__":
    main(__doc__, check, "all files are formatted", CLEAN, VIOLATIONS, check_scratch)
