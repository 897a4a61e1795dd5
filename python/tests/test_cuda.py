"""Arrays in a GPU's memory: PyTorch's and CuPy's. Needs this file, NumPy, torch or CuPy, and the package with its library:

    TEXELSCOPE_LIBRARY=…/libtexelscope.so python3 python/tests/test_cuda.py [--figures]     the package of this source tree
    PYTHONPATH=FOLDER python3 test_cuda.py [--figures]                                      that of a wheel, unpacked there

or `python3 -m pytest -rs python/tests/test_cuda.py`. Skips with the reason where there is no GPU.
"""

import os
import sys
import time
import traceback

import numpy as np

try:
    import texelscope as ts
except ImportError:
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    import texelscope as ts

REASON = ts.why_no_cuda()
try:
    import torch
except ImportError:
    torch = None
try:
    import cupy
except ImportError:
    cupy = None

if __name__ != "__main__":
    import pytest

    pytestmark = [pytest.mark.cuda, pytest.mark.skipif(bool(REASON), reason=f"no CUDA device computes here: {REASON}")]


class Skipped(Exception):
    """A library that is not installed."""


def need(library, name):
    if library is not None:
        return library
    if __name__ == "__main__":
        raise Skipped(f"{name} is not installed")
    return pytest.skip(f"{name} is not installed")


def pictures(seed=0):
    """Arrays of all kinds with what channels= has to be."""
    random = np.random.default_rng(seed)
    for dtype in ("uint8", "uint16", "float16", "float32", "float64", "int16", "int32", "int64", "complex64"):
        for shape, channels in (((33, 47), None), ((33, 47, 3), None), ((3, 33, 47), None), ((33, 47, 4), None), ((33, 47, 2), None),
                                ((2, 3, 33, 47), "first"), ((2, 33, 47, 3), "last"), ((33, 47, 6), "last")):
            array = random.normal(size=shape) * 40 + 100
            yield (array + 1j * array[::-1] if dtype.startswith("complex") else array).astype(dtype), channels


def close(ours, expected, dtype):
    """To float32's arithmetic; integers to a level that is rounded the other way."""
    largest = float(np.abs(expected.astype(np.complex128)).max())
    bound = 1.0 if np.dtype(dtype).kind in "iu" else 2e-3 * largest if dtype == "float16" else 4e-6 * largest
    difference = float(np.abs(ours.astype(np.complex128) - expected.astype(np.complex128)).max())
    assert difference <= bound, (dtype, difference, bound)


def test_torch_tensors_give_the_pictures_of_the_cpu():
    need(torch, "torch")
    for array, channels in pictures():
        if array.dtype == np.uint16:  # which torch has only in part
            continue
        tensor = torch.as_tensor(array).cuda()
        for method, options in (("lanczos3", {}), ("bspline", dict(address="mirror")), ("nearest", dict(antialias=False))):
            ours = ts.resize(tensor, (20, 60), method, channels=channels, **options)
            assert ours.device == tensor.device and ours.dtype == tensor.dtype
            close(ours.cpu().numpy(), ts.resize(array, (20, 60), method, channels=channels, **options), array.dtype.name)
        turned = tensor.transpose(-1, -2)
        if channels is None and array.ndim == 2:
            close(ts.resize(turned, (20, 60)).cpu().numpy(), ts.resize(array.T, (20, 60)), array.dtype.name)


def test_cupy_arrays_give_the_pictures_of_the_cpu():
    need(cupy, "cupy")
    for array, channels in pictures(1):
        given = cupy.asarray(array)
        ours = ts.resize(given, (20, 60), "lanczos3", channels=channels)
        assert isinstance(ours, cupy.ndarray) and ours.dtype == array.dtype
        close(ours.get(), ts.resize(array, (20, 60), "lanczos3", channels=channels), array.dtype.name)
    given = cupy.arange(600, dtype=cupy.float32).reshape(20, 30)[::-1, ::2]
    close(ts.rotate(given, 20).get(), ts.rotate(given.get(), 20), "float32")


