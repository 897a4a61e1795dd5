#!/usr/bin/env python3
"""How many frames a second the viewer shows while several panes of a large photograph are dragged.

usage: bench/dragging.py PROGRAM [--picture FILE] [--panes 16] [--window 3840x2160] [--seconds 5] [--radius 60] [--json FILE]
                         [--floor bare_window] [VIEWER-OPTIONS]

A photograph of 24 megapixels (or FILE), fitted to panes of different methods and antialiased, is dragged by real mouse events
(xdotool), 200 a second, in a window of its own on $DISPLAY: once a second along a circle of this radius in pixels. Of an image
of gigapixels, "--picture FILE --panes 1 --radius 200 --zoom 1" reads new samples all the time, and "coarser" counts the frames that
lacked some. A frame is a change of the view that the viewer prints after it has drawn it; "longest"
is the longest time from one to the next. --floor names the program bare_window: how many frames a second a window of this size
shows that computes nothing, and the share of them that the viewer reaches. "drafts" are frames drawn without antialiasing because there was no time for it.
"""

import argparse
import itertools
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from loading import Viewer, make_photograph, shows

METHODS = ("bspline", "catmull-rom", "bilinear", "lanczos3", "mitchell", "omoms", "quintic", "lanczos4")
MOVES_A_SECOND = 200


def session(photograph, panes):
    specs = itertools.islice(itertools.cycle(METHODS), panes)
    return {"texelscope": 1, "images": [{"source": str(photograph)}], "panes": [{"spec": spec} for spec in specs],
            "arrangement": "grid"}


def drag(width, height, seconds, radius):
    """Along a circle, with the button held, from a point beside the panels."""
    x, y, moves = round(0.6 * width), round(0.3 * height), int(seconds * MOVES_A_SECOND)
    words = ["mousemove", str(x), str(y), "mousedown", "1"]
    for k in range(1, moves + 1):
        angle = 2 * math.pi * k / MOVES_A_SECOND
        words += ["mousemove", str(x + round(radius * math.sin(angle))),
                  str(y + round(radius * (1 - math.cos(angle)))), "sleep",
                  str(1 / MOVES_A_SECOND)]
    subprocess.run(["xdotool", *words, "mouseup", "1"], check=True)


def dragging(program, options, picture, panes, window, seconds, radius):
    """Milliseconds from one frame to the next, how many were drafts, and how many lacked samples."""
    width, height = map(int, window.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o700)
        scene = picture  # a session allows no other options of the view
        if panes > 1:
            scene = Path(folder) / "panes.json"
            scene.write_text(json.dumps(session(picture, panes)))
        viewer = Viewer(program, [str(scene), *options], Path(folder), wait=False, window=window)
        try:
            viewer.wait(0, shows(str(picture), True), 60)
            viewer.wait(len(viewer.lines) - 1, lambda line: line == "at rest", 60)
            time.sleep(1)
            since = len(viewer.lines)
            drag(width, height, seconds, radius)
            frames = [(at, json.loads(line)) for at, line in viewer.lines[since:] if line.startswith("{")]
        finally:
            viewer.close()
    views = [(at, state) for at, state in frames if "view" in state]
    moved = [b for a, b in zip(views, views[1:]) if a[1]["view"] != b[1]["view"]]
    if len(moved) < 3:
        sys.exit("the picture was not dragged: is another window above the viewer's?")
    return ([1000 * (b[0] - a[0]) for a, b in zip(moved, moved[1:])], sum(bool(state.get("draft")) for _, state in moved),
            sum(bool(state.get("to_come")) for _, state in moved))


def bare(program, window, seconds):
    """Frames a second of a window that computes nothing."""
    run = subprocess.run([program, *window.split("x"), str(seconds)], stderr=subprocess.PIPE, text=True, check=True)
    return float(run.stderr.split()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--panes", type=int, default=16)
    parser.add_argument("--window", default="3840x2160")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--radius", type=float, default=60)
    parser.add_argument("--floor", metavar="bare_window")
    parser.add_argument("--json")
    asked, options = parser.parse_known_args()
    options = [option for option in options if option != "--"]
    for tool, package in (("xdotool", "xdotool"), ("cjpeg", "libjpeg-turbo-progs")):
        if not shutil.which(tool) and not (tool == "cjpeg" and asked.picture):
            sys.exit(f"{tool} is missing (Debian package {package})")
    with tempfile.TemporaryDirectory() as folder:
        picture = asked.picture.resolve() if asked.picture else Path(folder) / "photograph.jpg"
        if not asked.picture:
            make_photograph(asked.program, picture, 6000, 4000)
        times, drafts, coarser = dragging(asked.program, options, picture, asked.panes, asked.window, asked.seconds,
                                          asked.radius)
    row = {"panes": asked.panes, "window": asked.window, "frames_per_second": 1000 * len(times) / sum(times),
           "median_ms": statistics.median(times), "longest_ms": max(times), "frames": len(times), "drafts": drafts,
           "coarser": coarser}
    if asked.floor:
        row["bare"] = bare(asked.floor, asked.window, asked.seconds)
    print("{panes} panes in {window}: {frames_per_second:.0f} frames a second, median {median_ms:.1f} ms, longest {longest_ms:.1f} ms; "
          "{frames} frames, {drafts} drafts, {coarser} coarser".format(**row))
    if asked.floor:
        print("a bare window shows {bare:.0f} frames a second: {share:.2f} of them".format(
            share=row["frames_per_second"] / row["bare"], **row))
    if asked.json:
        Path(asked.json).write_text(json.dumps(row, indent=1))


if __name__ == "__main__":
    main()
