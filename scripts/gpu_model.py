#!/usr/bin/env python3
"""What other graphics cards would need for the main kernels, computed from the counters of one card.

    scripts/gpu_model.py ROOT                          prints the section of docs/performance-results.md
    scripts/gpu_model.py ROOT --write                  writes it there
    scripts/gpu_model.py ROOT --against OLD            what takes longer on any card than by an earlier file of counters;
                                                       status 1 if a kernel does by more than 10 %
    scripts/gpu_model.py ROOT --gather NCU TIMES       writes the counters: of ncu --csv --page raw --profile-from-start off
                                                       --metrics METRICS kernel_counters --once, and the output of
                                                       kernel_counters on the same card (--metrics prints METRICS)

A kernel takes at least as long as each of what it needs would by itself at the card's full rate: bytes of device memory,
instructions issued, those of the FP32, integer and FP64 units, wavefronts of the load and store unit (shared memory
included), wavefronts of the texture unit. The longest of these is its bound, and what it measured above its bound on the
card of the counters is assumed on all cards. Caches are not modelled: bytes are the least that must move.
"""

import argparse
import csv
import json
import pathlib
import sys
from dataclasses import dataclass

COUNTERS = "bench/results/kernel-counters.json"
PAGE, BEGIN, END = "docs/performance-results.md", "<!-- gpu_model -->\n", "<!-- /gpu_model -->\n"
THRESHOLD = 1.1
EXPLAINED = (0.5, 1.0)  # bound over measured time; a kernel beyond it does something that the model does not know
MEMORY_SHARE = 0.92     # of a card's bandwidth that a large copy reaches

METRICS = {"dram_bytes": "dram__bytes.sum", "instructions": "smsp__inst_executed.sum",
           "fp32": "sm__inst_executed_pipe_fma.sum", "integer": "sm__inst_executed_pipe_alu.sum",
           "fp64": "sm__inst_executed_pipe_fp64.sum", "wavefronts": "l1tex__data_pipe_lsu_wavefronts.sum",
           "texture": "l1tex__f_wavefronts.sum"}


@dataclass(frozen=True)
class Card:
    """From the makers' data sheets; lanes of a multiprocessor by the CUDA C++ Programming Guide."""
    name: str
    multiprocessors: int
    gigahertz: float   # boost
    gigabytes: float   # per second
    fp32: int          # lanes of a multiprocessor
    fp64: int


MEASURED = Card("H100", 132, 1.98, 3352, 128, 64)
CARDS = (Card("H200", 132, 1.98, 4800, 128, 64), Card("RTX 4060 laptop", 24, 2.0, 256, 128, 2),
         Card("RTX 3050 laptop", 16, 1.5, 192, 128, 2), Card("GTX 1650", 14, 1.665, 128, 64, 2),
         Card("Jetson AGX Orin", 16, 1.3, 204.8, 128, 2))


def needs(case, card):
    """Microseconds by what is needed."""
    rate = card.multiprocessors * card.gigahertz * 1000  # cycles of all multiprocessors in a microsecond
    return {"memory": case["bytes"] / (MEMORY_SHARE * card.gigabytes * 1000),
            "issue": case["instructions"] / (4 * rate),
            "FP32": 32 * case["fp32"] / (card.fp32 * rate),
            "integer": 32 * case["integer"] / (64 * rate),
            "FP64": 32 * case["fp64"] / (card.fp64 * rate),
            "shared memory": case["wavefronts"] / rate,
            "texture": case["texture"] / rate}


def bound(case, card):
    """What limits, and microseconds."""
    return max(needs(case, card).items(), key=lambda need: need[1])


def share(case):
    return bound(case, MEASURED)[1] / case["microseconds"]


def computed(case, card):
    return bound(case, card)[1] / share(case)


def number(value):
    return f"{value:.3g}" if value < 1000 else f"{value / 1000:.3g}k"


def recorded_times(root):
    """Of texelscope bench on an H200, by case."""
    results = json.loads((root / "bench/results/nvidia-h200.json").read_text())["results"]
    return {r["name"]: r["microseconds"]["median"] for r in results if "microseconds" in r and r["view"] != "shrink4"}


