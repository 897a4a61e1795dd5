#!/usr/bin/env python3
"""Runs `texelscope render` on random images, views, methods, address modes and prefilters, and compares each picture
with a float64 evaluation in NumPy and, if SciPy has the same, with scipy.ndimage.map_coordinates. Then
`texelscope sample` on one-dimensional signals at random points, values and first derivatives, and `render --affine`.

    check_against_scipy.py PROGRAM [--cases N] [--seed S]

Exit status: 0 all agree, 1 a picture differs, 77 NumPy or SciPy is missing (CTest: SKIP_RETURN_CODE 77)."""

import shlex
import sys
import tempfile
from pathlib import Path

import harness
import numpy as np
import numpy_reference as reference
from scipy import ndimage

# docs/fidelity.md: exact paths against float64, images in [0, 1].
TOLERANCE = 2e-6
# That holds for coefficients up to 56 times the samples, the exact quintic's. Its FIR of three taps has a gain of 762.
USUAL_GAIN = 56.3
# SciPy pads clamp and border by 12 samples only and is itself off by |z|^12 = 1.4e-7, times the gain 3 of an axis.
SCIPY_PADDING_ERROR = 5e-7
# Nearest jumps at ties: pixels this close to one are not compared.
TIE = 1e-6
# Slopes come from a table that is linear between 2048 nodes per sample.
DERIVATIVE_TOLERANCE = 1e-5

MODES = ["clamp", "border", "wrap", "mirror", "reflect101"]
SCIPY_MODES = {"clamp": "nearest", "border": "grid-constant", "wrap": "grid-wrap", "mirror": "reflect",
               "reflect101": "mirror"}
SCIPY_ORDER = {"nearest": 0, "bilinear": 1, "quadratic": 2, "bspline": 3, "quartic": 4, "quintic": 5}
PREFILTERS = ["none", "iir"] + [f"fir{n}" for n in range(3, 32, 2)]
CHECKED_PIXELS = 150
MARGIN = 50  # samples around the positions, where SciPy's own extension has died away


def random_case(rng):
    """Everything that one run of the program depends on."""
    small = rng.integers(1, 4) if rng.random() < 0.3 else None
    width = int(small or rng.integers(1, 60))
    height = int(rng.integers(1, 4) if rng.random() < 0.2 else rng.integers(1, 60))
    shape = (height, width) if rng.random() < 0.3 else (height, width, int(rng.integers(1, 5)))
    dtype = rng.choice(["uint8", "uint16", "float32", "float64"])
    stored = rng.random(shape)
    if dtype.startswith("uint"):
        stored = (stored * np.iinfo(dtype).max).round()
    far = 10 ** rng.uniform(0, 4) if rng.random() < 0.3 else max(width, height)
    case = {
        "stored": stored.astype(dtype),
        "method": str(rng.choice(list(reference.WEIGHTS))),
        "address": [str(rng.choice(MODES)), str(rng.choice(MODES))],
        "prefilter": str(rng.choice(["iir", rng.choice(PREFILTERS)])),
        "path": str(rng.choice(["auto", "global", "lookup"])),
        "translate": [float(t) for t in rng.uniform(-far, far, 2)] if rng.random() < 0.8 else [0.0, 0.0],
        "scale": float(10 ** rng.uniform(-2, 1.7)) if rng.random() < 0.9 else 1.0,
        "rotate": float(rng.choice([0, 90 * rng.integers(-4, 5), rng.uniform(-720, 720)])),
        "size": [int(s) for s in rng.integers(1, 60, 2)] if rng.random() < 0.9 else [width, height],
    }
    if rng.random() < 0.3:  # the pairs that SciPy supports itself
        case["address"][1] = case["address"][0]
    channels = 1 if len(shape) == 2 else shape[2]
    case["border"] = [0.0]
    if "border" in case["address"] and rng.random() < 0.7:
        case["border"] = [float(v) for v in rng.uniform(-1, 2, channels if rng.random() < 0.7 else 1).astype(np.float32)]
    return case