def test_batches_are_the_pictures_of_their_images():
    """Of a batch each kernel is launched once; all paths, also those that render the images one by one."""
    need(torch, "torch")
    generator = torch.Generator(device="cuda").manual_seed(5)
    points = torch.rand(40, 2, device="cuda", generator=generator) * 30
    calls = [lambda a, c: ts.resize(a, (50, 80), "bilinear", channels=c), lambda a, c: ts.resize(a, (13, 21), channels=c),
             lambda a, c: ts.resize(a, (3, 2), "lanczos3", channels=c), lambda a, c: ts.resize(a, (50, 20), "nearest", channels=c),
             lambda a, c: ts.resize(a, (41, 60), "bspline", address="mirror", channels=c),
             lambda a, c: ts.resize(a, (20, 60), "quintic", channels=c), lambda a, c: ts.resize(a, (20, 60), "ewa-lanczos", channels=c),
             lambda a, c: ts.resize(a, (20, 60), "bicubic", address="border", border=0.5, channels=c),
             lambda a, c: ts.resize(a, (20, 60), edges="normalise", channels=c),
             lambda a, c: ts.resize(a, (20, 60), like="torch/bicubic", channels=c),
             lambda a, c: ts.resize(a, (20, 21), like="opencv/lanczos4", channels=c),
             lambda a, c: ts.resize(a, (9, 11), "bspline", least_squares=True, channels=c),
             lambda a, c: ts.resize(a, (20, 60), "bilinear:path=hardware", antialias=False, channels=c),
             lambda a, c: ts.resize(a, (20, 60), "bilinear", precision="double", channels=c),
             lambda a, c: ts.rotate(a, 25, "bspline", channels=c), lambda a, c: ts.rotate(a, 25, outside=float("nan"), channels=c),
             lambda a, c: ts.affine(a, [[3, 1, 0], [-1, 3, 2]], "lanczos3", antialias=True, channels=c),
             lambda a, c: ts.sample(a, points, "bspline", channels=c), lambda a, c: ts.prefilter(a, "bspline", channels=c),
             lambda a, c: ts.prefilter(a, "quintic", address="reflect101", channels=c)]
    for shape, channels in (((5, 33, 48), "none"), ((5, 3, 33, 48), "first"), ((5, 33, 47, 3), "last"), ((2, 3, 33, 47, 4), "last"),
                            ((5, 2, 33, 47), "first")):
        for dtype in (torch.float32, torch.uint8, torch.float64):
            whole = torch.rand(*shape, device="cuda", generator=generator) * 200
            batch = whole.to(dtype)
            if len(shape) == 4:
                views = [batch, batch.flip(0)[1:], batch[:, :, 3:], batch[::2]]  # flips copy: torch has no negative strides
            else:
                views = [batch]
            for number, call in enumerate(calls):
                for view in views:
                    together = call(view, channels)
                    alone = torch.stack([call(each, channels) for each in view])
                    assert together.shape == alone.shape and together.dtype == alone.dtype
                    a, b = together.double(), alone.double()
                    same = torch.nan_to_num(a - b).abs().max() <= (1 if dtype == torch.uint8 else 1e-4)
                    assert same and torch.equal(a.isnan(), b.isnan()), (number, shape, dtype)
    out = torch.zeros(5, 60, 90, device="cuda")
    batch = torch.rand(5, 33, 48, device="cuda")
    ts.resize(batch, (50, 80), channels="none", out=out[:, 5:55, 3:83])
    assert torch.equal(out[:, 5:55, 3:83], ts.resize(batch, (50, 80), channels="none")) and float(out[:, :5].abs().max()) == 0


