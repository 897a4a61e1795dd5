"""The work that all do: the request to texelscope bench, and the same as matrices."""

import json
import math
import os
import subprocess
from dataclasses import dataclass

TURN = math.radians(10)


RECIPES = [f"like:pillow/{each}" for each in ("bilinear", "bicubic", "lanczos")] + [
    f"like:opencv/{each}" for each in ("nearest", "linear", "cubic", "lanczos4", "area")]
AREA = "like:texelscope/resize:method=area"  # the box by its definition, at any factor


@dataclass(frozen=True)
class Rotation:
    """An image rotated by 10° about its centre."""
    backend: str
    format: str          # "f32x1", "u8x4"
    source: int          # side, samples
    size: tuple          # of the output: width, height

    @property
    def name(self):
        kind = {"f32x1": "R32F", "u8x4": "RGBA8"}[self.format]
        return f"{self.backend.upper()}: rotate 10°, {kind} {self.source}² to {self.size[0]}×{self.size[1]}"

    def matrix(self):
        """Rows (xx, xy, x0), (yx, yy, y0) from output pixels to samples."""
        c, s = math.cos(TURN), math.sin(TURN)
        centre = (self.source - 1) / 2
        ox, oy = (self.size[0] - 1) / 2, (self.size[1] - 1) / 2
        return [[c, -s, centre - c * ox + s * oy], [s, c, centre - s * ox - c * oy]]

    def inverse(self):
        """The same from samples to output pixels."""
        (a, b, x), (c, d, y) = self.matrix()
        det = a * d - b * c
        a, b, c, d = d / det, -b / det, -c / det, a / det
        return [[a, b, -a * x - b * y], [c, d, -c * x - d * y]]

    def case(self, spec):
        return f"render/rotate/{self.format}/{spec}"

    def arguments(self):
        return ["--only", "render", "--case", f"/rotate/{self.format}/", "--source", str(self.source), "--size",
                f"{self.size[0]}x{self.size[1]}", "--method", "nearest; bilinear; bspline; catmull-rom"]


@dataclass(frozen=True)
class Enlargement:
    """The middle of an RGBA8 image, enlarged ×8."""
    backend: str = "cuda"
    source: int = 4096
    size: tuple = (3840, 2160)

    @property
    def name(self):
        return f"{self.backend.upper()}: zoom ×8, RGBA8 {self.source}² to {self.size[0]}×{self.size[1]}"

    def case(self, spec):
        return f"render/zoom8/u8x4/{spec}"

    def arguments(self):
        return ["--only", "render", "--case", "/zoom8/u8x4/", "--source", str(self.source), "--size",
                f"{self.size[0]}x{self.size[1]}", "--method", "nearest; bilinear; bspline; catmull-rom"]


@dataclass(frozen=True)
class Shrinking:
    """An image shrunk ×4 without aliasing."""
    backend: str
    format: str          # "f32x4", "u8x4"
    source: int = 4096   # side

    @property
    def size(self):
        return self.source // 4, self.source // 4

    @property
    def name(self):
        return f"{self.backend.upper()}: shrink ×4, {self.format} {self.source}² to {self.size[0]}²"

    def case(self, spec):
        return f"render/shrink4/{self.format}/{spec}"

    def arguments(self):
        return ["--only", "render", "--case", f"/shrink4/{self.format}/", "--source", str(self.source), "--size",
                f"{self.size[0]}x{self.size[1]}", "--method", "; ".join(["nearest", "bilinear", "catmull-rom", "lanczos3", "lanczos4", AREA, *RECIPES])]


@dataclass(frozen=True)
class Prefilter:
    """Cubic B-spline coefficients of an R32F image, the exact filter."""
    backend: str
    side: int

    @property
    def name(self):
        return f"{self.backend.upper()}: prefilter, R32F {self.side}²"

    def case(self, spec="bspline:address=mirror,prefilter=iir"):
        return f"prefilter/{self.side}/f32x1/{spec}"

    def arguments(self):
        return ["--only", "prefilter", "--case", "/f32x1/", "--source", str(self.side), "--method",
                "bspline:address=mirror"]


class Ours:
    """texelscope bench, once for each work."""

    def __init__(self, program, threads):
        self.program, self.threads, self.known, self.devices = program, threads, {}, set()

    def forget(self):
        """Each peer is compared with its own run, next to it in time."""
        self.known = {}

    def results(self, work):
        if work not in self.known:
            command = [self.program, "bench", "--backend", work.backend, "--json", "-", *work.arguments()]
            done = subprocess.run(command, capture_output=True, text=True,
                                  env={**os.environ, "OMP_NUM_THREADS": str(self.threads)})
            if done.returncode != 0:
                raise RuntimeError(done.stderr.strip() or f"exit status {done.returncode} of {' '.join(command)}")
            self.known[work] = json.loads(done.stdout)
            self.devices.add(self.known[work]["device"])
        return self.known[work]

    def microseconds(self, work, case):
        """Median, lower and upper quartile."""
        for result in self.results(work)["results"]:
            if result["name"] == case and "microseconds" in result:
                time = result["microseconds"]
                return time["median"], time["lower"], time["upper"]
        raise RuntimeError(f"texelscope bench has no result {case}")
