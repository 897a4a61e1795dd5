#!/usr/bin/env python3
"""Measures the Python package: what a call costs beside the engine, and resizing and prefiltering beside other libraries.

    PYTHONPATH=python bench/python_calls.py        prints a table; every figure is the least of several rounds

All use the same threads: OMP_NUM_THREADS, which is set to the processors of this process if it is not. Libraries that are not
installed are left out.
"""

import ctypes
import os
import sys
import time

THREADS = os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))

import numpy as np  # noqa: E402
import texelscope as ts  # noqa: E402
from texelscope import _compute, _layout, _library as lib  # noqa: E402


def least(function, calls, rounds=9):
    """Seconds a call: of the fastest round, which a busy machine has left alone."""
    function()
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(calls):
            function()
        best = min(best, (time.perf_counter() - begin) / calls)
    return best


def line(what, seconds, against=None, name=""):
    unit, factor = ("µs", 1e6) if seconds < 1e-3 else ("ms", 1e3)
    ratio = f"  {name} {against * factor:.1f} {unit}, {against / seconds:.1f} times" if against else ""
    print(f"{what:52} {seconds * factor:8.1f} {unit}{ratio}", flush=True)


def calls():
    small, out, points = np.zeros((8, 8), np.float32), np.zeros((8, 8), np.float32), np.zeros((8, 2))
    a, b = _layout.layout(small, None).struct(), _layout.layout(out, None).struct()
    backend = _compute.backend_of(_layout.layout(small, None).memory, None)
    request = _compute.new_request(ts.method("bilinear"))
    handle, byref = ctypes.c_void_p(), ctypes.byref
    create, render, free = lib.library.ts_image_create, lib.library.ts_render, lib.library.ts_image_free

    def engine():
        create(backend.handle, byref(a), None, byref(handle))
        render(handle, byref(request), byref(b))
        free(handle)

    alone = least(engine, 20, 500)
    create(backend.handle, byref(a), None, byref(handle))
    image_alone = least(lambda: render(handle, byref(request), byref(b)), 20, 500)
    free(handle)
    image = ts.Image(small)
    line("8×8: the engine, image and rendering", alone)
    line("8×8: ts.resize beyond it", least(lambda: ts.resize(small, (8, 8), "bilinear"), 20, 500) - alone)
    line("8×8: Image.render beyond the rendering", least(lambda: image.render("bilinear", out=out), 20, 500) - image_alone)
    line("8 points: ts.sample", least(lambda: ts.sample(small, points, "bilinear"), 20, 500))


def pictures():
    random = np.random.default_rng(0)
    photo = random.integers(0, 256, (3000, 4000, 3), dtype=np.uint8)
    ours = least(lambda: ts.resize(photo, (1000, 1333), "catmull-rom"), 1)
    title = "u8 RGB 4000×3000 → 1333×1000, "
    try:
        from PIL import Image

        image = Image.fromarray(photo)
        line(title + "Catmull–Rom", ours, least(lambda: image.resize((1333, 1000), Image.Resampling.BICUBIC), 1), "Pillow")
    except ImportError:
        line(title + "Catmull–Rom", ours)
    try:
        import torch

        torch.set_num_threads(int(THREADS))
        for kind in ("uint8", "float32"):
            tensor = torch.as_tensor(photo).permute(2, 0, 1)[None].to(getattr(torch, kind))
            if kind == "uint8" and torch.__version__ < "2.1":
                continue
            for mode, method in (("bicubic", "catmull-rom"), ("bilinear", "bilinear")):
                mine = least(lambda: ts.resize(photo, (1000, 1333), method), 1)
                theirs = least(lambda: torch.nn.functional.interpolate(tensor, size=(1000, 1333), mode=mode, antialias=True), 1, 4)
                line(f"{title}{mode}, torch, {kind}", mine, theirs, "torch antialias")
        planes = torch.as_tensor(photo).permute(2, 0, 1).contiguous().float()
        theirs = least(lambda: torch.nn.functional.interpolate(planes[None], size=(1000, 1333), mode="bicubic", antialias=True), 1, 4)
        line("f32 3×3000×4000 → 3×1000×1333", least(lambda: ts.resize(planes, (1000, 1333), "catmull-rom"), 1), theirs, "torch antialias")
    except ImportError:
        pass
    try:
        import cv2

        cv2.setNumThreads(int(THREADS))
        area = least(lambda: ts.resize(photo, (1000, 1333), like="opencv/area"), 1)
        theirs = least(lambda: cv2.resize(photo, (1333, 1000), interpolation=cv2.INTER_AREA), 1)
        line(title + "like opencv/area", area, theirs, "INTER_AREA")
        line(title + "bilinear", least(lambda: ts.resize(photo, (1000, 1333), "bilinear"), 1), theirs, "INTER_AREA")
    except ImportError:
        pass
    try:
        from scipy import ndimage

        field = random.random((2048, 2048)).astype(np.float32)
        ours = least(lambda: ts.prefilter(field, "bspline", address="reflect101"), 2)
        line("f32 2048×2048, cubic B-spline prefilter", ours,
             least(lambda: ndimage.spline_filter(field, 3, output=np.float32, mode="mirror"), 1, 3), "SciPy")
        points = random.uniform(0, 2047, (1_000_000, 2))
        line("a million points, cubic B-spline", least(lambda: ts.sample(field, points, "bspline", address="reflect101"), 1),
             least(lambda: ndimage.map_coordinates(field, points.T[::-1], order=3, mode="mirror"), 1, 2), "SciPy")
    except ImportError:
        pass


if __name__ == "__main__":
    print(f"texelscope {ts.__version__}, {ts.Backend('cpu').name}, {THREADS} threads, Python {sys.version.split()[0]}, NumPy {np.__version__}")
    calls()
    pictures()
