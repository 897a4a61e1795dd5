#!/usr/bin/env python3
"""Measures texelscope and alternatives to it on the same work in the same run, and prints one table.

    run.py PROGRAM [--peers cupyx,torch,python,npp,opencv,scipy,vips,pillow] [--threads N] [--json FILE]

PROGRAM is the texelscope to run. A library that is not installed is skipped, which a line reports. Times are
medians of nine batches after a warm-up, by CUDA events on a GPU and by the host's clock on the CPU; on the GPU several
pictures take turns, so that none is still in the L2 when it is read again. Each row says how the mathematics
differ. Exit status: 0, or 1 if texelscope itself failed."""

import argparse
import importlib
import json
import math
import sys

from works import Ours

ON_GPU, ON_CPU = ("cupyx", "torch", "python", "npp"), ("opencv", "scipy", "vips", "pillow")


def add_ours(rows, ours):
    """texelscope on the same work, right after the peer."""
    for row in rows:
        try:
            row.ours_us = ours.microseconds(row.work, row.ours)[0]
        except (RuntimeError, OSError) as why:
            print(f"{row.work.name}: texelscope failed: {why}", file=sys.stderr)


def measure(peers, threads, ours):
    rows, skipped = [], []
    for peer in peers:
        print(f"measuring {peer} …", file=sys.stderr)
        try:
            module = importlib.import_module(f"{peer}_peer")
            for row in module.rows(threads) if peer in ON_CPU else module.rows():
                rows.append(row)
        except Exception as why:  # a library that is missing, or does not run here
            skipped.append(f"skipped {peer}: {type(why).__name__}: {str(why).splitlines()[0] if str(why) else ''}")
            print(skipped[-1])
        add_ours([row for row in rows if math.isnan(row.ours_us)], ours)
        ours.forget()
    return rows, skipped


def digits(us):
    return f"{us:.{2 if us < 10 else 1 if us < 100 else 0}f}"


def table(rows):
    cells = [("", "µs", "quartiles", "texelscope µs", "× texelscope", "what differs")]
    last = None
    for row in rows:
        if row.work != last:
            cells.append((row.work.name, "", "", "", "", ""))
            last = row.work
        cells.append((f"  {row.peer}  |  {row.ours.split('/', 3)[3]}", digits(row.median_us),
                      f"{digits(row.lower_us)}–{digits(row.upper_us)}", digits(row.ours_us), f"{row.ratio:.2f}",
                      row.differs))
    width = [max(len(row[c]) for row in cells) for c in range(5)]
    lines = []
    for row in cells:
        numbers = "  ".join(row[c].rjust(width[c]) for c in range(1, 5))
        lines.append(f"{row[0].ljust(width[0])}  {numbers}  {row[5]}".rstrip())
    return "\n".join(lines)


def finite(value):
    return value if math.isfinite(value) else None


def as_json(rows, skipped, ours):
    return {"devices": sorted(ours.devices), "skipped": skipped,
            "rows": [{"work": row.work.name, "peer": row.peer,
                      "microseconds": {"median": row.median_us, "lower": row.lower_us, "upper": row.upper_us},
                      "texelscope": row.ours, "texelscope_microseconds": finite(row.ours_us),
                      "over_texelscope": finite(row.ratio),
                      "differs": row.differs} for row in rows]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--peers", default=",".join(ON_GPU + ON_CPU))
    parser.add_argument("--threads", type=int, default=2, help="of OpenCV and of texelscope on the CPU")
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    peers = arguments.peers.split(",")
    for peer in peers:
        if peer not in ON_GPU + ON_CPU:
            parser.error(f"--peers: there is no '{peer}'; there are {', '.join(ON_GPU + ON_CPU)}")

    ours = Ours(arguments.program, arguments.threads)
    rows, skipped = measure(peers, arguments.threads, ours)
    rows.sort(key=lambda row: row.work.name)
    if rows:
        print(table(rows))
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(as_json(rows, skipped, ours), file, indent=1, ensure_ascii=False)
    return 1 if any(math.isnan(row.ours_us) for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
