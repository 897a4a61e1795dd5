"""What the oracles of SciPy, scikit-image, ONNX Runtime, TensorFlow, JAX and Octave share: pictures, sizes, and cases.json."""

import json
import os
import sys

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

# Other pictures, and none smaller than this: for tests that need some that recipes were not made with.
OTHER_SEED, LEAST = int(os.environ.get("TEXELSCOPE_ORACLE_SEED", 0)), int(os.environ.get("TEXELSCOPE_ORACLE_LEAST", 0))
LEVELS = {"u8": 255, "u16": 65535, "f32": 1}


class Cases:
    def __init__(self, folder, seed):
        self.folder = folder
        self.random = np.random.default_rng(seed + OTHER_SEED)
        self.lines = []
        os.makedirs(folder, exist_ok=True)

    def picture(self, height, width, channels, kind):
        if self.random.random() < 0.5:
            values = self.random.random((height, width, channels))
        else:
            y, x = np.mgrid[0:height, 0:width]
            planes = [0.5 + 0.25 * np.sin(x / self.random.uniform(2, 9) + k) + 0.25 * np.cos(y / self.random.uniform(2, 9) - k)
                      for k in range(channels)]
            values = np.stack(planes, -1)
        return values.astype("f4") if kind == "f32" else np.rint(values * LEVELS[kind]).astype("u1" if kind == "u8" else "u2")

    def size(self, least=1, most=60):
        """Height and width before and after."""
        def pick(low):
            if LEAST > 0:
                return int(self.random.integers(LEAST, 3 * LEAST))
            return int(self.random.choice([max(low, 1), self.random.integers(low, max(low + 1, 12)), self.random.integers(low + 3, most),
                                           self.random.integers(low + 3, most)]))
        height, width = pick(least), pick(least)
        new_height = pick(1) if self.random.random() < 0.8 else max(1, height // int(self.random.integers(1, 4)))
        new_width = pick(1) if self.random.random() < 0.8 else width * int(self.random.integers(1, 4))
        return height, width, new_height, new_width

    def add(self, spec, image, result, kind, bound, at=None):
        """A case. `kind` is the image's type; where the library makes floats of levels, the case is one of floats. `at`: what
        positions its pixels read, of a function that is given them: rotate, translate, affine, or map with an array."""
        number = len(self.lines)
        if result.dtype == np.float32:
            kind = "f32"
        names = {"input": f"{number}.in.npy", "result": f"{number}.out.npy"}
        np.save(os.path.join(self.folder, names["input"]), np.ascontiguousarray(image))
        np.save(os.path.join(self.folder, names["result"]), np.ascontiguousarray(result))
        at = dict(at or {})
        if "map" in at:
            np.save(os.path.join(self.folder, f"{number}.map.npy"), np.ascontiguousarray(at["map"]))
            at["map"] = f"{number}.map.npy"
        self.lines.append({"spec": spec, **names, **at, "width": result.shape[1], "height": result.shape[0], "type": kind,
                           "alpha": False, "bound": bound})

    def save(self):
        with open(os.path.join(self.folder, "cases.json"), "w") as file:
            file.write("\n".join(json.dumps(line) for line in self.lines) + "\n")
        print(f"{len(self.lines)} cases")


def levels(share):
    return {"levels": 0 if share == 0 else 1, "share": share}


def absolute(most):
    return {"absolute": most}


def spec(name, options):
    return name + "".join((":" if k == 0 else ",") + f"{key}={value}" for k, (key, value) in enumerate(options.items()))


def not_installed(name):
    print(f"{name} is not installed")
    sys.exit(77)
