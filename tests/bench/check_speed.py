#!/usr/bin/env python3
"""Compares the CPU backend's speed with the results of this machine in bench/results, by texelscope bench --against.

    check_speed.py PROGRAM RESULTS    status 1 if a case is slower by more than THRESHOLD % in every one of TRIES runs

Skipped, with status 77 and the reason, where that would say nothing: on a machine whose results are not there, and on a
busy one. Each run is relative to its own copies.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

THRESHOLD, TRIES = 100, 3
LEAST_IDLE = 0.9  # of all processors, while nothing of ours runs
WORK = ["bench", "--backend", "cpu", "--only", "render,prefilter", "--method", "nearest; bilinear; bspline; lanczos3"]
SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def idle_share(seconds=1.0):
    """What part of the time the processors are idle; what a hypervisor takes does not count as idle."""
    def ticks():
        fields = [int(word) for word in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
        return fields[3] + fields[4], sum(fields)
    idle, total = ticks()
    time.sleep(seconds)
    later_idle, later_total = ticks()
    return (later_idle - idle) / max(1, later_total - total)


def skip_if_busy():
    idle = idle_share()
    if idle < LEAST_IDLE:
        skip(f"the machine is busy: its processors are idle {100 * idle:.0f} % of the time, not {100 * LEAST_IDLE:.0f} %")


def machine(report):
    """The processor, threads and instructions that results are of."""
    return report.get("backend"), report.get("device"), report.get("detail")


def results_of(this, folder):
    """The file of results of this machine."""
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        if machine(json.loads(path.read_text(encoding="utf-8"))) == this:
            return path
    skip(f"{folder} has no results of this machine, {this[1]} with {this[2]}")
    return None


def main(program, folder):
    one = subprocess.run([program, "bench", "--backend", "cpu", "--case", "render/zoom8/u8x1/nearest", "--size", "64x64",
                          "--source", "64", "--json", "-"], capture_output=True, text=True, check=True)
    results = results_of(machine(json.loads(one.stdout)), folder)
    if not pathlib.Path("/proc/stat").exists():
        skip("there is no /proc/stat to see whether the machine is idle")
    for _ in range(TRIES):
        skip_if_busy()
        done = subprocess.run([program, *WORK, "--against", results, "--threshold", str(THRESHOLD)], capture_output=True,
                              text=True, env={**os.environ, "NO_COLOR": "1"})
        if done.returncode == 0:
            print(f"no case is slower than in {results} by more than {THRESHOLD} %")
            return 0
    skip_if_busy()
    print(done.stdout[-4000:], done.stderr, sep="\n")
    return 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2]))
