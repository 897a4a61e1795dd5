"""scipy.ndimage's functions of positions: rotate, shift, affine_transform, map_coordinates. Run: python3 scipy_positions.py FOLDER
[CASES_A_FUNCTION]."""

import os
import sys

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
try:
    from scipy import ndimage
except ImportError:
    ndimage = None
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import warnings

from _cases import Cases, absolute, levels, not_installed, spec, np

if ndimage is None:
    not_installed("SciPy")
warnings.simplefilter("ignore")
MODES = ("constant", "wrap", "mirror", "reflect", "nearest", "grid-mirror", "grid-wrap", "grid-constant")
cases = Cases(sys.argv[1], 5)
count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
random = cases.random


def by_channel(image, function):
    return np.stack([function(image[..., c]) for c in range(image.shape[2])], -1)


for function in ("rotate", "shift", "affine_transform", "map_coordinates"):
    for k in range(count):
        order, mode, kind = k % 6, MODES[k // 6 % 8], ("f32", "f64", "u8")[k // 48 % 3]
        # Its filter of mode reflect starts wrongly on short axes, until 1.18.
        least = 14 if mode in ("reflect", "grid-mirror") and order > 1 else 1
        height, width, new_height, new_width = cases.size(least, 40)
        image = cases.picture(height, width, int(random.choice([1, 3, 4])), "u8" if kind == "u8" else "f32")
        given = image.astype("f8") if kind == "f64" else image
        how = {"order": order, "mode": mode}
        if mode.endswith("constant") and random.random() < 0.5:
            how["cval"] = 40 if kind == "u8" else 0.25
        if order > 1 and random.random() < 0.25:
            how["prefilter"] = False
        options = {key: str(value).lower() for key, value in how.items()}
        if function == "rotate":
            angle = float(random.uniform(-180, 180)) if k % 5 else float(90 * random.integers(-1, 3))
            reshape = bool(random.random() < 0.5)
            result = by_channel(given, lambda a: ndimage.rotate(a, angle, reshape=reshape, **how))
            at = {"rotate": angle}
        elif function == "shift":
            dy, dx = (float(v) for v in (random.uniform(-1.5, 1.5, 2) * (height, width) if k % 5 else random.integers(-9, 9, 2)))
            result = by_channel(given, lambda a: ndimage.shift(a, (dy, dx), **how))
            at = {"translate": [-dx, -dy]}
        elif function == "affine_transform":
            a, b, d, e = (float(v) for v in random.normal(0, 1, 4))
            if k % 3 == 0:
                a, b, d, e = abs(a) + 0.1, 0.0, 0.0, abs(e) + 0.1
            c, f = (float(v) for v in random.uniform(-0.5, 0.5, 2) * (width, height))
            result = by_channel(given, lambda p: ndimage.affine_transform(p, [[e, d], [b, a]], (f, c), (new_height, new_width), **how))
            at = {"affine": [a, b, c, d, e, f]}
        else:
            x = random.uniform(-1.2, 2.2, (new_height, new_width)) * width
            y = random.uniform(-1.2, 2.2, (new_height, new_width)) * height
            result = by_channel(given, lambda p: ndimage.map_coordinates(p, (y, x), **how))
            at = {"map": np.stack([x, y], -1)}
        if result.dtype != np.uint8:
            result = result.astype("f4")
        cases.add(spec(f"like:scipy/{function}", options), image, result, "u8" if kind == "u8" else "f32",
                  levels(0.02) if kind == "u8" else absolute(2e-6), at)
cases.save()
