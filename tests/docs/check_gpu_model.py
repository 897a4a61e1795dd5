#!/usr/bin/env python3
"""Checks what docs/performance-results.md says of cards that were not measured against what scripts/gpu_model.py computes.

    check_gpu_model.py ROOT          status 1 and one line for each kernel that the model does not explain, or a stale table
    check_gpu_model.py --self-test   plants faults in a scratch tree, and checks the arithmetic by hand
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/structure"), str(ROOT / "scripts")]
import gpu_model as model
from checking import Planted, main

# 3083.84 MB at 92 % of 3352 GB/s: 1000 µs on the H100, where it measured 1250.
BY_MEMORY = {"name": "render/a", "pixels": 1000000, "bytes": 3083840000, "microseconds": 1250, "dram_bytes": 3e9,
             "instructions": 1000, "fp32": 500, "integer": 500, "fp64": 0, "wavefronts": 100, "texture": 0}
# 16.632 million FP64 instructions of threads: at 64 lanes of 132 multiprocessors and 1.98 GHz 0.994 µs, at 2 of 14 and
# 1.665 GHz 357 µs.
BY_FP64 = BY_MEMORY | {"name": "render/b", "bytes": 1000, "microseconds": 1.5, "fp64": 16632000 / 32}


def arithmetic():
    """What is wrong with it, one line each."""
    gtx = next(card for card in model.CARDS if card.name == "GTX 1650")
    expected = [("memory bound", model.bound(BY_MEMORY, model.MEASURED), ("memory", 1000)),
                ("memory of a GTX 1650", model.bound(BY_MEMORY, gtx), ("memory", 1000 * 3352 / 128)),
                ("FP64 of a GTX 1650", model.bound(BY_FP64, gtx), ("FP64", 16632000 / (2 * 14 * 1665)))]
    wrong = [f"{what}: {got}, not {want}" for what, got, want in expected
             if got[0] != want[0] or abs(got[1] / want[1] - 1) > 1e-9]
    if abs(model.computed(BY_MEMORY, gtx) / (1250 * 3352 / 128) - 1) > 1e-9:
        wrong.append("computed time")
    # What an H100 does not feel, as it waits for memory, but a GTX 1650 does.
    more = BY_MEMORY | {"fp64": 45000000}
    felt = model.slower([BY_MEMORY], [more])
    if not felt or any("H100" in line or "H200" in line for line in felt) or not any("GTX" in line for line in felt):
        wrong.append(f"a regression of small cards alone: {felt}")
    if model.slower([BY_MEMORY], [BY_MEMORY | {"bytes": 1.09 * BY_MEMORY["bytes"]}]):
        wrong.append("less than the threshold was reported")
    return wrong


def tree(cases=(BY_MEMORY, BY_FP64), page=None):
    table = model.section([BY_MEMORY, BY_FP64], {})
    return {model.COUNTERS: json.dumps({"cases": list(cases)}),
            "bench/results/nvidia-h200.json": json.dumps({"results": []}),
            model.PAGE: page or f"# P\n\n{model.BEGIN}{table}{model.END}\nMore.\n"}


PLANTED = [
    Planted("a page without the table", tree(page="# P\n")),
    Planted("a stale table", tree(page=f"# P\n\n{model.BEGIN}| old |\n{model.END}")),
    Planted("counters that were renewed alone", tree(cases=(BY_MEMORY | {"instructions": 5e9}, BY_FP64))),
    Planted("a kernel that takes far longer than anything it does",
            tree(cases=(BY_MEMORY | {"microseconds": 5000}, BY_FP64))),
    Planted("a kernel that is faster than its bound", tree(cases=(BY_MEMORY | {"microseconds": 900}, BY_FP64))),
]

if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"] and arithmetic():
        sys.exit("\n".join(arithmetic()))
    main(__doc__, model.check, "the model explains all kernels, and the table is as computed", tree(), PLANTED)
