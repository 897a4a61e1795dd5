"""Records small results of the libraries that are installed: record.py FOLDER. Asks them as the oracles do (tests/recipes/oracles), of
pictures that follow from a formula, so that a case is its recipe, its sizes and the result. LIBRARY.jsonl has versions in its
first line, then a case a line; results are raw samples in base64. tests/recipes/test_library_results.cpp compares."""

import base64
import json
import os
import platform
import runpy
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ORACLES = os.path.join(HERE if os.path.isdir(os.path.join(HERE, "oracles")) else "tests/recipes", "oracles")
FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.environ["OUT"]
sys.path.insert(0, ORACLES)
import numpy as np

import _cases
import _resized_cases

sys.path.remove(ORACLES)  # oracles are named as libraries
LEVELS = {"u8": 255, "u16": 65535}
MOST = 17_500  # bytes of each oracle's record
MOST_OF_A_RESULT = 900
# Oracle, what is recorded, calls of each function.
ORACLES_ASKED = [("pillow", ["PIL"], 40), ("opencv", ["cv2"], 40), ("torch", ["torch"], 40), ("torchvision", ["torchvision", "torch", "PIL"], 20),
                 ("onnx", ["onnxruntime"], 0), ("scipy", ["scipy"], 0), ("scipy_positions", ["scipy"], 144), ("skimage", ["skimage", "scipy"], 0), ("skimage_warp", ["skimage", "scipy"], 60)]


def picture(seed, height, width, channels, kind, alpha=False):
    """Noise by a hash of the place, or a wave of triangles, in 16 bits; the last channel is at least half if it is alpha."""
    y, x, c = np.meshgrid(np.arange(height, dtype="u4"), np.arange(width, dtype="u4"), np.arange(channels, dtype="u4"), indexing="ij")
    if seed % 2:
        h = x * np.uint32(73856093) ^ y * np.uint32(19349663) ^ c * np.uint32(83492791) ^ np.uint32(seed * 40503)
        h = (h ^ h >> np.uint32(15)) * np.uint32(0x85EBCA6B)
        h = (h ^ h >> np.uint32(13)) * np.uint32(0xC2B2AE35)
        level = h >> np.uint32(16)
    else:
        phase = (x * np.uint32(3001 + 40 * seed) + y * np.uint32(5003) + x * y * np.uint32(97) + c * np.uint32(20011)) & np.uint32(131071)
        level = np.where(phase < 65536, phase, np.uint32(131071) - phase)
    level = level.astype("u4")
    if alpha:
        level[..., -1] = level[..., -1] // 2 + 32768
    if kind == "f32":
        return (level.astype("f4") / np.float32(65536)).astype("f4")
    return (level >> 8).astype("u1") if kind == "u8" else level.astype("u2")


