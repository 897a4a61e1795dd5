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
import tempfile

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


def unformatted(program, root, names):
    """{name: first line that differs}."""
    if not names:
        return {}
    run = subprocess.run([program, "--style=file", "--dry-run", *names], cwd=root, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"clang-format failed: {run.stderr.strip()}")
    found = {}
    for match in map(COMPLAINT.match, run.stderr.splitlines()):
        if match:
            found.setdefault(match.group(1), int(match.group(2)))
    return found


def self_test(program):
    style = pathlib.Path(__file__).resolve().parents[2] / ".clang-format"
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        shutil.copy(style, root)
        (root / "good.cpp").write_text("int f() { return 1 + 2; }\n")
        (root / "bad.cpp").write_text("int f() { return 1 + 2; }\n\nint g( ) {return 3;}\n")
        (root / "order.cpp").write_text("#include <glad/gl.h>\n// GLFW after glad\n#include <GLFW/glfw3.h>\n")
        found = unformatted(program, root, ["good.cpp", "bad.cpp", "order.cpp"])
    if found != {"bad.cpp": 3}:
        print(f"found {found}, not only line 3 of bad.cpp")
        return 1
    print("the planted file was found, and no other")
    return 0


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = clang_format()
    if sys.argv[1] == "--self-test":
        sys.exit(self_test(program))
    root = pathlib.Path(sys.argv[1]).resolve()
    names = tracked(root)
    found = unformatted(program, root, names)
    for name, line in sorted(found.items()):
        print(f"{name}:{line}: differs from .clang-format; clang-format -i {name}")
    print(f"{len(found)} of {len(names)} files differ" if found else f"all {len(names)} files are formatted")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
