"""What is refused, and what is computed aside: types that results cannot have, overlapping memory, wrong words and pairs."""

import copy
import pickle
import sys
import types

import numpy as np
import pytest
import texelscope as ts


@pytest.fixture
def picture():
    return np.random.default_rng(1).random((30, 40), np.float32)


@pytest.mark.parametrize("call", [lambda a, **kw: ts.resize(a, (5, 6), **kw), lambda a, **kw: ts.sample(a, np.ones((4, 2)), **kw),
                                  lambda a, **kw: ts.prefilter(a, **kw), lambda a, **kw: ts.rotate(a, 5, precision="double", **kw)])
def test_results_have_a_type_that_holds_them(picture, call):
    for array, dtype in ((picture, "complex64"), (picture + 1j, "float32"), (picture, bool), (picture, np.longdouble), (picture, "U5"),
                         (picture.astype(float), "complex128"), (picture.astype(complex), "float64"), (picture, "no type")):
        with pytest.raises(ValueError, match="results"):
            call(array, dtype=dtype)
        if dtype in ("U5", "no type"):
            continue
        before = np.zeros(call(array).shape, dtype)
        with pytest.raises(ValueError, match="out"):
            call(array, out=before)
        assert not before.any()


def test_out_is_an_array_that_can_be_written(picture):
    for out in ([[0.0] * 6] * 5, np.zeros((5, 6), ">f4"), np.broadcast_to(np.float32(0), (5, 6)), np.zeros((6, 5), np.float32)):
        with pytest.raises(ValueError, match="out"):
            ts.resize(picture, (5, 6), out=out)
    with pytest.raises(ValueError, match="out has 1 arrays"):
        ts.resize([picture, picture], (5, 6), out=[np.zeros((5, 6), np.float32)])


@pytest.mark.parametrize("call", [lambda a, out: ts.affine(a, [[1, 0, 0.5], [0, 1, 0.5]], out=out), lambda a, out: ts.prefilter(a, out=out),
                                  lambda a, out: ts.Image(a).render(rotate=10, out=out), lambda a, out: ts.rotate(a, 7, out=out),
                                  lambda a, out: ts.rotate(a, 7, precision="double", out=out)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8])
def test_out_may_overlap_the_array(call, dtype):
    numbers = np.random.default_rng(2).integers(0, 255, (30, 90)).astype(dtype)
    expected = call(numbers[:, :60].copy(), np.zeros((30, 60), dtype))
    result = call(numbers[:, :60], numbers[:, 20:80])
    assert np.shares_memory(result, numbers) and np.array_equal(result, expected)


def test_double_counts_what_lies_outside_once(picture):
    wide = picture.astype(float) + 1e-9
    aside = [[1, 0, 100], [0, 1, 0]]
    assert np.all(ts.affine(wide, aside, precision="double", outside=5.0) == 5)
    assert np.allclose(ts.affine(wide, aside, "bilinear", precision="double", address="border", border=0.5), 0.5, atol=1e-12)
    assert np.allclose(ts.resize(wide, (30, 40), "bilinear", precision="double"), wide, rtol=0, atol=1e-13)
    assert np.allclose(ts.resize(wide.tolist(), (30, 40), "bilinear", precision="double"), wide, rtol=0, atol=1e-13)


def test_double_rounds_as_single_does():
    numbers = np.array([[0.0, 0.49, 0.5, 1.5, 2.5, 254.5, 254.9, 300, -3, np.nan]])
    expected = np.array([[0, 0, 1, 2, 3, 255, 255, 255, 0, 0]], np.uint8)
    for precision in ("single", "double"):
        out = np.ones((1, 10), np.uint8)
        assert ts.resize(numbers, (1, 10), "bilinear", precision=precision, out=out) is out
        assert np.array_equal(ts.resize(numbers, (1, 10), "bilinear", precision=precision, dtype=np.uint8), expected)
        assert np.array_equal(out, expected)
    most = np.full((3, 4), 2 ** 64 - 1, np.uint64)
    assert np.all(most - ts.resize(most, (3, 4), "bilinear", precision="double") < 1 << 20)  # clamped, not wrapped
    assert np.all(ts.resize(np.full((3, 4), -1e30), (3, 4), "bilinear", precision="double", dtype=np.int64) == -2 ** 63)
    unit = ts.resize(np.full((2, 2), 0.5), (2, 2), "bilinear", precision="double", values="unit", dtype="uint8")
    assert np.array_equal(unit, ts.resize(np.full((2, 2), 0.5), (2, 2), "bilinear", values="unit", dtype="uint8")) and unit[0, 0] == 128


def test_double_of_straight_alpha_is_not_a_sum():
    colours = np.random.default_rng(3).random((8, 8, 4))
    single = ts.resize(colours, (5, 5), alpha="straight")
    assert np.allclose(ts.resize(colours, (5, 5), alpha="straight", precision="double"), single, atol=1e-5)


