"""Calls that earlier ones of the same shapes and options have prepared."""

import threading

import numpy as np
import pytest
import texelscope as ts
from conftest import random_array, strided
from texelscope import _backends


def fresh(function):
    """What it returns in a thread where nothing is prepared."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    thread.join()
    return results[0]


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float16", "float32", "float64", "int32", "complex64"])
@pytest.mark.parametrize("seed", range(4))
def test_prepared_calls_give_the_same_pictures(dtype, seed):
    random = np.random.default_rng(seed)
    height, width = (int(n) for n in random.integers(5, 30, 2))
    options = [dict(method="nearest", antialias=False), dict(method="lanczos3", address="mirror"), dict(like="pillow/bicubic"),
               dict(method="bspline", values="unit"), dict(edges="normalise"), dict(align="corners"), dict(dtype=None)][seed % 7]
    if dtype == "complex64":
        options.pop("like", None)
    given = []
    for _ in range(3):  # other arrays of the same shape, of any layout
        array = random_array(random, (height, width, 3), dtype)
        given += [array, strided(random, array), array[:, ::-1], array]
        given[-1].flags.writeable = False
    for array in given:
        for _ in range(2):
            ours = ts.resize(array, (7, 11), **options)
            expected = fresh(lambda: ts.resize(array, (7, 11), **options))
            assert ours.dtype == expected.dtype and np.array_equal(ours, expected, equal_nan=ours.dtype.kind in "fc")


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64", "complex64"])
def test_prepared_calls_write_to_any_array(dtype):
    random = np.random.default_rng(5)
    array, other = random_array(random, (9, 12, 3), dtype), random_array(random, (9, 12, 3), dtype)
    expected, of_other = (fresh(lambda: ts.resize(each, (9, 12), "lanczos3", align="corners")) for each in (array, other))
    for _ in range(2):
        for given, right in ((array, expected), (other, of_other)):
            for out in (np.zeros((9, 12, 3), dtype), strided(random, np.zeros((9, 12, 3), dtype))):
                assert ts.resize(given, (9, 12), "lanczos3", align="corners", out=out) is out
                assert np.array_equal(out, right)
        itself = array.copy()
        ts.resize(itself, (9, 12), "lanczos3", align="corners", out=itself)
        assert np.array_equal(itself, expected)
        fixed = np.zeros((9, 12, 3), dtype)
        fixed.flags.writeable = False
        for wrong in (fixed, np.zeros((9, 13, 3), dtype), np.zeros((9, 12, 3), dtype=">i4")):
            with pytest.raises(ValueError):
                ts.resize(array, (9, 12), "lanczos3", align="corners", out=wrong)


def test_types_and_options_are_told_apart():
    array = np.random.default_rng(0).integers(0, 200, (8, 8)).astype(np.uint8)
    assert ts.resize(array, (4, 4)).dtype == np.uint8
    for kind in ("int8", ">i4", "bool", "float32", ">f4"):
        again = array.astype(kind)
        for _ in range(2):
            assert np.array_equal(ts.resize(again, (4, 4)), fresh(lambda: ts.resize(again, (4, 4))))
    for options in (dict(antialias=False), dict(antialias=True), dict(method="bicubic"), dict(method=ts.method("bicubic", a=-1.0)),
                    dict(border=[3.0], address="border"), dict(shape=[4, 5]), dict(dtype="float32")):
        for _ in range(2):
            call = {"shape": (4, 4), **options}
            assert np.array_equal(ts.resize(array, **call), fresh(lambda: ts.resize(array, **call)))
    results = [ts.resize(array, (4, 4)) for _ in range(3)]
    assert results[0] is not results[1] and not np.shares_memory(results[0], results[1])


def test_failures_leave_nothing_prepared():
    array = np.zeros((8, 8), np.float32)
    for _ in range(2):
        with pytest.raises(ValueError):
            ts.resize(array, (0, 4))
        with pytest.raises(ValueError):
            ts.resize(array, (4, 4), "no such method")
    assert ts.resize(array, (4, 4)).shape == (4, 4)


def test_as_many_calls_are_kept_as_are_of_use():
    array = np.zeros((4, 4), np.float32)
    for n in range(400):
        ts.resize(array, (1 + n // 20, 1 + n % 20))
    assert len(_backends.plans_of_thread()) <= 256


def test_torch_tensors_are_told_apart():
    torch = pytest.importorskip("torch")
    tensor = torch.rand(6, 9)
    for given in (tensor, tensor.double(), tensor.T, tensor[:, ::2], torch.complex(tensor, tensor),
                  torch.complex(tensor, tensor).conj(), torch.complex(tensor, tensor).conj().imag, tensor.bfloat16(),
                  tensor.clone().requires_grad_()):
        for _ in range(2):
            ours = ts.resize(given, (4, 5))
            assert ours.dtype == given.dtype
            plain = given.detach().resolve_conj().resolve_neg()
            expected = ts.resize((plain.float() if given.dtype == torch.bfloat16 else plain).numpy(), (4, 5))
            assert np.allclose(ours.to(torch.complex64 if expected.dtype.kind == "c" else torch.float64).numpy(), expected, atol=1e-2
                               if given.dtype == torch.bfloat16 else 1e-6)


def test_lists_of_any_sizes():
    random = np.random.default_rng(0)
    arrays = [random_array(random, (8 + k % 2, 9, 3), "uint8") for k in range(5)]
    for ours, array in zip(ts.resize(arrays, (4, 4)), arrays):
        assert np.array_equal(ours, ts.resize(array, (4, 4)))
    outs = [np.empty((4, 4, 3), np.uint8) for _ in arrays]
    assert all(a is b for a, b in zip(ts.resize(arrays, (4, 4), out=outs), outs))
