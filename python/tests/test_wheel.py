"""The wheel: built from the source tree, installed into a virtual environment, used there without anything else."""

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile

import texelscope as ts
from conftest import ROOT, missing


def test_the_wheel_works_in_a_fresh_environment(tmp_path):
    for module in ("pip", "venv", "setuptools", "wheel"):
        if importlib.util.find_spec(module) is None:
            missing(module)
    source = tmp_path / "python"
    shutil.copytree(ROOT / "python", source, ignore=shutil.ignore_patterns("__pycache__", "build", "dist", "*.egg-info"))
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONWARNINGS")}

    def run(*command, **options):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "pip", "wheel", source, "--no-build-isolation", "--no-deps", "-q", "-w", tmp_path,
        env={**environment, "TEXELSCOPE_LIBRARY": str(ts.library_path)})
    wheels = list(tmp_path.glob("*.whl"))
    assert [w.name for w in wheels] == [f"texelscope-{ts.__version__}-py3-none-linux_x86_64.whl"]
    names = zipfile.ZipFile(wheels[0]).namelist()
    assert {"texelscope/libtexelscope.so", "texelscope/py.typed", "texelscope/__init__.py"} <= set(names)

    run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", tmp_path / "venv")
    python = tmp_path / "venv/bin/python"
    folder = run(python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip()
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", folder, wheels[0], env=environment)
    environment.pop("TEXELSCOPE_LIBRARY", None)
    said = run(python, "-W", "error", "-c", "import numpy, texelscope as ts; print(ts.library_path, ts.resize(numpy.eye(6), (3, 3)).shape)",
               env=environment, cwd=tmp_path / "venv")
    assert str(tmp_path / "venv") in said and "(3, 3)" in said
