"""Medians over batches, and the row that every measurement becomes."""

import math
import statistics
import time
from dataclasses import dataclass

BATCHES = 9
IN_TURN = 256 << 20  # bytes touched before anything is touched again: more than a GPU's L2


@dataclass
class Row:
    work: object      # of works.py
    peer: str         # "cupyx affine_transform order 3"
    median_us: float
    lower_us: float
    upper_us: float
    differs: str      # the mathematical differences to ours
    ours: str         # the case of texelscope bench that does the same work
    ours_us: float = math.nan

    @property
    def ratio(self):
        return self.median_us / self.ours_us


def copies(bytes_of_each):
    """The number of pictures that take turns, so that each has left the cache when it is used again."""
    return max(1, min(8, math.ceil(IN_TURN / bytes_of_each)))


def quartiles(values):
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
    return median, lower, upper


def measured(time_batch, batch_ms):
    """Median and quartiles in µs. time_batch(repeats) gives milliseconds; the first calls warm up."""
    time_batch(8)
    repeats = 1
    while (ms := time_batch(repeats)) < batch_ms / 2 and repeats < 256:
        repeats *= 2
    return quartiles([1000 * time_batch(repeats) / repeats for _ in range(BATCHES)])


def on_host(work, batch_ms=20):
    """work(k), k = 0, 1, 2 …, by the host's clock."""
    count = iter(range(1 << 60))

    def batch(repeats):
        start = time.perf_counter()
        for _ in range(repeats):
            work(next(count))
        return 1000 * (time.perf_counter() - start)

    work(next(count))
    repeats = max(1, math.ceil(batch_ms / max(batch(1), 1e-3)))
    return quartiles([1000 * batch(repeats) / repeats for _ in range(BATCHES)])


def on_cupy(work):
    """work(k) by CUDA events on CuPy's current stream."""
    import cupy

    count = iter(range(1 << 60))

    def batch(repeats):
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        for _ in range(repeats):
            work(next(count))
        end.record()
        end.synchronize()
        return cupy.cuda.get_elapsed_time(start, end)

    return measured(batch, 4)


def on_torch(work):
    """work(k) by CUDA events on torch's current stream."""
    import torch

    count = iter(range(1 << 60))

    def batch(repeats):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(repeats):
            work(next(count))
        end.record()
        end.synchronize()
        return start.elapsed_time(end)

    return measured(batch, 4)