def test_lists_of_tensors_are_batches_where_sizes_agree():
    need(torch, "torch")
    for arrays in ([torch.rand(3, 20 + k % 2, 30, device="cuda") for k in range(5)], list(torch.rand(4, 3, 20, 30, device="cuda")),
                   [torch.rand(20, 30, 3, device="cuda") for _ in range(3)]):
        for ours, array in zip(ts.resize(arrays, (10, 12)), arrays):
            close(ours.cpu().numpy(), ts.resize(array, (10, 12)).cpu().numpy(), "float32")


def test_pictures_and_differences_as_a_screen_shows_them():
    need(torch, "torch")
    a, b = torch.rand(33, 47, 3, device="cuda"), torch.rand(33, 47, 3, device="cuda")
    host = a.cpu().numpy(), b.cpu().numpy()
    for options in (dict(exposure=1, curve="aces"), dict(channel="luma", map="ember"), dict(against=True, gain=2)):
        other = options.pop("against", None)
        ours = ts.display(a, against=b if other else None, **options)
        assert ours.is_cuda and ours.shape == (33, 47, 4)
        close(ours.cpu().numpy(), ts.display(host[0], against=host[1] if other else None, **options), "uint8")
    for kind in ("signed", "relative", "delta-e", "ssim", "gradient"):
        ours, expected = ts.difference(a, b, kind).cpu().numpy(), ts.difference(*host, kind)
        assert np.array_equal(np.isnan(ours), np.isnan(expected)), kind  # beside the edges, which no window surrounds
        close(np.nan_to_num(ours), np.nan_to_num(expected), "float32")
    ours, figures = ts.difference(a, b, "flip", figures=True)
    expected, right = ts.difference(*host, "flip", figures=True)
    assert np.abs(ours.cpu().numpy() - expected).max() < 1e-4 and abs(figures.mean - right.mean) < 1e-5
    assert figures.pixels == right.pixels == 33 * 47
    over, right = ts.difference(5 * a, 5 * b, "flip").cpu().numpy(), ts.difference(5 * host[0], 5 * host[1], "flip")
    assert np.abs(over - right).max() < 1e-4


def test_points_maps_and_coefficients():
    need(torch, "torch")
    random = np.random.default_rng(2)
    array, points = random.normal(size=(3, 40, 50)).astype(np.float32), random.uniform(-5, 55, (70, 90, 2))
    tensor = torch.as_tensor(array).cuda()
    for method in ("bilinear", "bspline"):
        for outside in ("extend", np.nan, -3):
            expected = ts.sample(array, points, method, address="mirror", outside=outside)
            for given in (torch.as_tensor(points).cuda(), torch.as_tensor(points).cuda().float(), torch.as_tensor(points)):
                ours = ts.sample(tensor, given, method, address="mirror", outside=outside)
                assert ours.is_cuda and ours.shape == expected.shape
                bound = 2e-4 if given.dtype == torch.float32 else 2e-5
                same = np.isnan(expected) == np.isnan(ours.cpu().numpy())
                assert same.mean() > 0.999
                assert np.nanmax(np.abs(ours.cpu().numpy() - expected)[same]) < (bound if outside != -3 or given.dtype != torch.float32 else 9)
    close(ts.warp(tensor, torch.as_tensor(points).cuda(), "quintic").cpu().numpy(), ts.warp(array, points, "quintic"), "float32")
    close(ts.prefilter(tensor, "bspline", address="reflect101").cpu().numpy(), ts.prefilter(array, "bspline", address="reflect101"),
          "float32")
    assert abs(ts.measure(tensor[0], tensor[0] + 0.5).max_abs - 0.5) < 1e-6


def test_images_work_on_the_current_stream_and_write_in_place():
    need(torch, "torch")
    tensor = torch.rand(500, 700, device="cuda")
    image = ts.Image(tensor)
    assert image.in_place
    out = torch.zeros(300, 400, device="cuda")
    assert image.render(scale=0.5, rotate=10, shape=(300, 400), out=out) is out
    expected = ts.Image(tensor.cpu().numpy()).render(scale=0.5, rotate=10, shape=(300, 400))
    close(out.cpu().numpy(), expected, "float32")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        made = tensor * 2  # on this stream, not finished when the call is made
        for _ in range(50):
            made = made + 0
        result = ts.resize(made, (50, 70))
        result = result + 0
    stream.synchronize()
    close(result.cpu().numpy(), ts.resize(tensor.cpu().numpy() * 2, (50, 70)), "float32")


