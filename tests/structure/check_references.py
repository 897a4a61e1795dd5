#!/usr/bin/env python3
"""Checks that no tracked file refers to a file outside the repository.

    check_references.py ROOT         every tracked text file; status 1 and one line for each violation
    check_references.py --self-test  plants violations in a scratch tree and demands that each one is found

A violation is
    a path below a folder shared/ or below /work or /root, which only one machine has;
    a path beginning with ../ that leaves the repository, seen from the file's own folder, in text and links;
    a page that is not there: folder/name.md, seen from the root or the file's own folder, or NAME.md in capitals;
    an #include "…", a comment or a page that names app/…, gpu/… or tests/… .h, .cpp or .cu which is not there.
NAME and NN in a path stand for a name and a number: gpu/methods/NAME.cpp.
Strings in tests may name what is not there: tests write such files. If git does not list the files, all of them are read
but for those of builds and hidden folders.
"""

import pathlib
import posixpath
import re
import subprocess

from checking import main, planted_files

# Tools whose own text names planted paths.
EXEMPT = re.compile(r"^tests/(structure|docs)/check_\w+\.py$")  # they plant violations
UNTRACKED = {"build", "shared", "__pycache__"}
BINARY = {".png", ".npy", ".ttf", ".otf"}
SOURCES = {".h", ".cpp", ".cu", ".txt", ".cmake", ".py", ".frag", ".vert", ".md"}

MACHINE = re.compile(r"(?<![\w./~$}-])(?:(?:\.\./)*shared/\w[\w./-]*|/(?:work|root)/[\w./-]+)")
CLIMBING = re.compile(r"(?<![\w./$}*{-])(?:\.\./)+[\w./-]*")
PAGE = re.compile(r"(?<![\w./$}*@-])(?:\w[\w.-]*/)+\w[\w.-]*\.md\b")
CAPITALS = re.compile(r"(?<![\w./-])[A-Z][A-Z_]+\.md\b")
OURS = re.compile(r"(?<![\w./$}*-])(?:app|gpu|tests)/[\w./-]+\.(?:h|cpp|cu)\b")
PLACEHOLDER = re.compile(r"(?<![A-Za-z])(?:NAME|NN)(?![A-Za-z])")
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')


def tracked(root):
    try:
        listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, text=True)
        if listed.returncode == 0:
            return [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]
    except FileNotFoundError:
        pass
    return every_file(root)


def every_file(root):
    names = (path.relative_to(root) for path in sorted(root.rglob("*")) if path.is_file())
    return [name.as_posix() for name in names if not any(p.startswith(".") or p in UNTRACKED for p in name.parts[:-1])]


def text_of(path):
    try:
        return None if path.suffix in BINARY else path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def violations_in(root, names):
    root = root.resolve()
    capitals = {posixpath.basename(name) for name in names}
    violations = []
    for name in names:
        text = None if EXEMPT.match(name) else text_of(root / name)
        if text is None:
            continue
        folder, suffix = posixpath.dirname(name), pathlib.PurePosixPath(name).suffix
        is_test = name.startswith("tests/") and suffix in {".h", ".cpp", ".cu"}

        def there(path):
            return any((root / posixpath.normpath(posixpath.join(base, path))).exists() for base in ("", folder))

        for number, line in enumerate(text.split("\n"), 1):
            def violation(path, why):
                violations.append(f"{name}:{number}: {path}: {why}")

            plain = STRING.sub('""', line) if is_test and "#include" not in line else line
            for path in MACHINE.findall(plain):
                violation(path, "outside the repository")
            for path in CLIMBING.findall(plain):
                if posixpath.normpath(posixpath.join(folder, path)).startswith(".."):
                    violation(path, "leaves the repository")
            for path in PAGE.findall(plain):
                if not PLACEHOLDER.search(path) and not there(path):
                    violation(path, "there is no such page")
            for path in CAPITALS.findall(plain):
                if path not in capitals:
                    violation(path, "there is no such page")
            if suffix in SOURCES:
                for path in OURS.findall(plain):
                    if not PLACEHOLDER.search(path) and not there(path):
                        violation(path, "there is no such file")
    return list(dict.fromkeys(violations))  # a path may break two rules


def check(root):
    return violations_in(root, tracked(root))


def check_scratch(root):
    return violations_in(root, every_file(root))


CLEAN = {
    "README.md": "See [the page](docs/page.md), docs/page.md#place and [a picture](docs/a.png); scripts/../docs.\n",
    "docs/page.md": "Back to [README](../README.md); `my-lesson.md` is yours; shared memory and a shared tile.\n",
    "docs/adding.md": "Write gpu/methods/NAME.cpp, tests/cli/test_NAME.cpp and app/viewer/panels/NAME_panel.cpp.\n",
    "docs/a.png": "",
    "app/main.cpp": '#include "app/files/names.h"\n// docs/page.md, finding 1; /usr/share/fonts; README.md\n',
    "app/files/names.h": "// gpu/core/ has the rest; a quarter and/or a half\n",
    "tests/files/test_names.cpp": '#include "app/files/names.h"\nTEST(Names, Climb) { open("../../../etc/x", "gpu/none.h"); }\n',
    "scripts/run.sh": 'folder=${1:-$here/../docs}\ncd "$(dirname "$0")/.."\n',
}
PLANTED = {
    "tests/a.cpp": "// Figures are those of shared/FIDELITY.md.\n",
    "tests/b.py": '"""A float64 evaluation of ../shared/DESIGN.md."""\n',
    "docs/b.md": "[the plan](../../plan/README.md)\n",
    "docs/c.md": "As [this](missing/page.md) says.\n",
    "app/c.cpp": "constexpr float em = 15;  // LOOK.md\n",
    "gpu/d.h": "// /" "work/notes/plan.txt\n",
    "gpu/e.h": '#include "gpu/core/gone.h"\n',
    "app/f.cpp": "// as app/embedded_files.h declares it\n",
    "tests/files/g.cpp": '#include "../../../elsewhere/h.h"\n',
    "docs/h.md": "The table is in `app/state/gone.h`.\n",
    "CMakeLists.txt": "include(../common/options.cmake)\n",
}

if __name__ == "__main__":
    main(__doc__, check, "no file refers to anything outside the repository", CLEAN, planted_files(PLANTED),
         check_scratch)
