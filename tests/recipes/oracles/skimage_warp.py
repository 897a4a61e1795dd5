"""skimage.transform.warp by matrices and by coordinates, and rescale. Run: python3 skimage_warp.py FOLDER [CASES_A_FUNCTION]."""

import os
import sys

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
try:
    from skimage import transform
except ImportError:
    transform = None
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import warnings

from _cases import Cases, absolute, not_installed, spec, np

if transform is None:
    not_installed("scikit-image")
warnings.simplefilter("ignore")
cases = Cases(sys.argv[1], 6)
count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
random = cases.random
for k in range(count):
    order, mode = k % 6, ("constant", "edge", "symmetric", "reflect", "wrap")[k // 6 % 5]
    height, width, new_height, new_width = cases.size(14 if mode == "symmetric" else 2, 40)
    # Of several channels it gives SciPy three axes with order 2, 4 and 5, and by coordinates.
    image = cases.picture(height, width, int(random.choice([1, 3])) if k % 2 and order in (1, 3) else 1, "f32")
    given = (image if image.shape[2] > 1 else image[..., 0]).astype("f8")
    how = {"order": order, "mode": mode}
    if mode == "constant":  # with clip, whether cval widens the range depends on the result
        how.update(clip=False, cval=float(random.choice([0, 0.25])))
    options = {key: str(value).lower() for key, value in how.items()}
    c, f = random.uniform(-0.3, 0.3, 2) * (width, height)
    if k % 2:
        (a, b), (d, e) = np.eye(2) * random.uniform(0.4, 1.6) + random.normal(0, 0.4, (2, 2))
        matrix = np.array([[a, b, c], [d, e, f], [0, 0, 1]])
        result = transform.warp(given, matrix, output_shape=(new_height, new_width), **how)
        at = {"affine": [float(v) for v in matrix[:2].ravel()]}
    else:
        y, x = random.uniform(-0.7, 1.7, (2, new_height, new_width)) * np.array([height, width]).reshape(2, 1, 1)
        result = transform.warp(given, np.array([y, x]), **how)
        options["inverse_map"] = "coordinates"
        at = {"map": np.stack([x, y], -1)}
    cases.add(spec("like:skimage/warp", options), image, result.astype("f4").reshape(*result.shape[:2], -1), "f32", absolute(2e-6), at)
for k in range(count // 4):
    order, mode = k % 6, ("reflect", "edge", "wrap")[k // 6 % 3]
    height, width, _, _ = cases.size(4, 48)
    image = cases.picture(height, width, 1, "f32")
    scale = tuple(float(v) for v in np.round(random.uniform(0.4, 2.5, 2), 3))
    result = transform.rescale(image[..., 0], scale, order=order, mode=mode, anti_aliasing=bool(k % 2))
    options = {"order": order, "mode": mode, "anti_aliasing": "true" if k % 2 else "false"}
    cases.add(spec("like:skimage/rescale", options), image, result[..., None].astype("f4"), "f32", absolute(2e-6))
cases.save()
