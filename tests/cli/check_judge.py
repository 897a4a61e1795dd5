#!/usr/bin/env python3
"""Judges a folder of pictures with other programs (ImageMagick, ffmpeg, where they are installed) and two results from files
beside our methods; kills a run with SIGKILL, goes on, and compares; reads the report.

    check_judge.py PROGRAM [--pictures N] [--side PIXELS] [--report FILE.html]

24 pictures of 512 pixels by default are five kinds in five folders: photographs (fractals and dead leaves), text, line art,
pixel art and data. Exit status: 0 all is well, 1 something is not, 77 NumPy is missing (CTest: SKIP_RETURN_CODE 77)."""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FACTOR = 2
KINDS = {"photographs": "dead-leaves", "fractals": "basilica", "text": "text", "lines": "rings", "data": "waves"}
PANES = ["nearest", "bilinear", "catmull-rom", "bspline", "lanczos3"]


def run(words, environment, status=0):
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    if done.returncode != status:
        raise AssertionError(f"exit status {done.returncode} instead of {status}: {done.stderr.strip()}\n    {' '.join(words)}")
    return done


def make_pictures(program, folder, count, side, environment):
    """Each is a part of a larger built-in picture, turned a little, so that no two are alike."""
    rng = np.random.default_rng(44)
    pictures = []
    for k in range(count):
        kind = list(KINDS)[k % len(KINDS)]
        (folder / kind).mkdir(exist_ok=True)
        picture = folder / kind / f"{kind}{k}.png"
        run([program, "render", f"@{KINDS[kind]}:{2 * side}", "-o", str(picture), "--method", "lanczos3", "--size",
             f"{side}x{side}", "--antialias", "on", "--scale", f"{rng.uniform(1, 1.4):.3f}", "--rotate",
             f"{rng.uniform(-30, 30):.2f}", "--translate", "{:.2f},{:.2f}".format(*rng.uniform(-side / 8, side / 8, 2))],
            environment)
        pictures.append(picture)
    return pictures


def outside_methods():
    commands = []
    if shutil.which("convert"):
        commands.append("convert {in} -filter Mitchell -resize {width}x{height}! {out}")
    if shutil.which("ffmpeg"):
        commands.append("ffmpeg -v error -i {in} -vf scale={width}:{height}:flags=lanczos {out}")
    return commands


def write_results(program, folder, pictures, environment):
    """Two results from files: each small picture enlarged by `resize`, and one that is the original with noise."""
    rng = np.random.default_rng(1)
    for name in ("small", "resized", "noisy"):
        (folder / name).mkdir()
    run([program, "compare", *map(str, pictures), "--restore", str(FACTOR), "--write-shrunk",
         str(folder / "small" / "{name}.npy"), "--backend", "cpu"], environment)
    for picture in pictures:
        small = folder / "small" / f"{picture.stem}.npy"
        run([program, "resize", str(small), "-o", str(folder / "resized" / f"{picture.stem}.npy"), "--factor", str(FACTOR),
             "--method", "mitchell"], environment)
        whole = folder / "noisy" / f"{picture.stem}.npy"
        run([program, "render", str(picture), "-o", str(whole), "--method", "nearest"], environment)
        values = np.load(whole)
        np.save(whole, (values + rng.normal(0, 0.02, values.shape)).astype(np.float32))


def figures(result):
    """All that does not depend on how fast a machine is."""
    return {p["image"]: {m["spec"]: (m["interior"], m["all"]) for m in p["methods"]} for p in result["pictures"]}


