#!/usr/bin/env python3
"""Carries out every command and program of the labs in docs/labs as they are written, and compares what comes out with their answers.

    check_labs.py PROGRAM ROOT [--keep FOLDER] [--only NAME]
    check_labs.py --self-test

Each page in a folder of its own that has photo.png; what the page leaves to the learner is filled in from SOLUTIONS. Commands that
open the window save a picture of it instead, on an X server without a screen (without Xvfb they are left out). TEXELSCOPE_LIBRARY
names the library for the Python package. Exit status: 0 all is well, 1 something is not, 77 NumPy is missing."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PHOTO = ["render", "@dead-leaves:512", "-o", "photo.png"]

# What a learner writes, by page: replacements in commands and programs, and what is run before a Python block.
PREFILTER = """
def mine(s):
    s, z = np.asarray(s, np.float64), np.sqrt(3) - 2
    period = np.concatenate([s, s[-2:0:-1]])
    plus = [sum(z ** k * period[k % len(period)] for k in range(60))]
    for k in range(1, len(s)):
        plus.append(s[k] + z * plus[-1])
    c = [z / (z * z - 1) * (plus[-1] + z * plus[-2])]
    for k in range(len(s) - 2, -1, -1):
        c.append(z * (c[-1] - plus[k]))
    return 6 * np.array(c[::-1])
"""
WEIGHTS = "\n".join(f"""w{axis}(0) = (1 - {f}) * (1 - {f}) * (1 - {f}) / 6;
w{axis}(1) = (3 * {f} * {f} * {f} - 6 * {f} * {f} + 4) / 6;
w{axis}(2) = (-3 * {f} * {f} * {f} + 3 * {f} * {f} + 3 * {f} + 1) / 6;
w{axis}(3) = {f} * {f} * {f} / 6;""" for axis, f in (("x", "a"), ("y", "b")))
ENLARGED = """
import numpy as np, texelscope as ts
def along(a, n):
    x = (np.arange(a.shape[0] * n) + 0.5) / n - 0.5
    i = np.floor(x).astype(int)
    t = (x - i)[:, None, None]
    p = np.pad(a, ((4, 4), (0, 0), (0, 0)), mode="symmetric")
    w = (1 - t) ** 3 / 6, (3 * t ** 3 - 6 * t ** 2 + 4) / 6, (-3 * t ** 3 + 3 * t ** 2 + 3 * t + 1) / 6, t ** 3 / 6
    return sum(w[k] * p[i + k + 3] for k in range(4))
c = ts.prefilter(np.load("photo.npy"), "bspline", address="mirror")
np.save("mine.npy", along(along(c, 3).swapaxes(0, 1), 3).swapaxes(0, 1).astype(np.float32))
"""
SOLUTIONS = {
    "perspective": {"replace": {"--at …": "--at 200,400",
                                "--homography …": "--homography 0.125,0,-0.4375,0,0.125,-0.4375,0,0.00025,0.099125"}},
    "spline-gpu": {"replace": {"// … your weights of a and b …": WEIGHTS,
                               "// … add wx(m) · wy(n) · tap …": "sum += wx(m) * wy(n) * tap;"},
                   "first": [PHOTO[:3] + ["photo.npy"]], "program": ENLARGED},
    "turns": {"before_python": "import numpy as np\n" + PREFILTER},
}

# `check` says that this is wrong, as the page says.
MAY_FAIL = re.compile(r"^ *texelscope check (\$mip|ewa)\.npy", re.M)


class Piece:
    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line


def pieces_of(page):
    """Blocks between ``` and code spans that are whole commands, in the order of the page, without its answers."""
    lines, pieces, at = page.split("\n## Answers")[0].split("\n"), [], 0
    while at < len(lines):
        fence = re.match(r"\s*```(\S*)", lines[at])
        if fence:
            end = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "```")
            text = textwrap.dedent("\n".join(lines[at + 1:end])) + "\n"
            kind = "python" if fence[1] == "python" else "kernel" if text.startswith("//!") else "shell"
            pieces.append(Piece(kind, text, at + 1))
            at = end + 1
            continue
        paragraph, first = [], at
        while at < len(lines) and not re.match(r"\s*```", lines[at]) and (lines[at].strip() or not paragraph):
            paragraph.append(lines[at].strip())
            at += 1
        for command in re.findall(r"`(texelscope [^`]+)`", " ".join(paragraph)):
            if len(command.split()) > 2 or "@" in command:  # else only its name
                pieces.append(Piece("shell", command + "\n", first + 1))
    return pieces


