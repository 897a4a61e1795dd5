#!/usr/bin/env python3
"""Checks the times that lessons and documents quote against the recorded results of texelscope bench, or fills them in.

    check_quoted_times.py ROOT          status 1 and one line for each stale or unlisted number
    check_quoted_times.py --write ROOT  writes the recorded figures into the quotes, with as many decimals as before
    check_quoted_times.py --self-test   plants faults in a scratch tree and demands that each one is found

The build target `quoted_times` is the second. What a sentence says about its numbers is left to the writer.

ROOT/assets/lessons/times.json lists the quotes:

    {"results": "bench/results/MACHINE.json",
     "quotes": [{"file": "assets/lessons/NN-NAME.md", "text": "takes 27 µs, or 1.4 copies",
                 "numbers": [{"case": "render/…"}, {"case": "render/…", "value": "over_copy"}]}]}

`text` is a passage of the file; how its lines are broken does not matter. `numbers` explains each number in it, in order:
    {"case": NAME}                  the case's median time, in microseconds ("unit": "ms" beside it: milliseconds)
    {"case": NAME, "value": FIELD}  another figure of the case: over_copy, copy_microseconds, over_bilinear
    {"ratio": [NAME, NAME]}         the first case's median time divided by the second's
    {"given": "REASON"}             a number that is not measured by the benchmark, such as a published one
A number must equal the recorded figure rounded to the decimals that are quoted. Every time in a lesson, a number before
"µs", "ms" or "copies", must be part of a quote.
"""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "structure"))
from checking import Planted, in_scratch_tree, main

TABLE = "assets/lessons/times.json"
NUMBER = re.compile(r"(?<![\w.,])\d+(?:\.\d+)?(?![\w²])")
# "27 µs", "77, 65 and 27 µs", "260 against 66 µs"
TIME = re.compile(r"(?<![\w.,])(?:\d+(?:\.\d+)?(?:, | and | against | or ))*\d+(?:\.\d+)?[ \u00a0](?:µs|μs|ms|copies)\b")


def prose(text):
    """The Markdown without its fenced blocks, each run of white space as one space."""
    kept, fenced = [], False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            kept.append(line)
    return " ".join(" ".join(kept).split())


def figure(number, cases):
    """The recorded figure that an entry of `numbers` names."""
    def of(name, field):
        if name not in cases:
            raise LookupError(f"the results have no case {name}")
        case = cases[name]
        value = case.get("microseconds", {}).get("median") if field == "median" else case.get(field)
        if value is None:
            raise LookupError(f"the case {name} has no {field}")
        return value

    if "ratio" in number:
        first, second = number["ratio"]
        return of(first, "median") / of(second, "median")
    value = of(number["case"], number.get("value", "median"))
    return value / 1000 if number.get("unit") == "ms" else value


def filled_in(words, numbers, cases):
    """The passage with the recorded figures."""
    explained = iter(numbers)

    def recorded(match):
        number = next(explained)
        if "given" in number:
            return match.group()
        return f"{figure(number, cases):.{len(match.group().partition('.')[2])}f}"

    return NUMBER.sub(recorded, words)


def write(root):
    """Fills the recorded figures into all quotes, and into their list; returns what changed. Line breaks stay."""
    table = json.loads((root / TABLE).read_text(encoding="utf-8"))
    results = json.loads((root / table["results"]).read_text(encoding="utf-8"))
    cases = {case["name"]: case for case in results["results"]}
    listed, changed = (root / TABLE).read_text(encoding="utf-8"), []
    for quote in table["quotes"]:
        words = " ".join(quote["text"].split())
        fresh = filled_in(words, quote["numbers"], cases)
        if fresh == words:
            continue
        path = root / quote["file"]
        text = path.read_text(encoding="utf-8")
        pattern = r"(\s+)".join(re.escape(word) for word in words.split())
        path.write_text(re.sub(pattern, lambda m: "".join(
            word + gap for word, gap in zip(fresh.split(), [*m.groups(), ""])), text), encoding="utf-8")
        for ascii_only in (False, True):  # however the list writes it
            listed = listed.replace(*(json.dumps(t, ensure_ascii=ascii_only) for t in (quote["text"], fresh)))
        changed.append(f"{quote['file']}: {fresh}")
    (root / TABLE).write_text(listed, encoding="utf-8")
    return changed


def spans_of(text, quote):
    return [(m.start(), m.end()) for m in re.finditer(re.escape(" ".join(quote.split())), text)]