def check_resuming(words, kept, out, environment, count):
    """Killed when the first half of the pictures is there; then the rest is computed, and the figures are those of one run."""
    process = subprocess.Popen(words + ["--keep", str(kept), "--json", str(out)], env=environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 600
    while len(list(kept.glob("*.json"))) < count // 2 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    if process.poll() is not None:
        raise AssertionError("the run ended before it could be killed: more or larger pictures are needed")
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = {file.name: file.stat().st_mtime_ns for file in kept.glob("*.json")}
    if not count // 2 <= len(before) < count:
        raise AssertionError(f"{len(before)} of {count} pictures were kept when the run was killed")
    if out.exists():
        raise AssertionError("a killed run left a result")
    run(words + ["--keep", str(kept), "--json", str(out)], environment)
    for file in kept.glob("*.json"):
        if file.name in before and file.stat().st_mtime_ns != before[file.name]:
            raise AssertionError(f"{file.name} was computed again")
    if len(list(kept.glob("*.json"))) != count:
        raise AssertionError("not every picture was kept")
    return len(before)


def check_report(report, count, methods):
    page = report.read_text()
    for wanted in ("<table", "<svg", "Quality over the pictures", "Quality against time", "Mean FLIP by folder", *KINDS):
        if wanted not in page:
            raise AssertionError(f"the report has no {wanted}")
    if re.search(r"(src|href)=\"(https?:)?//", page):
        raise AssertionError("the report asks the network for something")
    if page.count("data:image/png") < count:
        raise AssertionError(f"the report has fewer than {count} pictures")
    if page.count("<tr") < 2 * methods:
        raise AssertionError("the report's tables are too short")


def check_bad_input(program, folder, picture, environment):
    """A folder of which half is no picture, pictures that are too small, and a single picture."""
    mixed = folder / "mixed"
    mixed.mkdir()
    for k in range(6):
        shutil.copy(picture, mixed / f"{k}.png")
        (mixed / f"{k}.txt").write_text("no picture")
        (mixed / f"broken{k}.png").write_text("<html>")
    np.save(mixed / "tiny.npy", np.zeros((4, 3), np.float32))
    done = subprocess.run([program, "compare", str(mixed), "--restore", "2", "--panes", "nearest; bilinear", "--keep", "off",
                           "--json", "-"], capture_output=True, text=True, env=environment)
    result, lines = json.loads(done.stdout), done.stderr.strip().splitlines()
    judged = [p for p in result["pictures"] if "problem" not in p]
    if done.returncode != 1 or len(judged) != 6 or len(lines) != 8:
        raise AssertionError(f"of a mixed folder {len(judged)} pictures are judged, with {len(lines)} lines: {lines}")
    one = folder / "one"
    one.mkdir()
    shutil.copy(picture, one)
    text = run([program, "compare", str(one), "--restore", "2", "--panes", "nearest; bilinear", "--keep", "off"], environment)
    if "One picture says nothing about others" not in text.stdout:
        raise AssertionError("one picture has statistics")


def check_ended(program, folder, picture, environment):
    """However the judge ends, a program that hangs ends with it, and leaves no files."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
        left, temporary = folder / f"pid{int(number)}", folder / f"tmp{int(number)}"
        temporary.mkdir()
        words = [program, "compare", str(picture), "--restore", "2", "--backend", "cpu", "--allow-commands", "--panes",
                 f"nearest; command:'sleep 600 & echo $! > {left}.new; mv {left}.new {left}; wait; true {{in}} {{out}}'"]
        process = subprocess.Popen(words, env=dict(environment, TMPDIR=str(temporary)), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + 60
        while not left.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        sleeper = int(left.read_text())
        process.send_signal(number)
        process.wait(60)
        while Path(f"/proc/{sleeper}/cmdline").exists() and b"sleep" in Path(f"/proc/{sleeper}/cmdline").read_bytes():
            if time.monotonic() > deadline:
                raise AssertionError(f"after {number.name} what the command had started still runs")
            time.sleep(0.01)
        while list(temporary.iterdir()):
            if time.monotonic() > deadline:
                raise AssertionError(f"after {number.name} files are left: {list(temporary.iterdir())}")
            time.sleep(0.01)


def check(options, folder):
    environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))
    pictures = make_pictures(options.program, folder, options.pictures, options.side, environment)
    write_results(options.program, folder, pictures, environment)
    commands = outside_methods()
    panes = "; ".join(PANES + [f"command:'{command}'" for command in commands])
    words = [options.program, "compare", *[str(folder / kind) for kind in KINDS], "--restore", str(FACTOR), "--backend", "cpu",
             "--panes", panes, "--judge", "flip,gmsd", "--allow-commands",
             "--result", f"resized={folder}/resized/{{name}}.npy", "--result", f"noisy={folder}/noisy/{{name}}.npy"]
    methods = len(PANES) + len(commands) + 2
    kept, whole = folder / "kept", folder / "whole.json"
    begin = time.monotonic()
    report = Path(options.report) if options.report else folder / "report.html"
    run(words + ["--keep", "off", "--json", str(whole), "--report", str(report)], environment)
    seconds = time.monotonic() - begin
    result = json.loads(whole.read_text())
    if len(result["pictures"]) != options.pictures or len(result["methods"]) != methods:
        raise AssertionError(f"{len(result['pictures'])} pictures and {len(result['methods'])} methods")
    resized = {p["image"]: {m["spec"]: m for m in p["methods"]} for p in result["pictures"]}
    for name, by_spec in resized.items():
        if "result:resized" not in by_spec or not by_spec["result:noisy"]["interior"]["flip_mean"] > 0:
            raise AssertionError(f"{name} lacks a result")
    check_report(report, options.pictures, methods)
    kept.mkdir()
    reused = check_resuming(words, kept, folder / "resumed.json", environment, options.pictures)
    if figures(json.loads((folder / "resumed.json").read_text())) != figures(result):
        raise AssertionError("the figures of a resumed run are not those of one that was not killed")
    check_bad_input(options.program, folder, pictures[0], environment)
    check_ended(options.program, folder, pictures[0], environment)
    print(f"{options.pictures} pictures, {methods} methods of which {len(commands)} are programs: {seconds:.1f} s; {reused} "
          f"pictures reused after the kill")
    print(result["verdict"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("--pictures", type=int, default=24)
    parser.add_argument("--side", type=int, default=512)
    parser.add_argument("--report")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(options, Path(folder))
        except AssertionError as problem:
            print(problem)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
