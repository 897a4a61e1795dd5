"""Shared by the tests: the package of this source tree, random arrays, references in float64."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np  # noqa: E402
import pytest  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "cuda: needs a CUDA device and torch or CuPy")


def missing(what):
    """Skips a test for want of a tool; where all is to be tested, that is a failure."""
    if os.environ.get("CI", "").lower() in ("1", "true", "yes"):
        pytest.fail(f"not installed: {what}")
    pytest.skip(f"not installed: {what}")


def need(module):
    """The module, or a skip that names it."""
    try:
        return __import__(module, fromlist=["_"])
    except ImportError:
        missing(module)


@pytest.fixture
def program():
    """The program of the same build, for what the library alone does not do."""
    from texelscope._program import program as found
    import texelscope as ts

    try:
        return found()
    except ts.Unavailable:
        missing("the program texelscope")


def random_array(random, shape, dtype):
    """Numbers over the range of a type; floats around 0."""
    kind = np.dtype(dtype).kind
    if kind == "c":
        return (random.normal(size=shape) + 1j * random.normal(size=shape)).astype(dtype)
    if kind == "f":
        return random.normal(size=shape).astype(dtype)
    if kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    info = np.iinfo(dtype)
    return random.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)


def strided(random, array):
    """The same numbers at random strides: a slice of a larger array with its axes permuted and perhaps reversed."""
    steps = [int(random.choice([-2, -1, 1, 2, 3])) for _ in array.shape]
    order = random.permutation(array.ndim)
    room = np.zeros([array.shape[a] * abs(steps[a]) + int(random.integers(0, 3)) for a in order], array.dtype)
    view = room.transpose(np.argsort(order))
    view = view[tuple(slice(0, n * abs(s), abs(s)) for n, s in zip(array.shape, steps))]
    view = view[tuple(slice(None, None, -1 if s < 0 else 1) for s in steps)]
    view[...] = array
    return view
