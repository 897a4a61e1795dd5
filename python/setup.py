"""Puts libtexelscope.so, and the libraries that it needs and not every Linux has, into the wheel.

The library is that of TEXELSCOPE_LIBRARY, else the newest of ../build/*; without one it is built in ../build/wheel, by CMake.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
EVERYWHERE = re.compile(r"(ld-linux|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)[.-]")  # found on every Linux


def library():
    if named := os.environ.get("TEXELSCOPE_LIBRARY"):
        return Path(named)
    builds = sorted((HERE.parent / "build").glob("*/gpu/libtexelscope.so"), key=lambda path: path.stat().st_mtime)
    if builds:
        return builds[-1]
    folder = HERE.parent / "build/wheel"
    subprocess.run(["cmake", "-S", HERE.parent, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"], check=True)
    subprocess.run(["cmake", "--build", folder, "--parallel", "--target", "texelscope_library"], check=True)
    return folder / "gpu/libtexelscope.so"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        folder, found = Path(self.build_lib) / "texelscope", library()
        shutil.copy(found.resolve(), folder / "libtexelscope.so")
        subprocess.run(["strip", "--strip-unneeded", folder / "libtexelscope.so"], check=False)
        needed = subprocess.run(["ldd", found], capture_output=True, text=True, check=True).stdout
        for name, path in re.findall(r"^\s*(\S+) => (/\S+)", needed, re.M):
            if not EVERYWHERE.match(name):
                shutil.copy(os.path.realpath(path), folder / name)


class OfPlatform(Distribution):
    def has_ext_modules(self):
        return True


class AnyPython(bdist_wheel):
    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(distclass=OfPlatform, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": AnyPython})
