"""Threads, forks, Ctrl+C, progress, memory, noise at exit, type hints."""

import os
import resource
import shutil
import subprocess
import sys
import threading

import numpy as np
import pytest
import texelscope as ts
from conftest import ROOT, missing

PACKAGE = str(ROOT / "python")


def python(code, *options, **environment):
    return subprocess.run([sys.executable, "-W", "error", *options, "-c", code], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": PACKAGE, **environment})


def test_other_threads_run_meanwhile_and_have_backends_of_their_own():
    picture = np.random.default_rng(0).random((1500, 1500), np.float32)
    counted, done, results, errors = [0], threading.Event(), {}, []

    def count():
        while not done.is_set():
            counted[0] += 1

    def work(k):
        try:
            for _ in range(3):
                results[k] = ts.resize(picture, (700, 700), "lanczos3")
        except BaseException as error:
            errors.append(error)

    counter = threading.Thread(target=count)
    workers = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    counter.start()
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    done.set()
    counter.join()
    assert not errors and counted[0] > 1000
    assert all(np.array_equal(results[k], ts.resize(picture, (700, 700), "lanczos3")) for k in range(3))


def test_threads_may_share_an_image():
    image = ts.Image(np.random.default_rng(0).random((300, 300), np.float32))
    expected = [image.render("bspline", scale=0.2 + k / 10) for k in range(8)]
    results = {}

    def work(k):
        for _ in range(20):
            results[k] = image.render("bspline", scale=0.2 + k / 10)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert all(np.array_equal(results[k], expected[k]) for k in range(8))


def test_a_forked_child_works_with_a_fresh_backend():
    code = """
import os, numpy as np, texelscope as ts
picture = np.random.default_rng(0).random((400, 400), np.float32)
image = ts.Image(picture)
expected = ts.resize(picture, (100, 100), "bspline")
child = os.fork()
if child == 0:
    same = np.array_equal(ts.resize(picture, (100, 100), "bspline"), expected)
    try:
        image.render()
        refused = False
    except ValueError as error:
        refused = "before the process was forked" in str(error)
    del image
    os._exit(0 if same and refused else 1)
status = os.waitpid(child, 0)[1]
assert status == 0, status
assert np.array_equal(ts.resize(picture, (100, 100), "bspline"), expected)
"""
    done = python(code)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_multiprocessing_pools_work():
    code = """
import multiprocessing, numpy as np, texelscope as ts
def work(k):
    return float(ts.resize(np.full((300, 300), k, np.float32), (10, 10)).mean())
work(1)
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert np.allclose(pool.map(work, range(8)), range(8))
"""
    done = python(code)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_ctrl_c_ends_long_work():
    code = """
import os, signal, threading, time, numpy as np, texelscope as ts
picture = np.zeros((1500, 1500), np.float32)
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    for _ in range(100):
        ts.resize(picture, (6000, 6000), "lanczos4", precision="double", dtype="float32")
except KeyboardInterrupt:
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    took = time.monotonic() - begin
    assert took < 15, took
    ts.resize(picture, (10, 10))
    print("interrupted")
"""
    done = python(code)
    assert done.stdout == "interrupted\n" and done.returncode == 0, done.stderr


def test_progress_is_reported_and_can_cancel():
    pictures = np.zeros((40, 300, 400), np.float32)
    parts = []
    ts.resize(pictures, (200, 300), "lanczos4", channels="none", precision="double", dtype="float32", progress=parts.append)
    assert all(0 <= p <= 1 for p in parts) and parts == sorted(parts)

    def stop(part):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ts.resize(np.zeros((40, 900, 900), np.float32), (900, 900), "lanczos4", channels="none", precision="double", dtype="float32",
                  progress=stop)
    done = python("import numpy as np, texelscope as ts\nts.resize(np.zeros((40, 600, 600), np.float32), (500, 500), 'lanczos4', "
                  "channels='none', precision='double', dtype='float32', progress=True)")
    assert done.returncode == 0 and "resize" in done.stderr


def test_many_calls_take_no_more_memory():
    picture = np.random.default_rng(0).random((24, 24, 3), np.float32)
    points = np.random.default_rng(1).uniform(0, 20, (10, 2))

    def calls(n):
        for _ in range(n):
            ts.resize(picture, (12, 12))
            ts.sample(picture, points, "bspline")
            try:
                ts.resize(picture, (12, 12), "nothing")
            except ValueError:
                pass

    calls(500)
    before = resident()
    calls(3400)  # ten thousand in all
    assert resident() - before < 2 << 20


def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * resource.getpagesize()


def test_nothing_is_said_at_exit():
    done = python("import numpy as np, texelscope as ts\nimage = ts.Image(np.zeros((9, 9)))\nimage.render()\nm = ts.method('lanczos3')\n")
    assert done.returncode == 0 and not done.stderr and not done.stdout
    done = python("import numpy as np, texelscope as ts, threading\n"
                  "t = threading.Thread(target=lambda: ts.resize(np.zeros((900, 900)), (400, 400)))\nt.start()\n")
    assert done.returncode == 0 and not done.stderr


def test_errors_leave_everything_usable():
    picture = np.ones((4, 4), np.float32)
    endless = np.lib.stride_tricks.as_strided(np.zeros(1, np.int32), (120_000, 120_000), (0, 0))  # 54 GiB as float32
    with pytest.raises(MemoryError, match="available|no memory"):
        ts.Image(endless)
    assert ts.resize(picture, (2, 2)).shape == (2, 2)
    with pytest.raises(ts.Unavailable):
        ts.Backend("cuda", device=99)
    with pytest.raises(ValueError, match="unknown backend"):
        ts.Backend("tpu")
    assert isinstance(ts.why_no_cuda(), str)
    assert ts.resize(picture, (2, 2)).shape == (2, 2)


def test_the_library_is_found_and_its_absence_is_explained():
    assert ts.library_path.name.startswith("libtexelscope.so")
    done = python("import texelscope", TEXELSCOPE_LIBRARY="/nowhere/libtexelscope.so")
    assert "TEXELSCOPE_LIBRARY" in done.stderr and "/nowhere/libtexelscope.so (not there)" in done.stderr


@pytest.mark.parametrize("folder", ["lib", "lib/x86_64-linux-gnu"])
def test_an_installed_package_finds_the_library_beside_it(tmp_path, folder):
    packages, at = tmp_path / "lib/python3/dist-packages", tmp_path / folder
    shutil.copytree(ROOT / "python/texelscope", packages / "texelscope", ignore=shutil.ignore_patterns("__pycache__", "*.so*"))
    at.mkdir(exist_ok=True)
    soname = "libtexelscope.so." + ".".join(ts.__version__.split(".")[:2])
    (at / soname).symlink_to(ts.library_path.resolve())
    environment = {k: v for k, v in os.environ.items() if k not in ("TEXELSCOPE_LIBRARY", "LD_LIBRARY_PATH")}
    done = subprocess.run([sys.executable, "-c", "import texelscope; print(texelscope.library_path)"], capture_output=True, text=True,
                          cwd=tmp_path, env={**environment, "PYTHONPATH": str(packages)})
    assert done.stdout.strip() == str(at / soname), done.stderr


def test_hints_are_checked_by_mypy():
    try:
        import mypy  # noqa: F401
    except ImportError:
        missing("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--no-error-summary", "--cache-dir", os.devnull,
                           str(ROOT / "python/texelscope")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_public_function_explains_itself():
    for name in ts.__all__:
        if name.startswith("__") or name in ("plot", "library_path"):
            continue
        thing = getattr(ts, name)
        assert len((thing.__doc__ or "").strip()) > 20, name
    for name in ("resize", "sample", "warp", "affine"):
        text = getattr(ts, name).__doc__
        assert "the array" in text.lower() or "values at" in text.lower()


def test_ctrl_c_ends_prefilters():
    code = """
import os, signal, threading, time, numpy as np, texelscope as ts
picture = np.zeros((6000, 6000), np.float32)
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    for _ in range(1000):
        ts.prefilter(picture, "septic", address="mirror")
except KeyboardInterrupt:
    assert time.monotonic() - begin < 15
    ts.prefilter(picture[:50, :50], "septic")
    print("interrupted")
"""
    done = python(code)
    assert done.stdout == "interrupted\n" and done.returncode == 0, done.stderr


def test_prefilters_of_a_batch_report_progress():
    parts = []
    pictures = np.random.default_rng(0).random((30, 400, 500), np.float32)
    given = ts.prefilter(pictures, "septic", channels="none", progress=parts.append)
    assert all(0 <= p <= 1 for p in parts) and parts == sorted(parts)
    assert np.array_equal(given, ts.prefilter(pictures, "septic", channels="none"))

    def stop(part):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ts.prefilter(np.zeros((60, 900, 900), np.float32), "septic", channels="none", progress=stop)