# The program as the page's commands call it.
SHIM = """#!/bin/bash
case "$1" in
{commands}) exec "{program}" "$@" ;;
esac
[ -n "$LAB_WINDOW" ] || exit 0
n=$(ls window-*.png 2>/dev/null | wc -l)
exec "{program}" "$@" --window 900x600 --screenshot window-$n.png
"""


def prepared(folder, program):
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    section = help_text.split("Commands:")[1] if "Commands:" in help_text else help_text.split("Subcommands:")[1]
    commands = re.findall(r"^  ([a-z]+) ", section, re.M)
    assert {"render", "compare", "check", "warp"} <= set(commands), commands
    shim = folder / "bin" / "texelscope"
    shim.parent.mkdir()
    shim.write_text(SHIM.format(commands="|".join(commands + ["--*"]), program=program))
    shim.chmod(0o755)
    return shim.parent


class Lab:
    def __init__(self, page, folder, environment):
        self.page, self.folder, self.environment = page, folder, environment
        self.solution = SOLUTIONS.get(page.stem, {})
        self.output, self.problems = "", []

    def run(self, words, text, line, may_fail=False):
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder, env=self.environment)
        self.output += done.stdout
        if done.returncode != 0 and not may_fail:
            self.problems.append(f"{self.page.name}:{line}: exit status {done.returncode}\n{text}{done.stderr}")
        return done

    def carry_out(self):
        for words in [PHOTO] + self.solution.get("first", []):
            self.run(["texelscope"] + words, "", 0)
        if program := self.solution.get("program"):
            self.run([sys.executable, "-c", program], program, 0)
        for piece in pieces_of(self.page.read_text()):
            text = piece.text
            for before, after in self.solution.get("replace", {}).items():
                text = text.replace(before, after)
            if "…" in text:
                self.problems.append(f"{self.page.name}:{piece.line}: what is to be written here?\n{text}")
            elif piece.kind == "kernel":
                (self.folder / "mine.cu").write_text(text)
            elif piece.kind == "python":
                self.run([sys.executable, "-c", self.solution.get("before_python", "") + text], text, piece.line)
            else:
                may_fail = bool(MAY_FAIL.search(text))
                self.run(["bash", "-c" if may_fail else "-ec", text], text, piece.line, may_fail)

    def expect(self, holds, what):
        if not holds:
            self.problems.append(f"{self.page.name}: {what}")


# What the answers say.

def check_turns(lab):
    def psnr(name):
        methods = json.loads((lab.folder / name).read_text())["methods"]
        return {m["spec"].split(":")[0]: m["interior"]["psnr"] for m in methods}

    turns = {n: psnr(f"turns-{n}.json") for n in (1, 2, 4, 8, 16, 32)}
    fall = {m: [turns[n][m] - turns[2 * n][m] for n in (1, 2, 4, 8, 16)] for m in ("bilinear", "quintic")}
    lab.expect(abs(fall["bilinear"][0] - 2.3) < 0.1 and abs(fall["bilinear"][-1] - 1.1) < 0.1, f"1.4, bilinear: {fall['bilinear']}")
    lab.expect(all(2.9 < f < 4.1 for f in fall["quintic"]), f"1.4, quintic: {fall['quintic']}")
    rows = re.findall(r"^\S.*?  (\S+) +(\d+\.\d+)  0\.\d+ ", lab.output, re.M)
    first = [name for name, _ in rows[:rows.index(next(r for r in rows if r[0] == "gaussian")) + 1]]
    lab.expect(sorted(first[-3:]) == ["bilinear", "gaussian", "nearest"], f"1.1: {first[-3:]}")
    nearest = [float(value) for name, value in rows if name == "nearest"][-2:]
    lab.expect(nearest[0] < 24 and nearest[1] > 31, f"1.5: nearest {nearest}")
    lab.expect(abs(turns[1]["bilinear"] + 20 * np.log10(0.12292514) - 14.5) < 0.1, "1.3")
    own = psnr("mine.json")
    lab.expect(abs(own["custom"] - own["bspline"]) < 0.01, f"2.4: {own}")
    differences = re.findall(r"^\d\.\d+e-\d+$", lab.output, re.M)
    lab.expect(len(differences) == 1 and float(differences[0]) < 1e-6, f"2.2: {differences}")