def range_of(case):
    """Of samples in [0, 1] and the border value: errors grow with it."""
    return max(1.0, *case["border"]) - min(0.0, *case["border"])


def border_option(case):
    return ["--border", ":".join(map(repr, case["border"]))] if any(case["border"]) else []


def render(program, case, folder):
    """The program's picture, H×W×C, and the command that made it."""
    source, out = folder / "in.npy", folder / "out.npy"
    np.save(source, case["stored"])
    out.unlink(missing_ok=True)
    command = [program, "render", str(source), "-o", str(out),
               "--translate", "{!r},{!r}".format(*case["translate"]), "--scale", repr(case["scale"]),
               "--rotate", repr(case["rotate"]), "--size", "{}x{}".format(*case["size"]),
               "--address", ",".join(case["address"]), "--prefilter", case["prefilter"],
               "--method", case["method"], "--path", case["path"], "--backend", "cpu"] + border_option(case)
    harness.run(command)
    picture = np.load(out)
    expected = (case["size"][1], case["size"][0], *case["stored"].shape[2:])  # it has the input's dimensions
    if picture.dtype != np.float32 or picture.shape != expected:
        raise AssertionError(f"wrote {picture.dtype} {picture.shape}, not float32 {expected}\n    {shlex.join(command)}")
    return picture.reshape(*expected[:2], -1), shlex.join(command)


def knows(address, method, shape):
    """Whether SciPy itself extends all axes this way. Its reflect is inexact for axes of less than 10 samples (1.5e-4
    for 3), because it starts its recursion with a truncated sum; it pads clamp and border by 12 samples, which is not
    enough for the slower poles of the quartic and the quintic B-spline (4e-5), nor are 10 samples of reflect."""
    slow = method in ("quartic", "quintic")
    if len(set(address)) > 1 or (slow and address[0] in ("clamp", "border")):
        return False
    return address[0] != "mirror" or min(shape) >= (40 if slow else 10)


def scipy_picture(image, x, y, case):
    """The result of map_coordinates; None if it has no such method, or would need too much memory."""
    method, address, prefilter = case["method"], case["address"], case["prefilter"]
    if method not in SCIPY_ORDER:
        return None
    fir = method in reference.POLES and prefilter.startswith("fir")
    if knows(address, method, image.shape[:2]) and not fir:
        mode = SCIPY_MODES[address[0]]
    else:  # lay out as much of the extended image as the positions need, and MARGIN more
        indices = [np.arange(int(np.floor(p.min())) - MARGIN, int(np.ceil(p.max())) + MARGIN + 1) for p in (y, x)]
        if len(indices[0]) * len(indices[1]) * image.shape[2] > 4e6:
            return None
        (rows, stored_rows), (columns, stored_columns) = (
            reference.extended(m, index, n) for m, index, n in zip(address[::-1], indices, image.shape))
        image = np.where((stored_rows[:, None] & stored_columns)[..., None], image[np.ix_(rows, columns)], case["border"])
        x, y, mode = x - indices[1][0], y - indices[0][0], "nearest"
        if fir:
            for axis in (0, 1):
                image = ndimage.correlate1d(image, reference.prefilter_taps(prefilter, method), axis)
    coordinates = np.array([y, x], dtype=float)
    cval = np.broadcast_to(case["border"], image.shape[2])
    return np.stack([ndimage.map_coordinates(image[..., c], coordinates, order=SCIPY_ORDER[method], mode=mode,
                                             cval=cval[c], prefilter=prefilter == "iir")
                     for c in range(image.shape[2])], axis=-1)


