"""ts.Image: views, memory that is read in place, tiled images, figures."""

import gc

import numpy as np
import pytest
import reference
import texelscope as ts
from conftest import need, random_array, strided


def test_views_are_the_documented_formula():
    random = np.random.default_rng(0)
    picture = random.normal(size=(14, 18))
    image = ts.Image(picture)
    result = image.render("catmull-rom", shape=(9, 11), scale=0.7, rotate=33, translate=(1.5, -2.25), address="mirror")
    i, j = np.meshgrid(np.arange(11), np.arange(9))
    angle = np.radians(33)
    dx, dy = i - 5, j - 4
    x = 8.5 + 1.5 + 0.7 * (np.cos(angle) * dx - np.sin(angle) * dy)
    y = 6.5 - 2.25 + 0.7 * (np.sin(angle) * dx + np.cos(angle) * dy)
    expected = reference.at_points(picture, np.stack([x, y], -1).reshape(-1, 2), "catmull-rom", "mirror").reshape(9, 11)
    assert np.abs(result - expected).max() < 1e-5
    assert np.abs(image.render("catmull-rom", shape=(9, 11), scale=0.7, rotate=33, translate=(1.5, -2.25), address="mirror",
                               precision="double") - expected).max() < 1e-6  # of samples in float32
    other = np.zeros((9, 11), np.float32)
    assert image.render(scale=0.5, rotate=10, out=other, shape=(9, 11)) is other and other.any()
    assert image.render(warp=("swirl", 90)).shape == picture.shape
    for wrong in (dict(scale=0), dict(scale=-1), dict(warp=("twist", 1)), dict(matrix=np.eye(4)), dict(outside="nothing")):
        with pytest.raises(ValueError):
            image.render(**wrong)


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float16", "float32"])
def test_packed_samples_are_read_in_place(dtype):
    random = np.random.default_rng(1)
    for shape, channels in (((40, 50), None), ((40, 50, 3), None), ((40, 50, 2), None), ((3, 40, 50), None), ((5, 40, 50), "none")):
        assert ts.Image(random_array(random, shape, dtype), channels=channels).in_place
    wide = random_array(random, (40, 80, 4), dtype)
    assert ts.Image(wide[::2, 3:40]).in_place
    assert not ts.Image(wide[:, ::-1]).in_place and not ts.Image(wide, copy=True).in_place
    assert not ts.Image(random_array(random, (40, 50), "int32")).in_place


def test_no_copy_of_the_samples_is_made():
    backend = ts.Backend("cpu")
    picture = np.zeros((1000, 1200), np.float32)
    out = np.zeros((100, 120), np.float32)
    image = ts.Image(picture, backend=backend)
    image.resize((100, 120), "bilinear", out=out)
    assert backend.most_memory_taken < picture.nbytes // 4
    image.prefilter("bspline")
    assert backend.most_memory_taken >= picture.nbytes
    taken = backend.memory_taken
    image.render("bspline", shape=(10, 10))
    assert backend.memory_taken <= taken + 4096  # the coefficients are kept
    del image
    gc.collect()
    assert backend.memory_taken < picture.nbytes // 4


def test_kept_coefficients_are_those_of_each_address_mode():
    picture = np.random.default_rng(2).normal(size=(20, 20))
    image = ts.Image(picture)
    for mode in ("clamp", "mirror", "wrap", "clamp"):
        assert np.array_equal(image.render("bspline", scale=0.3, address=mode), ts.Image(picture).render("bspline", scale=0.3, address=mode))
    values = image.sample(np.stack(np.meshgrid(np.arange(20.0), np.arange(20.0)), -1), "bspline")
    assert np.abs(values - picture).max() < 2e-6 * 4


def test_figures():
    random = np.random.default_rng(3)
    a = random.integers(0, 256, (30, 40, 3), dtype=np.uint8)
    b = np.clip(a.astype(int) + random.integers(-9, 10, a.shape), 0, 255).astype(np.uint8)
    found = ts.measure(strided(random, a), b)
    error = a.astype(float) - b
    assert abs(found.rmse - np.sqrt((error**2).mean())) < 1e-9 and found.max_abs == np.abs(error).max()
    assert abs(found.psnr - 20 * np.log10(255 / found.rmse)) < 1e-9 and found.pixels == 1200
    skimage = need("skimage.metrics")
    theirs = skimage.structural_similarity(a, b, gaussian_weights=True, sigma=1.5, use_sample_covariance=False, channel_axis=-1)
    assert abs(found.ssim - theirs) < 1e-6
    assert abs(error[found.worst].__abs__().max() - found.max_abs) == 0
    b = b.astype(np.float64)
    b[0, 0, 0] = np.nan
    assert ts.measure(a.astype(np.float64), b, peak=255).left_out == 1
    with pytest.raises(ValueError, match="same size"):
        ts.measure(a, a[:-1])


@pytest.mark.parametrize("dtype,channels", [("uint8", 3), ("float32", 1), ("uint16", 4)])
def test_an_image_read_by_regions_is_the_same_picture(dtype, channels):
    random = np.random.default_rng(4)
    shape = (700, 900) if channels == 1 else (700, 900, channels)
    picture = random_array(random, shape, dtype)
    read = []

    def region(y, x, h, w):
        read.append(h * w)
        return picture[y:y + h, x:x + w]

    tiled = ts.TiledImage(region, shape, dtype, tile=128, memory=64 << 20)
    whole = ts.resize(picture, (233, 300), "lanczos3", dtype="float32")
    assert np.abs(tiled.resize((233, 300), "lanczos3") - whole).max() <= 3e-6 * float(np.abs(whole).max())
    bands = []
    tiled.resize((233, 300), "lanczos3", take=lambda rows, first: bands.append((first, rows.copy())))
    assert np.array_equal(np.concatenate([rows for _, rows in bands]), tiled.resize((233, 300), "lanczos3")) and read
    view = tiled.render((50, 60), "bspline", scale=0.5, rotate=20, translate=(100, 30))
    expected = ts.Image(picture).render("bspline", shape=(50, 60), scale=0.5, rotate=20, translate=(100, 30), dtype="float32")
    assert np.abs(view - expected).max() <= 1e-5 * float(np.abs(whole).max())


@pytest.mark.filterwarnings("ignore")  # of ipywidgets itself
def test_sliders_of_a_notebook_change_the_picture():
    need("ipywidgets")
    widget = ts.explore(np.random.default_rng(5).random((40, 50, 3)), size=(48, 64))
    picture, controls = widget.children
    seen = {bytes(picture.value)}
    for number, value in ((2, -1.0), (1, "wrap"), (0, "nearest"), (3, 30.0), (4, 3.25), (5, -2.0)):  # zoomed out, edges are seen
        controls.children[number].value = value
        seen.add(bytes(picture.value))
    assert len(seen) == 7 and all(png.startswith(b"\x89PNG") for png in seen)
    size = need("PIL.Image").open(__import__("io").BytesIO(picture.value)).size
    assert size == (64, 48)


def test_errors_of_a_reader_are_raised():
    def region(y, x, h, w):
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        ts.TiledImage(region, (64, 64)).resize((8, 8))
    with pytest.raises(RuntimeError, match="enough"):
        ts.TiledImage(lambda y, x, h, w: np.zeros((h, w), np.uint8), (64, 64)).resize((8, 8), take=lambda rows, first: stop())


def stop():
    raise RuntimeError("enough")
