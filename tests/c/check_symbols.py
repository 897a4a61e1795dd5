#!/usr/bin/env python3
"""Demands that the library exports the functions of the C interface that are recorded, and its header declares the same.

    check_symbols.py LIBRARY ROOT    status 1 and a line for each difference; 77 (a skip) without nm

A function that was once recorded stays, with its parameters, until the major version changes; a new one is added to gpu/c/symbols.txt.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path


def main(library, root):
    if not shutil.which("nm"):
        print("skipped: needs nm")
        return 77
    recorded = set((root / "gpu/c/symbols.txt").read_text().split())
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    exported = {line.split()[-1] for line in listed.splitlines() if line.split()[-1].startswith("ts_")}
    declared = set(re.findall(r"^TS_API[^(]*?\b(ts_\w+)\(", (root / "gpu/c/texelscope_c.h").read_text(), re.M))
    problems = [f"{name} is not {what}" for what, names in (("exported", exported), ("declared", declared), ("recorded", recorded))
                for name in sorted((exported | declared | recorded) - names)]
    name = subprocess.run(["readelf", "-d", library], capture_output=True, text=True).stdout
    soname = re.search(r"SONAME.*\[(libtexelscope\.so\.\d+\.\d+)\]", name)
    if not soname:
        problems.append("the library has no soname with a major and minor version")
    print("\n".join(problems) or f"{len(recorded)} functions, {soname.group(1)}")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
