#!/usr/bin/env python3
"""Checks that no type has two definitions under one name.

    check_one_definition.py ROOT         the sources of app/, gpu/ and tests/; status 1 and one line for each violation
    check_one_definition.py --self-test  plants violations in a scratch tree and demands that each one is found

Two files that define the same type of the same namespace break the one-definition rule: compilers need not say so, and the
linker keeps one destructor for both. Unnamed namespaces, types within types and functions, and template specialisations
do not count. Types of app/ and gpu/ meet in the program; each folder of tests/ is a program of its own.
"""

import re

from checking import main, planted_files

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/                                           # comments
    |R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'  # text
    |^[ \t]*\#(?:\\\n|[^\n])*                                        # preprocessor
    |(?:inline[ ])?namespace\s*(?P<space>[\w:]*)\s*\{
    |(?:enum\s+(?:class|struct)|enum|struct|class|union)\s+(?:alignas\([^)]*\)\s*)?(?P<type>\w+)(?P<special>\s*<|::)?
        (?:\s+final)?(?=[\w\s:]*(?::[^;{}()=]*)?\{)
    |[{}]""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)


def types_of(text):
    """(qualified name, line) of each type that is defined at the level of named namespaces."""
    spaces = []  # of each open brace: its namespace, or None
    for token in TOKEN.finditer(text):
        if token.group() == "}":
            if spaces:
                spaces.pop()
        elif token.group() == "{":
            spaces.append(None)
        elif token.group("space") is not None:
            spaces.append(token.group("space") or None)
        elif token.group("type") and not token.group("special") and all(spaces):
            yield "::".join(spaces + [token.group("type")]), text.count("\n", 0, token.start()) + 1


def program_of(name):
    parts = name.split("/")
    return "tests/" + parts[1] if parts[0] == "tests" else ""


def check(root):
    places, violations = {}, []
    for top in ("gpu", "app", "tests"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in {".h", ".cpp", ".cu", ".cuh"}:
                continue
            name = path.relative_to(root).as_posix()
            for type_name, line in types_of(path.read_text(encoding="utf-8")):
                for program in {"", program_of(name)}:
                    first = places.setdefault((program, type_name), name) if program == program_of(name) else \
                        places.get((program, type_name), name)
                    if first != name:
                        violations.append(f"{name}:{line}: {type_name} is also defined in {first}")
    return violations


CLEAN = {
    "gpu/core/a.h": "namespace texelscope {\nstruct Point {\n    struct Key { int x; };\n    Key key;\n};\n"
                    "enum class Mode { one };\nclass Later;\n}\n",
    "gpu/core/b.cpp": "namespace texelscope {\nnamespace {\nstruct Point2 { int x; };\n}\n"
                      "void f() { struct Local { int x; }; }\ntemplate <> struct Table<int> { int x; };\n}\n",
    "gpu/core/c.cpp": "// struct Point {\nnamespace texelscope {\nnamespace {\nstruct Point2 { float y; };\n}\n"
                      'const char* text = "struct Point {"; }\nnamespace texelscope::gui { struct Point { int x; }; }\n',
    "tests/core/a.cpp": "namespace texelscope::test {\nclass Rows : public Base { int x; };\n}\n",
    "tests/gui/a.cpp": "namespace texelscope::test {\nclass Rows : public Base { float x; };\n}\n",
}
PLANTED = {
    "app/a.h": "namespace texelscope {\nstruct Point { float x; };\n}\n",
    "app/b.cpp": "namespace texelscope {\nclass Mode final : public Base { };\n}\n",
    "app/c.h": "namespace texelscope::gui {\n#define X {\nunion Point { float x; };\n}\n",
    "app/d.cpp": "namespace texelscope {\nvoid f() { if (a) { b(); } }\nnamespace gui {\nstruct Point : Base<int, 2> { };\n}\n}\n",
    "tests/core/b.cpp": "namespace texelscope::test {\nstruct Rows { int y; };\n}\n",
    "tests/core/c.cpp": "namespace texelscope {\nenum class Mode : int { two };\n}\n",
}

if __name__ == "__main__":
    main(__doc__, check, "each type has one definition", CLEAN, planted_files(PLANTED))