def check(program, rng, folder, counts):
    case = random_case(rng)
    picture, command = render(program, case, folder)
    stored = case["stored"]
    image = stored.astype(np.float64)
    if stored.dtype.kind == "u":
        image /= np.iinfo(stored.dtype).max
    image = image.reshape(*stored.shape[:2], -1)
    x, y = (p.ravel() for p in reference.positions(image.shape[1], image.shape[0], *case["size"], case["translate"],
                                                   case["scale"], case["rotate"]))
    compared = np.arange(len(x))
    if case["method"] == "nearest":
        from_tie = np.minimum(*(np.abs(p - 0.5 - np.round(p - 0.5)) for p in (x, y)))
        compared = compared[from_tie > TIE]
    compared = rng.permutation(compared)[:CHECKED_PIXELS]
    if len(compared) == 0:
        return
    got = picture.reshape(-1, image.shape[2])[compared].astype(float)
    x, y = x[compared], y[compared]
    gain = np.abs(reference.prefilter_taps(case["prefilter"], case["method"])).sum() ** 2
    allowed = TOLERANCE * max(1.0, gain / USUAL_GAIN)
    allowed *= range_of(case)
    others = {"NumPy": (reference.interpolate(image, x, y, case["method"], case["address"], case["prefilter"],
                                              case["border"]), allowed),
              "SciPy": (scipy_picture(image, x, y, case), allowed + SCIPY_PADDING_ERROR * range_of(case))}
    for name, (expected, tolerance) in others.items():
        if expected is None:
            continue
        counts[name] += 1
        error = np.abs(got - expected)
        error[np.isnan(error)] = np.inf
        if error.max() > tolerance:
            n, c = np.unravel_index(error.argmax(), error.shape)
            pixel = divmod(int(compared[n]), case["size"][0])[::-1]
            kept = Path(tempfile.mkdtemp(prefix="texelscope-differs-")) / "in.npy"
            np.save(kept, stored)
            raise AssertionError(
                f"pixel {pixel} channel {c}, position ({float(x[n])!r}, {float(y[n])!r}): {got[n, c]:.9g}, "
                f"{name} has {expected[n, c]:.9g}: off by {error[n, c]:.3g}, at most {tolerance:.3g}\n    {command}\n    input: {kept}")


def signal_case(rng):
    """A signal, where to read it, and how."""
    complex_values, count = rng.random() < 0.3, int(rng.integers(1, 80))
    stored = rng.random(count).astype(np.float32)
    if complex_values:
        stored = (stored + 1j * rng.random(count)).astype(np.complex64)
    method = str(rng.choice(list(SCIPY_ORDER)))
    derivative = method in ("quadratic", "bspline", "quartic", "quintic") and rng.random() < 0.4
    address = str(rng.choice(MODES))
    border = float(np.float32(rng.uniform(-1, 2))) if address == "border" and rng.random() < 0.7 else 0.0
    return {"stored": stored, "method": method, "address": address, "border": [border], "derivative": derivative,
            "prefilter": "none" if rng.random() < 0.2 else "iir", "path": str(rng.choice(["auto", "global", "lookup"])),
            "points": rng.uniform(-1.5 * count - 5, 2.5 * count + 5, CHECKED_PIXELS)}


def sample(program, case, folder):
    """The program's values, N×C, and the command that made them."""
    source, at, out = folder / "signal.npy", folder / "x.npy", folder / "values.npy"
    np.save(source, case["stored"])
    np.save(at, case["points"])
    out.unlink(missing_ok=True)
    command = [program, "sample", str(source), "--at", str(at), "-o", str(out), "--outside", "extend", "--address",
               case["address"], "--prefilter", case["prefilter"], "--method", case["method"], "--path", case["path"],
               "--backend", "cpu"] + (["--derivative", "x"] if case["derivative"] else []) + border_option(case)
    harness.run(command)
    values = np.load(out)
    if values.dtype.kind == "c":
        values = np.stack([values.real, values.imag], axis=-1)
    return values.reshape(len(case["points"]), -1).astype(float), shlex.join(command)