class Recorded:
    """In place of both kinds of Cases: the same sizes, but smaller, and pictures by the formula."""

    def __init__(self, folder=None, seed=1, largest=160):
        self.random = self.rng = np.random.default_rng(20260 + seed)
        self.lines, self.cases, self.made, self.pictures = [], {}, 0, {}

    def size(self, least=1, most=60):
        def pick(low):
            return int(self.random.integers(max(low, 3), max(low + 3, 15)))
        height, width, new_height, new_width = pick(least), pick(least), pick(1), pick(1)
        if self.random.random() < 0.2:
            new_height, new_width = height * 2, max(1, width // 2)
        return height, width, new_height, new_width

    def sizes(self):
        h, w, H, W = self.size()
        return w, h, W, H

    def picture(self, a, b, channels, kind, alpha=False):
        height, width = (a, b) if self.rows_first else (b, a)
        self.made += 1
        of = {"seed": self.made, "width": width, "height": height, "channels": channels, "kind": kind, "alpha": bool(alpha)}
        made = picture(self.made, height, width, channels, kind, alpha)
        self.pictures[id(made)] = (of, made)
        return made

    def add(self, spec, image, result, kind, bound, other=None):
        at = dict(other) if isinstance(other, dict) else {}
        if "map" in at:
            return  # as long as results
        of = self.pictures.get(id(image), (None,))[0]
        if of is None or not np.array_equal(picture(*(of[key] for key in ("seed", "height", "width", "channels", "kind", "alpha"))), image):
            return  # the oracle changed it
        result = np.ascontiguousarray(result)
        data = base64.b64encode(result.tobytes()).decode()
        line = json.dumps({"spec": spec, **of, **at, "size": [result.shape[1], result.shape[0]],
                           "type": {"uint8": "u8", "uint16": "u16"}.get(result.dtype.name, "f32"), "bound": bound, "result": data})
        if result.nbytes <= MOST_OF_A_RESULT:
            self.cases.setdefault((spec.split(":", 2)[1], spec, line.split('"type"')[1][:8]), line)

    def write(self):
        """As many recipes in turn as there is room for, and of each cases in any order."""
        left = {}
        for key in self.random.permutation(len(self.cases)):
            (recipe, *_), line = list(self.cases.items())[key]
            left.setdefault(recipe, []).append(line)
        room = MOST
        while any(left.values()):
            for lines in left.values():
                if lines and len(lines[-1]) < room:
                    room -= len(lines[-1]) + 1
                    self.lines.append(lines[-1])
                if lines:
                    lines.pop()
        self.bytes = MOST - room
        results.append(self)

    save = write


def versions_of(names):
    found = {"python": platform.python_version(), "machine": platform.machine(), "numpy": np.__version__}
    for name in names:
        module = sys.modules.get(name)
        found[name] = str(getattr(module, "__version__", "none")) if module else "none"
    return found


def ask(oracle, names, count, name=None):
    """Writes the record of an oracle; says why there is none."""
    name = name or oracle
    results.clear()
    for of in (_cases, _resized_cases):
        of.Cases = type("Cases", (Recorded,), {"rows_first": of is _cases})
    sys.modules["_cases"], sys.modules["_resized_cases"] = _cases, _resized_cases
    before, path = sys.argv, list(sys.path)
    sys.argv = [oracle + ".py", FOLDER] + ([str(count)] if count else [])
    why = None
    try:
        runpy.run_path(os.path.join(ORACLES, oracle + ".py"), run_name="__main__")
    except SystemExit as end:
        why = f"ended with status {end.code}" if end.code else None
    except Exception:
        why = traceback.format_exc().strip().splitlines()[-1]
    finally:
        sys.argv, sys.path[:] = before, path
    if not results:
        print(f"{name}: no results ({why or 'none'})")
        return
    versions = versions_of(names)
    with open(os.path.join(FOLDER, name + ".jsonl"), "w") as file:
        file.write(json.dumps({"versions": versions}) + "\n" + "\n".join(results[0].lines) + "\n")
    print(f"{name}: {len(results[0].lines)} cases, {results[0].bytes} bytes, {versions}{'; ' + why if why else ''}")


def ask_cupy():
    """CuPy's ndimage in place of SciPy's."""
    try:
        import cupy
        import cupyx.scipy.ndimage as on_gpu
        from scipy import ndimage
        import scipy
    except Exception as error:
        print(f"cupy: no results ({type(error).__name__}: {error})")
        return

    class OnGpu:
        def __getattr__(self, name):
            function = getattr(on_gpu, name)

            def call(image, *arguments, **options):
                to_device = lambda v: cupy.asarray(np.asarray(v)) if name in ("affine_transform", "map_coordinates") else v
                arguments = tuple(to_device(a) if k == 0 else a for k, a in enumerate(arguments))
                return cupy.asnumpy(function(cupy.asarray(image), *arguments, **options))
            return call

    scipy.ndimage = OnGpu()
    try:
        ask("scipy", ["cupy"], 0, "cupy")
        ask("scipy_positions", ["cupy"], 144, "cupy_positions")
    finally:
        scipy.ndimage = ndimage


results = []
os.makedirs(FOLDER, exist_ok=True)
for asked in ORACLES_ASKED:
    ask(*asked)
ask_cupy()
total = sum(os.path.getsize(os.path.join(FOLDER, name)) for name in os.listdir(FOLDER) if name.endswith(".jsonl"))
print(f"{total} bytes in all")
