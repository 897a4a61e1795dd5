"""Methods, their facts, and functions of one's own."""

import gc
import weakref

import numpy as np
import pytest
import reference
import texelscope as ts
from conftest import need


def test_all_methods_have_facts_and_can_be_used():
    picture = np.random.default_rng(0).normal(size=(9, 9))
    found = ts.methods()
    assert len(found) > 25 and {"nearest", "bilinear", "bspline", "lanczos3"} <= {m.id for m in found}
    for m in found:
        assert m.name and m.summary and m.taps > 0 and m.radius > 0
        assert m.order >= 0 and bool(m.poles) == m.has_prefilter
        assert np.isfinite(ts.resize(picture, (5, 13), m)).all()
        assert m == ts.method(m.id) and hash(m) == hash(ts.method(m.id))
    assert len(ts.recipes()) > 60


def test_weights_are_the_formulas():
    x = np.linspace(-3.5, 3.5, 141)
    assert np.abs(ts.method("catmull-rom")(x) - reference.keys(x)).max() < 1e-12
    assert ts.method("bilinear")(0.25) == 0.75
    assert np.allclose(ts.method("bspline").poles, [np.sqrt(3) - 2])
    assert [p.id for p in ts.method("bc").parameters] == ["b", "c"]
    bicubic = ts.method("bicubic").with_(a=-0.6)
    assert np.abs(bicubic(x) - reference.keys(x, -0.6)).max() < 1e-12
    assert bicubic.parameters[0].value == -0.6 and ts.method("bicubic", a=-0.6) == bicubic
    frequencies, gains = ts.method("bilinear").spectrum(33)
    assert np.abs(gains - np.sinc(frequencies) ** 2).max() < 1e-9
    cubic = np.sinc(frequencies) ** 4 / (2 / 3 + np.cos(2 * np.pi * frequencies) / 3)
    assert np.abs(ts.method("bspline").gain(frequencies) - cubic).max() < 1e-9
    assert np.abs(ts.method("bspline", prefilter="none").gain(frequencies) - np.sinc(frequencies) ** 4).max() < 1e-9
    assert abs(ts.method("bspline", prefilter="fir7").gain(0.0) - 1) < 1e-12 and ts.method("bspline:prefilter=fir7").gain(0.4) != cubic[0]
    for wrong, words in ((lambda: ts.method("ewa-lanczos").gain(0.1), "no spectrum"), (lambda: ts.method("bspline").with_(a=1), "unknown"),
                         (lambda: ts.method("like:pillow/bicubic").with_(a=1), "its own options"), (lambda: ts.method(3.5), "a name, a text")):
        with pytest.raises(ValueError, match=words):
            wrong()


def test_a_function_is_a_method():
    hamming = ts.method(lambda x: np.sinc(x) * (.54 + .46 * np.cos(np.pi * x)), radius=1)
    assert hamming.radius == 1 and hamming.taps == 2 and hamming.id == "custom"
    assert abs(hamming(0.5) - np.sinc(0.5) * 0.54) < 1e-12
    picture = np.random.default_rng(1).normal(size=(12, 14)).astype(np.float32)
    keys = ts.method(reference.keys, radius=2, name="Keys")
    assert keys.name == "Keys" and keys.interpolating and keys.order == 3
    for options in (dict(antialias=False), dict(antialias=True), dict(address="mirror")):
        ours = ts.resize(picture, (7, 20), keys, **options)
        assert np.abs(ours - ts.resize(picture, (7, 20), "catmull-rom", **options)).max() < 1e-5
    box = ts.method(lambda x: float(-0.5 <= x < 0.5), radius=0.5)
    assert np.array_equal(ts.resize(picture, (24, 28), box, antialias=False), ts.resize(picture, (24, 28), "nearest", antialias=False))
    cubic = ts.method(ts.method("bspline", prefilter="none"), prefilter=True)
    spline = ts.method(lambda x: float(ts.method("bspline")(x)), radius=2)
    assert np.allclose(spline.poles, cubic.poles) or np.allclose(spline.poles, [np.sqrt(3) - 2])
    assert np.abs(ts.resize(picture, (20, 30), spline) - ts.resize(picture, (20, 30), "bspline")).max() < 1e-5


def test_what_is_wrong_with_a_function_is_said():
    with pytest.raises(ZeroDivisionError):
        ts.method(lambda x: 1 / 0, radius=1)
    with pytest.raises(ValueError, match="not a number"):
        ts.method(lambda x: np.nan, radius=1)
    with pytest.raises(ValueError, match="zero everywhere"):
        ts.method(lambda x: 0.0, radius=1)
    with pytest.raises(ValueError, match="radius must be a number from 0.25 to 8"):
        ts.method(lambda x: 1.0, radius=9)
    with pytest.raises(ValueError, match="needs a radius"):
        ts.method(lambda x: 1.0)


def test_texts_and_kernels():
    tent = ts.method("name = Tent\nradius = 1\nparameter p = 1 from 0.5 to 2\nw(x) = pow(1 - abs(x), p)\n")
    assert tent.name == "Tent" and tent.with_(p=2)(0.5) == 0.25
    with pytest.raises(ValueError, match="line 2"):
        ts.method("radius = 1\nw(x) = 1 +\n")
    kernel = ts.method("float4 sample(Source s, double x, double y, Params p) {\n    return s.tap(whole(x), whole(y));\n}\n")
    assert kernel.is_kernel
    picture = np.random.default_rng(1).random((6, 5)).astype(np.float32)
    assert np.array_equal(ts.resize(picture, (6, 5), kernel), picture)
    wrong = ts.method("float4 sample(Source s, double x, double y, Params p) {\n    return nothing;\n}\n")
    with pytest.raises(ValueError, match="line 2, column 12: identifier \"nothing\" is undefined"):
        ts.resize(picture, (2, 2), wrong)
    endless = ts.method("float4 sample(Source s, double x, double y, Params p) {\n    for (;;) x += 1;\n    return s.tap(0, 0);\n}\n")
    with pytest.raises(ValueError, match="its loops take more than 65536 turns"):
        ts.resize(picture, (2, 2), endless)


def test_methods_are_freed():
    watched = weakref.ref(ts.method("lanczos3").with_(address="wrap"))
    gc.collect()
    assert watched() is None


def test_plots():
    need("matplotlib")
    import matplotlib

    matplotlib.use("Agg")
    axes = ts.plot.weights("lanczos3", "bspline")
    assert [line.get_label() for line in axes.lines if not line.get_label().startswith("_")] == ["Lanczos 3", "Cubic B-spline"]
    assert ts.plot.response("bspline", decibels=True).get_ylabel() == "gain, dB"
    wave = np.cos(2 * np.pi * 0.25 * np.arange(64))[None] * np.ones((64, 1))
    power = ts.plot.spectrum(wave).images[0].get_array()
    peaks = np.argwhere(power > -1)[:, 1]
    assert set(peaks) <= {16, 48}
    matplotlib.pyplot.close("all")