def test_no_copy_of_the_samples_is_made():
    need(torch, "torch")
    backend = ts.Backend("cuda", device=torch.cuda.current_device(), stream=torch.cuda.current_stream().cuda_stream)
    for shape in ((2000, 3000), (4, 2000, 3000), (2000, 3000, 4), (2000, 3000, 2)):
        tensor = torch.rand(*shape, device="cuda")
        before = backend.memory_taken
        image = ts.Image(tensor, backend=backend)
        image.resize((20, 30), "bilinear")
        assert image.in_place and backend.memory_taken - before < tensor.numel(), shape  # a quarter of its bytes
        del image
    colour = torch.zeros(2000, 3000, 3, dtype=torch.uint8, device="cuda")
    assert not ts.Image(colour, backend=backend).in_place  # three channels side by side are copied, as four


def copies(work):
    """How often memory was copied on the GPU, or to or from it, as CUPTI saw it through torch's profiler."""
    from torch.profiler import ProfilerActivity, profile

    work()  # uploads tables, makes streams
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        work()
        torch.cuda.synchronize()
    return sum(event.count for event in seen.key_averages() if event.key.startswith("Memcpy"))


def test_nothing_is_copied_where_no_copy_is_needed():
    need(torch, "torch")
    host = torch.rand(300, 400)
    if not copies(lambda: host.cuda()):
        return need(None, "a profiler that sees copies")
    points = torch.rand(500, 2, device="cuda") * 300
    tensor = torch.rand(300, 400, device="cuda")
    for name, call in (("resize", lambda **o: ts.resize(tensor, (100, 90), "bilinear", **o)),
                       ("rotate", lambda **o: ts.rotate(tensor, 10, "catmull-rom", **o)),
                       ("bspline", lambda **o: ts.resize(tensor, (500, 450), "bspline", **o)),
                       ("sample", lambda **o: ts.sample(tensor, points, "bilinear", **o))):
        assert copies(call) == 0, name
        out = torch.empty_like(call())
        assert copies(lambda: call(out=out)) == 0, (name, "out=")


def test_arrays_of_the_host_on_the_gpu():
    array = np.random.default_rng(3).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    close(ts.resize(array, (100, 90), backend="cuda"), ts.resize(array, (100, 90)), "uint8")
    image = ts.Image(array, backend="cuda")
    close(image.render("bspline", scale=0.1, precision="double", dtype="float64"),
          ts.Image(array).render("bspline", scale=0.1, precision="double", dtype="float64"), "float64")


def test_kernels_and_functions_of_ones_own():
    array = np.random.default_rng(4).random((40, 50)).astype(np.float32)
    text = "float4 sample(Source s, double x, double y, Params p) {\n    return s.tap(whole(x + 0.5), whole(y + 0.5));\n}\n"
    try:
        ours = ts.resize(array, (60, 70), text, antialias=False, backend="cuda")
    except ts.Unavailable as error:  # NVRTC
        print(error)
    else:
        close(ours, ts.resize(array, (60, 70), "nearest", antialias=False), "float32")
    tent = ts.method(lambda x: max(0.0, 1 - abs(float(x))), radius=1)
    close(ts.resize(array, (20, 70), tent, backend="cuda"), ts.resize(array, (20, 70), tent), "float32")


def test_many_calls_take_no_more_memory():
    need(torch, "torch")
    tensor = torch.rand(64, 64, 3, device="cuda")
    points = torch.rand(100, 2, device="cuda") * 60

    def calls(n):
        for _ in range(n):
            ts.resize(tensor, (32, 32), "bspline")
            ts.sample(tensor, points)
        torch.cuda.synchronize()
        return torch.cuda.mem_get_info()[0]

    calls(200)
    before = calls(10)
    assert before - calls(1000) < 8 << 20


