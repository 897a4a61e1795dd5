"""Shared by oracles: seeded pictures and sizes, and a folder of cases. Ends a script with status 77 if NumPy is missing."""

import json
import os
import sys

try:
    import numpy as np
except ImportError:
    print("NumPy is not installed")
    sys.exit(77)

DTYPES = {"u8": np.uint8, "u16": np.uint16, "f32": np.float32}


def missing(what):
    print(f"{what} is not installed")
    sys.exit(77)


# Other pictures, and none smaller than this: for tests that need some that recipes were not made with.
OTHER_SEED, LEAST = int(os.environ.get("TEXELSCOPE_ORACLE_SEED", 0)), int(os.environ.get("TEXELSCOPE_ORACLE_LEAST", 1))


class Cases:
    """Random pictures, 1 to 200 samples along an axis, enlarged and reduced; one in four to a related size."""

    def __init__(self, folder, seed=1, largest=160):
        self.folder, self.rng, self.largest, self.lines = folder, np.random.default_rng(seed + OTHER_SEED), largest, []

    def size(self):
        return int(round(2 ** self.rng.uniform(np.log2(LEAST), np.log2(self.largest))))

    def sizes(self):
        w, h, W, H = (self.size() for _ in range(4))
        if self.rng.random() < 0.25:  # a whole factor: many ties
            k = int(self.rng.integers(1, 4))
            W, H = (w * k, h * k) if self.rng.random() < 0.5 else (max(1, w // k), max(1, h // k))
        return w, h, W, H

    def picture(self, w, h, channels, type, alpha=False):
        rng = self.rng
        if rng.random() < 0.5:
            v = rng.random((h, w, channels))
        else:
            y, x = np.mgrid[0:h, 0:w]
            v = np.stack([0.5 + 0.5 * np.sin(x * rng.random() * 0.5 + y * rng.random() * 0.5 + k)
                          for k in range(channels)], -1)
        if alpha:  # colours of what is nearly transparent are anyone's guess
            v[..., -1] = 0.5 + 0.5 * v[..., -1]
        if type == "f32":
            return v.astype(np.float32)
        top = np.iinfo(DTYPES[type]).max
        return np.floor(v * top + 0.5).astype(DTYPES[type])

    def add(self, spec, picture, result, type, bound, alpha=False):
        k = len(self.lines)
        names = f"{k}_in.npy", f"{k}_out.npy"
        for name, values in zip(names, (picture, result)):
            np.save(os.path.join(self.folder, name), np.ascontiguousarray(values))
        self.lines.append(json.dumps({"spec": spec, "input": names[0], "result": names[1], "width": result.shape[1],
                                      "height": result.shape[0], "type": type, "alpha": alpha, "bound": bound}))

    def write(self):
        with open(os.path.join(self.folder, "cases.json"), "w") as file:
            file.write("\n".join(self.lines) + "\n")
        print(f"{len(self.lines)} cases")
