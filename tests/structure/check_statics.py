#!/usr/bin/env python3
"""Checks that what is shown is in the state: panels, widgets, edits and the loop keep nothing in static variables.

    check_statics.py ROOT         the sources of ROOMS; status 1 and one line for each violation
    check_statics.py --self-test  plants violations in a scratch tree and demands that each one is found

Constants and functions may be static. What a panel holds from frame to frame belongs to app/state/panel_state.h, what a
widget remembers to WidgetMemory.
"""

import re

from checking import main, planted_files

ROOMS = ["app/state", "app/viewer/editing", "app/viewer/lessons", "app/viewer/loop", "app/viewer/panels", "app/viewer/widgets"]
# A variable: the name is followed by its value or nothing, not by parameters.
STATIC = re.compile(r"\s*(?:inline\s+)?(?:static|thread_local)\b(?!\s+(?:inline\s+)?(?:const|constexpr)\b)"
                    r"(?:[^(]*[;={]|.*\(\d.*\);)")


def check(root):
    violations = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.suffix not in {".h", ".cpp"}:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
                if STATIC.match(line):
                    violations.append(f"{path.relative_to(root).as_posix()}:{number}: {line.strip()}: not in the state")
    return violations


CLEAN = {
    "app/viewer/panels/a.cpp": "static const int x = 1;\nstatic constexpr float y{2};\nstatic bool f(const A& a) { return a; }\n"
                               "    bool g = static_cast<bool>(x);\n    static double h();\n",
    "app/viewer/pushing/a.cpp": "static int x = 1;\n",
}
PLANTED = {
    "app/viewer/panels/b.cpp": "void f() {\n    static std::string typed;\n}\n",
    "app/viewer/widgets/b.cpp": "static struct {\n    int x;\n} known;\n",
    "app/viewer/editing/b.cpp": "static bool open = false;\n",
    "app/state/b.h": "inline thread_local int x{3};\n",
    "app/viewer/panels/c.cpp": "    static Cache cache(8);\n",
}

if __name__ == "__main__":
    main(__doc__, check, "panels, widgets, edits and the loop keep nothing in static variables", CLEAN, planted_files(PLANTED))