def check_decimation(lab):
    figures = [float(f) for f in re.findall(r"^A +nearest\S* +\S+ +(\d+\.\d) dB", lab.output, re.M)]
    lab.expect(len(figures) == 5, f"figures: {figures}")
    plain, box, lanczos, twice, four = figures
    lab.expect(plain < box < lanczos, f"2.2: {plain}, {box}, {lanczos}")
    lab.expect(abs(twice - 50) < 3 and four < 30, f"2.4: {twice}, {four}")


def check_perspective(lab):
    off = [float(f) for f in re.findall(r"off by (\S+) on average", lab.output)]
    lab.expect(len(off) == 6 and np.allclose(off, [0.037, 0.034, 0.032, 0.021, 0.019, 0.016], atol=6e-4), f"3.2, 3.3: {off}")
    values = re.findall(r"^\d+,\d+,(\S+)$", lab.output, re.M)
    lab.expect(len(values) == 2 and abs(float(values[0]) - float(values[1])) < 1e-5, f"1.2: {values}")
    level = np.load(lab.folder / "level.npy")
    lab.expect(abs(float(level[200, 100, ...].ravel()[0]) - 0.125) < 1e-6, "2.1: level 1 at (100, 200)")


def check_spectrum(lab):
    def share(name, windows=True):
        a = np.load(lab.folder / name).astype(float)
        a = a.mean(axis=2) if a.ndim == 3 else a
        a = a - a.mean()
        if windows:
            a = a * np.hanning(a.shape[0])[:, None] * np.hanning(a.shape[1])
        p = np.abs(np.fft.fft2(a)) ** 2
        fy, fx = np.meshgrid(np.fft.fftfreq(a.shape[0]), np.fft.fftfreq(a.shape[1]), indexing="ij")
        largest = np.maximum(np.abs(fx), np.abs(fy))
        return p[largest > 0.25].sum() / p.sum(), p[largest > 0.4].sum() / a.size ** 2

    leaves, noise, plate = (share(f"{n}.npy")[0] for n in ("dead-leaves", "noise", "zone-plate"))
    lab.expect(abs(leaves - 0.05) < 0.01 and abs(noise - 0.14) < 0.01 and abs(plate - 0.14) < 0.01, f"2.2: {leaves}, {noise}, {plate}")
    lab.expect(abs(share("zone-plate.npy", False)[0] - 0.75) < 0.01, "2.2: the zone plate without windows")
    lab.expect(abs(share("noise.npy", False)[0] - noise) < 0.02, "2.2: noise without windows")
    ratio = share("plain.npy")[1] / share("soft.npy")[1]
    lab.expect(abs(ratio - 1.4) < 0.1, f"2.3: {ratio}")
    printed = [float(f) for f in re.findall(r"^(\S+) % of the power$", lab.output, re.M)]
    lab.expect(len(printed) == 1 and abs(printed[0] - 100 * leaves) < 1, f"2.1: {printed}")


