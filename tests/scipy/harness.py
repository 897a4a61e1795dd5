"""Shared by the comparisons with NumPy and SciPy: running the program, going through random cases, reporting. Import it
first: it ends a script with status 77 if NumPy or SciPy is missing (CTest: SKIP_RETURN_CODE 77)."""

import argparse
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
    import scipy.ndimage
except ImportError as missing:
    print(f"skipped: {missing}; install python3-scipy to compare with SciPy")
    sys.exit(77)

MOST_FAILURES = 10  # reported, then the run ends


def run(command):
    """The program's output. AssertionError with the command unless it ends with status 0."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"exit status {done.returncode}: {done.stderr.strip()}\n    {shlex.join(command)}")
    return done.stdout


def main(description, checks, counts, cases, summary, broken):
    """Runs each of `checks` on as many random cases as the command line says (`cases` by default) and returns the exit
    status: 0 all agree, 1 one differs.

    check(program, rng, folder, counts) raises AssertionError for a difference and counts what it compared.
    summary(cases, failures) is the last line. broken(cases) is a sentence if the cases compared too little, else None."""
    parser = argparse.ArgumentParser(description=description.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=cases)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for n in range(len(checks) * options.cases):
            try:
                rng = np.random.default_rng([options.seed, n])
                checks[n // options.cases](options.program, rng, Path(folder), counts)
            except AssertionError as difference:
                failures += 1
                print(f"seed {options.seed} case {n}: {difference}")
                if failures >= MOST_FAILURES:
                    print("and so on")
                    break
    print(summary(options.cases, failures))
    if failures == 0 and (why := broken(options.cases)):
        print(why)
        return 1
    return 1 if failures else 0