@pytest.mark.parametrize("wrong", [
    lambda a: ts.resize(a, (5, 6), like=3), lambda a: ts.resize(a, (5, 6), "lanczos3", like="pillow/bicubic"),
    lambda a: ts.resize(a, (5, 6), like="pillow/bicubic", align="corners"), lambda a: ts.resize(a, (5, 6), edges="normalise", address="wrap"),
    lambda a: ts.resize(a, (5, 6), like="pillow/bicubic", precision="double"), lambda a: ts.resize(a, (5, 6), address=("wrap",)),
    lambda a: ts.sample(a, [[1, 2]], outside=None), lambda a: ts.sample(a, np.ones((3, 2), complex)), lambda a: ts.rotate(a, 5, shape=3),
    lambda a: ts.rotate(a[0], 5), lambda a: ts.affine(a, np.full((3, 3), np.nan)), lambda a: ts.Image(a).render(translate=3),
    lambda a: ts.Image(a).render(warp="swirl"), lambda a: ts.resize(np.ma.masked_array(a, a > 0.5), (5, 6))])
def test_wrong_arguments_are_value_errors(picture, wrong):
    with pytest.raises(ValueError):
        wrong(picture)


def test_no_points_have_no_values(picture):
    colours = np.zeros((2, 5, 6, 3), np.uint8)
    assert ts.sample(picture, np.empty((0, 2))).shape == (0,)
    found = ts.sample(colours, np.empty((4, 0, 2)), channels="last")
    assert found.shape == (2, 4, 0, 3) and found.dtype == np.float32
    assert ts.warp(colours, np.empty((0, 7, 2)), channels="last").dtype == np.uint8
    out = np.empty((0,), np.float64)
    assert ts.sample(picture, np.empty((0, 2)), out=out) is out


def test_tiles_of_any_strides():
    whole = np.random.default_rng(4).integers(0, 256, (700, 600, 3), dtype=np.uint8)
    expected = ts.resize(whole, (350, 290), dtype="float32")
    for array in (whole, whole[::-1, ::-1].copy()[::-1, ::-1], np.asfortranarray(whole)):
        tiled = ts.TiledImage(lambda y, x, h, w, of=array: of[y:y + h, x:x + w], whole.shape)
        assert np.allclose(tiled.resize((350, 290)), expected, atol=1e-3)
    flat = ts.TiledImage(lambda y, x, h, w: np.broadcast_to(np.uint8(5), (h, w)), (600, 700))
    assert np.allclose(flat.resize((50, 60)), 5, atol=1e-4)


def test_callbacks_cannot_use_the_backend_that_calls_them():
    image = ts.Image(np.zeros((900, 900), np.float32))
    tiled = ts.TiledImage(lambda y, x, h, w: image.render(shape=(h, w)), (900, 900), "float32", tile=64)
    with pytest.raises(ValueError, match="a callback cannot use the backend"):
        tiled.resize((300, 300))
    zeros = ts.TiledImage(lambda y, x, h, w: ts.resize(np.zeros((9, 9), np.float32), (h, w)), (900, 900), "float32")  # their own
    assert not zeros.resize((300, 300)).any()
    with pytest.raises(ValueError, match="a callback cannot use the backend"):
        zeros.resize((300, 300), take=lambda rows, first: image.render())
    assert image.render(shape=(3, 3)).shape == (3, 3)


def test_methods_are_copied_and_pickled_but_images_are_not(picture):
    method = ts.method("bicubic", a=-0.6, address="wrap")
    assert pickle.loads(pickle.dumps(method)) == copy.deepcopy(method) == copy.copy(method) == method
    tent = ts.method(lambda x: 1 - abs(x), radius=1)
    assert copy.copy(tent) is tent
    for refused in (lambda: pickle.dumps(tent), lambda: copy.copy(ts.Image(picture)), lambda: copy.deepcopy(ts.Backend("cpu"))):
        with pytest.raises(TypeError):
            refused()


def test_tensors_of_derived_classes_are_tensors(picture, monkeypatch):
    """As MONAI's and torchvision's, here of a module that stands for torch."""
    class Tensor:
        pass

    class Derived(Tensor):
        def as_subclass(self, kind):
            return kind()

    seen = []
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(Tensor=Tensor))
    monkeypatch.setattr(ts._arrays, "_torch", seen.append)
    for tensor in (Tensor(), Derived()):
        ts._arrays.memory_of(tensor)
    assert [type(each) for each in seen] == [Tensor, Tensor]


def test_one_method_is_compared(picture):
    by_one, by_255 = ts.compare(picture, "bspline"), ts.compare(picture * 255, "bspline", peak=255)
    assert [row["method"] for row in by_one] == ["bspline"]
    assert abs(by_one["psnr"][0] - by_255["psnr"][0]) < 1e-3
    with pytest.raises(ValueError, match="batches"):
        ts.compare(np.stack([picture] * 5)[..., None])