def check_spline(lab):
    lab.expect(len(re.findall(r"^right: ", lab.output, re.M)) == 2, "1.2 and 3.1 are not right")
    text = (lab.folder / "mine.cu").read_text()
    wrong = text
    for axis, index in ("xi", "yj"):
        wrong = wrong.replace(f"whole({axis})", f"whole({axis} - 0.5)").replace(f"({axis} - {index})", f"({axis} - 0.5 - {index})")
    (lab.folder / "wrong.cu").write_text(wrong)
    lab.run(["texelscope", "resize", "photo.png", "-o", "wrong.npy", "--factor", "3", "--antialias", "off", "--method",
             "kernel:file=wrong.cu"], "", 0)
    said = lab.run(["texelscope", "check", "wrong.npy", "--is", "resize:photo.png,antialias=off,method=bspline:prefilter=none"], "", 0,
                   True)
    lab.expect(said.returncode == 1 and "half a sample too small" in said.stdout, f"3.1, half a texel: {said.stdout}")


FACTS = {"turns": check_turns, "decimation": check_decimation, "perspective": check_perspective, "spectrum": check_spectrum,
         "spline-gpu": check_spline}


def carried_out(program, pages, keep=None, environment=None):
    """The problems of these pages; facts of those that have some."""
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        for page in pages:
            folder = Path(keep or scratch) / page.stem
            folder.mkdir(parents=True)
            settings = {**os.environ, **(environment or {}), "PATH": f"{prepared(folder, program)}:{os.environ['PATH']}",
                        "XDG_CONFIG_HOME": str(folder / "config"), "XDG_CACHE_HOME": str(folder / "cache")}
            lab = Lab(page, folder, settings)
            lab.carry_out()
            if not lab.problems and page.stem in FACTS:
                FACTS[page.stem](lab)
            problems += lab.problems
            print(f"{page.stem}: {len(lab.problems)} problems")
    return problems


def self_test():
    """A page whose command fails, one that leaves something open, and a block within a list."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        stub = folder / "stub"
        stub.write_text('#!/bin/bash\n[ "$1" = --help ] && printf "Commands:\\n  render x\\n  compare x\\n  check x\\n  warp x\\n"\n'
                        '[[ "$*" == *fails* ]] && exit 3\nexit 0\n')
        stub.chmod(0o755)
        for name, text, expected in (("good", "1. Do:\n\n   ```\n   texelscope render a -o b\n   ```\n", 0),
                                     ("inline", "Do `texelscope render fails -o b`.\n", 1),
                                     ("split", "Do `texelscope render\n  fails -o b`.\n", 1),
                                     ("block", "```\ntexelscope render a\ntexelscope render fails\ntexelscope render b\n```\n", 1),
                                     ("open", "```\ntexelscope render …\n```\n", 1),
                                     ("name", "By `texelscope sample`.\n", 0),
                                     ("answer", "Text.\n\n## Answers\n\n`texelscope render fails -o b`\n", 0),
                                     ("python", "```python\nassert 1 == 2\n```\n", 1)):
            (folder / f"{name}.md").write_text(text)
            found = carried_out(str(stub), [folder / f"{name}.md"], keep=folder / "out")
            if len(found) != expected:
                print(f"{name}: {len(found)} problems instead of {expected}: {found}")
                return 1
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("root", type=Path)
    parser.add_argument("--keep")
    parser.add_argument("--only")
    options = parser.parse_args()
    pages = [p for p in sorted((options.root / "docs/labs").glob("*.md")) if p.stem != "README" and options.only in (None, p.stem)]
    unchecked = [p.stem for p in pages if p.stem not in FACTS]
    environment = {"PYTHONPATH": str(options.root.resolve() / "python")}
    xvfb = shutil.which("xvfb-run")
    if xvfb and not os.environ.get("LAB_WINDOW"):  # this script again, with a display for all of its commands
        return subprocess.run([xvfb, "-a", "-s", "-screen 0 1280x800x24", sys.executable] + sys.argv,
                              env={**os.environ, "LAB_WINDOW": "1"}).returncode
    problems = [f"{name}: no answer is checked" for name in unchecked]
    problems += carried_out(str(Path(options.program).resolve()), pages, options.keep, environment)
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