def section(cases, times):
    head = ["µs", "bytes/pixel, least (counted)", "instructions/pixel", "H100 measured", "its bound", "H200 (recorded)",
            *(card.name for card in CARDS[1:])]
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join(["---"] * len(head)) + " |"]
    for case in cases:
        what, least = bound(case, MEASURED)
        pixels = case["pixels"]
        cells = [f"`{case['name']}`", f"{case['bytes'] / pixels:.1f} ({case['dram_bytes'] / pixels:.1f})",
                 f"{32 * case['instructions'] / pixels:.0f}", number(case["microseconds"]),
                 f"{number(least)} ({share(case):.2f}), {what}"]
        for card in CARDS:
            known = times.get(case["name"]) if card.name == "H200" else None
            cells.append(number(computed(case, card)) + (f" ({number(known)})" if known else "") + ", " +
                         bound(case, card)[0])
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def page_with(text, table):
    before, rest = text.split(BEGIN)
    return before + BEGIN + table + END + rest.split(END)[1]


def read_cases(path):
    return json.loads(path.read_text())["cases"]


def slower(old, new):
    """One line for each kernel and card."""
    before = {case["name"]: case for case in old}
    lines = []
    for case in new:
        for card in (MEASURED, *CARDS):
            if case["name"] in before:
                then, now = bound(before[case["name"]], card), bound(case, card)
                if now[1] > THRESHOLD * then[1]:
                    lines.append(f"{case['name']}: bound on {card.name} {number(then[1])} µs, {then[0]}, "
                                 f"before; {number(now[1])}, {now[0]}, now")
    return lines


def check(root):
    """Lines on what is wrong: kernels that the model does not explain, a section that is not what it says."""
    cases = read_cases(root / COUNTERS)
    problems = [f"{case['name']}: its bound is {share(case):.2f} of what it measured, not "
                f"{EXPLAINED[0]} to {EXPLAINED[1]}" for case in cases if not EXPLAINED[0] <= share(case) <= EXPLAINED[1]]
    text = (root / PAGE).read_text(encoding="utf-8")
    if BEGIN not in text or page_with(text, section(cases, recorded_times(root))) != text:
        problems.append(f"{PAGE} is not what scripts/gpu_model.py computes: run it with --write")
    return problems


def gather(ncu, times):
    """Counters and times, in the same order, as the file that is kept."""
    rows = list(csv.reader(line for line in ncu.read_text().splitlines() if not line.startswith("==")))
    head, kernels = rows[0], rows[2:]
    measured = json.loads(times.read_text())
    if len(kernels) != len(measured["cases"]):
        sys.exit(f"{ncu}: {len(kernels)} kernels, but {len(measured['cases'])} cases in {times}")
    for case, row in zip(measured["cases"], kernels):
        case |= {name: float(row[head.index(metric)].replace(",", "")) for name, metric in METRICS.items()}
    return measured


def as_text(measured):
    cases = ",\n".join(json.dumps({k: int(v) if isinstance(v, float) and v == int(v) else v for k, v in case.items()})
                       for case in measured["cases"])
    return f'{{"device": {json.dumps(measured["device"])}, "cases": [\n{cases}\n]}}\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--against", type=pathlib.Path, metavar="OLD")
    parser.add_argument("--gather", type=pathlib.Path, nargs=2, metavar=("NCU", "TIMES"))
    parser.add_argument("--metrics", action="store_true")
    arguments = parser.parse_args()
    if arguments.metrics:
        print(",".join(METRICS.values()))
        return 0
    if arguments.gather:
        (arguments.root / COUNTERS).write_text(as_text(gather(*arguments.gather)))
        return 0
    cases = read_cases(arguments.root / COUNTERS)
    if arguments.against:
        lines = slower(read_cases(arguments.against), cases)
        print("\n".join(lines) or "no kernel needs more on any card")
        return 1 if lines else 0
    table = section(cases, recorded_times(arguments.root))
    if arguments.write:
        path = arguments.root / PAGE
        path.write_text(page_with(path.read_text(encoding="utf-8"), table), encoding="utf-8")
    else:
        print(table, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