def scipy_signal(samples, x, case):
    """map_coordinates over the signal, laid out so far beyond the points that SciPy's own extension has died away. The
    derivative of a spline is a spline of one degree less, half a sample further left, on the differences of its
    coefficients."""
    first = int(np.floor(x.min())) - MARGIN
    index, stored = reference.extended(case["address"], np.arange(first, int(np.ceil(x.max())) + MARGIN + 1), len(samples))
    order, line = SCIPY_ORDER[case["method"]], np.where(stored, samples[index], case["border"][0])
    if not case["derivative"]:
        return ndimage.map_coordinates(line, [x - first], order=order, mode="nearest", prefilter=case["prefilter"] == "iir")
    if case["prefilter"] == "iir":
        line = ndimage.spline_filter1d(line, order, mode="mirror")
    steps = np.diff(line, prepend=line[0])
    return ndimage.map_coordinates(steps, [x - first + 0.5], order=order - 1, mode="nearest", prefilter=False)


def check_signal(program, rng, folder, counts):
    case = signal_case(rng)
    values, command = sample(program, case, folder)
    stored, x = case["stored"], case["points"]
    channels = [stored.real, stored.imag] if stored.dtype.kind == "c" else [stored]
    if values.shape[1] != len(channels):
        raise AssertionError(f"wrote {values.shape[1]} channels, not {len(channels)}\n    {command}")
    compared = np.abs(x - 0.5 - np.round(x - 0.5)) > TIE if case["method"] == "nearest" else np.ones(len(x), bool)
    for channel, samples in enumerate(channels):
        error = np.abs(values[:, channel] - scipy_signal(samples.astype(float), x, case))[compared]
        allowed = (DERIVATIVE_TOLERANCE if case["derivative"] else TOLERANCE) * range_of(case)
        if not error.max() <= allowed:
            n = int(error.argmax())
            raise AssertionError(f"x = {float(x[compared][n])!r}: off by {error[n]:.3g}, at most {allowed:.3g}; {len(samples)} samples\n    {command}")
    counts["signals"] += 1


def check_affine(program, rng, folder, counts):
    """--affine against affine_transform, whose matrix is by rows, then columns."""
    image = rng.random(rng.integers(2, 50, 2)).astype(np.float32)
    a, b, d, e = rng.uniform(-2, 2, 4)
    c, f = rng.uniform(-60, 60, 2)
    width, height = (int(side) for side in rng.integers(1, 40, 2))
    method, address = str(rng.choice([m for m in SCIPY_ORDER if m != "nearest"])), str(rng.choice(["wrap", "reflect101"]))
    source, out = folder / "in.npy", folder / "out.npy"
    np.save(source, image)
    command = [program, "render", str(source), "-o", str(out), "--affine", ",".join(repr(float(v)) for v in (a, b, c, d, e, f)),
               "--size", f"{width}x{height}", "--method", method, "--address", address, "--backend", "cpu"]
    harness.run(command)
    expected = ndimage.affine_transform(image.astype(float), [[e, d], [b, a]], [f, c], (height, width),
                                        order=SCIPY_ORDER[method], mode=SCIPY_MODES[address])
    error = np.abs(np.load(out) - expected).max()
    if not error <= TOLERANCE:
        raise AssertionError(f"off by {error:.3g}, at most {TOLERANCE:.3g}\n    {shlex.join(command)}")
    counts["affine"] += 1


def main():
    counts = {"NumPy": 0, "SciPy": 0, "signals": 0, "affine": 0}

    def summary(cases, failures):
        return (f"{cases} pictures: {counts['NumPy']} compared with NumPy, {counts['SciPy']} with SciPy; "
                f"{cases} signals: {counts['signals']} compared with SciPy; {counts['affine']} affine maps; {failures} differ")

    def broken(cases):
        if cases >= 50 and min(counts["SciPy"], counts["signals"]) == 0:
            return "no case could be compared with SciPy: the choice of cases is broken"
        return None

    return harness.main(__doc__, [check, check_signal, check_affine], counts, 100, summary, broken)


if __name__ == "__main__":
    sys.exit(main())