def microseconds(function, synchronize, calls=2000):
    """A call, and a call with what it has enqueued: the least of five rounds."""
    for _ in range(50):
        function()
    synchronize()
    best = [1e9, 1e9]
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(calls):
            function()
        best[0] = min(best[0], (time.perf_counter() - begin) / calls)
        synchronize()
        best[1] = min(best[1], (time.perf_counter() - begin) / calls)
    return [1e6 * b for b in best]


def engine_alone(samples, out):
    """The calls of the C interface that ts.resize(samples, …, "bilinear") makes in the end."""
    import ctypes

    from texelscope import _compute, _layout, _library as lib

    given, result = _layout.layout(samples, None), _layout.layout(out, None)
    a, b, handle = given.struct(), result.struct(), ctypes.c_void_p()
    backend, request = _compute.backend_of(given.memory, None), _compute.new_request(ts.method("bilinear"))

    def calls():
        lib.library.ts_image_create(backend.handle, ctypes.byref(a), None, ctypes.byref(handle))
        lib.library.ts_render(handle, ctypes.byref(request), ctypes.byref(b))
        lib.library.ts_image_free(handle)

    return calls


def figures():
    """Printed by `python3 test_cuda.py --figures`: what a call costs, and the same work by torch."""
    functional = torch.nn.functional
    small, out = torch.rand(8, 8, device="cuda"), torch.zeros(8, 8, device="cuda")
    image = ts.Image(small)
    synchronize = torch.cuda.synchronize
    print("8×8, the engine alone, image and rendering: call %.1f µs, finished %.1f µs" % tuple(
        microseconds(engine_alone(small, out), synchronize)))
    print("8×8, Image.render into out: call %.1f µs, finished %.1f µs" % tuple(
        microseconds(lambda: image.render("bilinear", out=out), synchronize)))
    print("8×8, ts.resize: call %.1f µs, finished %.1f µs" % tuple(microseconds(lambda: ts.resize(small, (8, 8), "bilinear"), synchronize)))
    print("8×8, torch interpolate: call %.1f µs, finished %.1f µs" % tuple(
        microseconds(lambda: functional.interpolate(small[None, None], size=(8, 8), mode="bilinear"), synchronize)))
    big = torch.rand(1, 3, 3000, 4000, device="cuda")
    to = torch.zeros(1, 3, 1000, 1333, device="cuda")
    for name, ours, theirs in (
            ("resize 3×3000×4000 → 3×1000×1333, bicubic antialiased", lambda: ts.resize(big, (1000, 1333), "catmull-rom", channels="first", out=to),
             lambda: functional.interpolate(big, size=(1000, 1333), mode="bicubic", antialias=True)),
            ("enlarge 3×1000×1333 → 3×3000×4000, bilinear", lambda: ts.resize(to, (3000, 4000), "bilinear", channels="first", out=big),
             lambda: functional.interpolate(to, size=(3000, 4000), mode="bilinear"))):
        a, b = microseconds(ours, synchronize, 50)[1], microseconds(theirs, synchronize, 50)[1]
        print(f"{name}: texelscope {a:.0f} µs, torch {b:.0f} µs, {b / a:.2f} times")


def main():
    if REASON:
        print(f"skipped: {REASON}")
        return 77
    print(ts.Backend("cuda"), "torch", getattr(torch, "__version__", None), "cupy", getattr(cupy, "__version__", None))
    if "--figures" in sys.argv:
        figures()
        return 0
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        try:
            test()
            outcome = "passed"
        except Skipped as reason:
            outcome = "skipped"
            print(f"{name}: {reason}")
        except Exception:
            outcome = "failed"
            traceback.print_exc()
        counts[outcome] += 1
        print(f"{outcome}  {name}", flush=True)
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return counts["failed"] > 0


if __name__ == "__main__":
    sys.exit(main())
