"""PyTorch tensors of the CPU, and arrays by DLPack."""

import numpy as np
import pytest
import texelscope as ts
from conftest import random_array, strided


@pytest.fixture
def torch():
    return pytest.importorskip("torch")  # which is not on the list of packages: it is large


@pytest.mark.filterwarnings("ignore")  # of torch itself
@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("shape", [(10, 12), (45, 70)])
def test_interpolate_by_its_name(torch, mode, antialias, shape):
    picture = torch.rand(2, 3, 20, 30, generator=torch.Generator().manual_seed(1))
    theirs = torch.nn.functional.interpolate(picture, size=shape, mode=mode, antialias=antialias, align_corners=False)
    ours = ts.resize(picture, shape, like=f"torch/{mode}", antialias=antialias, channels="first")
    assert type(ours) is type(picture) and ours.dtype == picture.dtype and ours.shape == theirs.shape
    assert (ours - theirs).abs().max() < 2e-6


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("padding,address", [("border", "clamp"), ("zeros", "border"), ("reflection", "mirror")])
def test_grid_sample(torch, padding, address):
    generator = torch.Generator().manual_seed(2)
    picture, grid = torch.rand(1, 3, 9, 11, generator=generator), torch.rand(1, 8, 7, 2, generator=generator) * 2.2 - 1.1
    theirs = torch.nn.functional.grid_sample(picture, grid, mode="bilinear", padding_mode=padding, align_corners=False)
    points = (grid[0].double() + 1) * torch.tensor([11 / 2, 9 / 2]) - 0.5
    ours = ts.sample(picture[0], points, "bilinear", address=address)
    assert (ours - theirs[0]).abs().max() < 5e-6


def test_tensors_of_any_type_and_strides(torch):
    random = np.random.default_rng(3)
    for dtype in ("uint8", "float16", "float32", "float64", "int16", "int32", "int64", "complex64", "complex128"):
        array = random_array(random, (9, 11, 3), dtype)
        expected = ts.resize(array, (5, 20), "bilinear")
        tensor = torch.as_tensor(array)
        turned = tensor.permute(2, 0, 1)  # a view, channels first
        result = ts.resize(turned, (5, 20), "bilinear")
        assert result.dtype == tensor.dtype and result.shape == (3, 5, 20)
        difference = np.abs(result.permute(1, 2, 0).numpy().astype(np.complex128) - expected.astype(np.complex128)).max()
        assert difference <= 1e-6 * max(1.0, float(np.abs(expected.astype(np.complex128)).max()))
        out = torch.zeros(5, 20, 3, dtype=tensor.dtype)
        assert ts.resize(tensor, (5, 20), "bilinear", out=out) is out and np.array_equal(out.numpy(), expected)
    assert ts.resize(torch.ones(6, 6, dtype=torch.bfloat16), (3, 3)).dtype == torch.bfloat16
    needs = torch.ones(6, 6, requires_grad=True)
    assert not ts.resize(needs, (3, 3)).requires_grad
    assert ts.Image(torch.ones(40, 50)).in_place
    assert ts.resize(torch.ones(6, 6), (3, 3), dtype=torch.uint8).dtype == torch.uint8
    assert ts.resize(torch.ones(6, 6), (3, 3), dtype="float64").dtype == torch.float64


class OnlyDLPack:
    """An array of a library that is not known."""

    __module__ = "numpy"  # whose from_dlpack makes the results

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("seed", range(6))
def test_any_library_by_dlpack(seed):
    random = np.random.default_rng(seed)
    array = strided(random, random_array(random, (9, 12, 3), ["uint8", "float32", "float64", "int32", "complex64", "uint16"][seed]))
    result = ts.resize(OnlyDLPack(array), (4, 20))
    assert np.array_equal(np.asarray(result), ts.resize(array, (4, 20)))
    assert np.array_equal(array, array.copy())


def test_read_only_subclasses_and_other_byte_orders():
    random = np.random.default_rng(0)
    array = random_array(random, (8, 9), "float32")
    expected = ts.resize(array, (4, 4))
    array.flags.writeable = False
    assert np.array_equal(ts.resize(array, (4, 4)), expected)
    assert np.allclose(ts.resize(array.astype(">f4"), (4, 4)), expected)
    assert np.allclose(ts.resize(array.tolist(), (4, 4)), expected, atol=1e-6)
    assert np.allclose(ts.resize(array.astype(np.longdouble), (4, 4)), expected, atol=1e-6)
    flags = random_array(random, (8, 9), "bool")
    assert set(np.unique(ts.resize(flags, (4, 4), "nearest", antialias=False))) <= {0, 1}