def check(root):
    problems = []
    table = json.loads((root / TABLE).read_text(encoding="utf-8"))
    results = json.loads((root / table["results"]).read_text(encoding="utf-8"))
    cases = {case["name"]: case for case in results["results"]}
    texts, covered = {}, {}
    for name in sorted({quote["file"] for quote in table["quotes"]}):
        path = root / name
        if path.is_file():
            texts[name] = prose(path.read_text(encoding="utf-8"))
        else:
            problems.append(f"{name}: {TABLE} quotes this file, which does not exist")
    for path in sorted((root / TABLE).parent.glob("*.md")):
        texts.setdefault(path.relative_to(root).as_posix(), prose(path.read_text(encoding="utf-8")))

    for quote in table["quotes"]:
        name, words = quote["file"], quote["text"]
        if name not in texts:
            continue
        spans = spans_of(texts[name], words)
        if not spans:
            problems.append(f"{name}: does not contain \"{words}\"; correct {TABLE}")
            continue
        covered.setdefault(name, []).extend(spans)
        quoted = [m.group() for m in NUMBER.finditer(words)]
        if len(quoted) != len(quote["numbers"]):
            problems.append(f"{name}: \"{words}\" has {len(quoted)} numbers, {TABLE} explains {len(quote['numbers'])}")
            continue
        for number, explained in zip(quoted, quote["numbers"]):
            if "given" in explained:
                continue
            try:
                recorded = figure(explained, cases)
            except LookupError as error:
                problems.append(f"{name}: \"{words}\": {error.args[0]}")
                continue
            decimals = len(number.partition(".")[2])
            # Half a unit of the last decimal, and a hair for binary fractions.
            if abs(float(number) - recorded) > 0.5 * 10**-decimals + 1e-9:
                problems.append(f"{name}: \"{words}\": {number} is recorded as {recorded:.{decimals}f} ({recorded:.6g})")

    for name, text in texts.items():
        if not name.startswith("assets/lessons/"):
            continue
        for match in TIME.finditer(text):
            if not any(begin <= match.start() and match.end() <= end for begin, end in covered.get(name, [])):
                problems.append(f"{name}: \"{match.group()}\" is not listed in {TABLE}")
    return problems


CASE = {"name": "render/a", "microseconds": {"median": 27.2879}, "over_copy": 1.43987}
OTHER = {"name": "render/b", "microseconds": {"median": 65.0467}}
CLEAN_LESSON = "# T\n\nIt takes 27 µs, or 1.4\ncopies; the other 65 µs, 2.38 times as long.\n\n```state\n{\"a\": \"9 µs\"}\n```\n"
CLEAN_TABLE = {
    "results": "bench/results/m.json",
    "quotes": [
        {"file": "assets/lessons/01-a.md", "text": "27 µs, or 1.4 copies",
         "numbers": [{"case": "render/a"}, {"case": "render/a", "value": "over_copy"}]},
        {"file": "assets/lessons/01-a.md", "text": "65 µs, 2.38 times",
         "numbers": [{"case": "render/b"}, {"ratio": ["render/b", "render/a"]}]},
    ],
}


def tree(lesson=CLEAN_LESSON, table=CLEAN_TABLE, cases=(CASE, OTHER), more=()):
    return {"assets/lessons/01-a.md": lesson, TABLE: json.dumps(table),
            "bench/results/m.json": json.dumps({"results": list(cases)}), **dict(more)}


def check_filled_in(root):
    """What is stale passes once it has been filled in."""
    if not check(root):
        return ["nothing was stale"]
    write(root)
    return check(root)


def quotes(*changed):
    return CLEAN_TABLE | {"quotes": [*CLEAN_TABLE["quotes"], *changed]}


PLANTED = {
    "a stale time in the lesson": tree(
        lesson=CLEAN_LESSON.replace("27 µs", "28 µs"),
        table=CLEAN_TABLE | {"quotes": [CLEAN_TABLE["quotes"][0] | {"text": "28 µs, or 1.4 copies"},
                                        CLEAN_TABLE["quotes"][1]]}),
    "a time that was measured anew": tree(cases=({**CASE, "microseconds": {"median": 25.1}}, OTHER)),
    "a ratio that was measured anew": tree(cases=({**CASE, "microseconds": {"median": 27.45}}, OTHER)),
    "a multiple of the copy that was measured anew": tree(cases=({**CASE, "over_copy": 1.46}, OTHER)),
    "a quote that does not occur": tree(table=quotes(
        {"file": "assets/lessons/01-a.md", "text": "99 µs", "numbers": [{"case": "render/a"}]})),
    "a file that does not exist": tree(table=quotes(
        {"file": "assets/lessons/02-b.md", "text": "27 µs", "numbers": [{"case": "render/a"}]})),
    "a case that was not recorded": tree(cases=(CASE,)),
    "a number that is not explained": tree(table=CLEAN_TABLE | {"quotes": [
        CLEAN_TABLE["quotes"][0] | {"numbers": [{"case": "render/a"}]}, CLEAN_TABLE["quotes"][1]]}),
    "a time that is not listed": tree(lesson=CLEAN_LESSON + "\nAnd 12 ms more.\n"),
    "a list of times that is not listed": tree(lesson=CLEAN_LESSON + "\nThey take 11, 12 and 27 µs.\n"),
    "copies that are not listed": tree(lesson=CLEAN_LESSON + "\nThat is 3 copies.\n"),
    "a time in a lesson without quotes": tree(more={"assets/lessons/02-b.md": "# U\n\nIt takes 27 µs.\n"}),
}

STALE = ["a time that was measured anew", "a ratio that was measured anew", "a multiple of the copy that was measured anew"]

if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--write":
        print("\n".join(write(pathlib.Path(sys.argv[2]))) or "every quoted time was as recorded")
        sys.exit()
    if sys.argv[1:] == ["--self-test"]:
        left = [line for stale in STALE for line in in_scratch_tree(check_filled_in, PLANTED[stale])]
        if left:
            sys.exit("not filled in: " + "; ".join(left))
    main(__doc__, check, "every quoted time is as recorded", tree(), [Planted(*case) for case in PLANTED.items()])
