"""tf.image.resize and version 1's operators by TensorFlow; or, of these, bilinear and nearest by @tensorflow/tfjs-core and its CPU
backend (node_modules in NODE_PATH), which computes in float64. Run: python3 tensorflow.py FOLDER."""

import json
import os
import subprocess
import sys
import tempfile

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
try:
    import tensorflow as tf
except ImportError:
    tf = None
sys.path.append(os.path.dirname(os.path.abspath(__file__)))

from _cases import Cases, absolute, levels, not_installed, spec, np

RUN = r"""
const tf = require('@tensorflow/tfjs-core'), fs = require('fs'), folder = process.argv[2];
require('@tensorflow/tfjs-backend-cpu');
for (const c of JSON.parse(fs.readFileSync(folder + '/cases.json'))) {
  const raw = fs.readFileSync(folder + '/' + c.name + '.in');
  const x = tf.tensor4d(new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length)), c.shape);
  const y = (c.bilinear ? tf.image.resizeBilinear : tf.image.resizeNearestNeighbor)(x, c.size, c.align_corners, c.half_pixel_centers);
  fs.writeFileSync(folder + '/' + c.name + '.out', Buffer.from(y.dataSync().buffer));
}
"""


def node_has_it():
    try:
        return subprocess.run(["node", "-e", "require('@tensorflow/tfjs-core'); require('@tensorflow/tfjs-backend-cpu')"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def by_tfjs(cases):
    jobs = []
    with tempfile.TemporaryDirectory() as folder:
        for function in ("resize_bilinear", "resize_nearest_neighbor"):
            for align_corners, half_pixel_centers in ((False, False), (True, False), (False, True)):
                if function == "resize_nearest_neighbor" and (align_corners or half_pixel_centers):
                    continue  # ties of float64
                for _ in range(20):
                    height, width, new_height, new_width = cases.size()
                    image = cases.picture(height, width, 3, "f32")
                    name = str(len(jobs))
                    image.tofile(f"{folder}/{name}.in")
                    jobs.append((function, image, {"name": name, "bilinear": function == "resize_bilinear", "shape": [1, *image.shape],
                                                   "size": [new_height, new_width], "align_corners": align_corners,
                                                   "half_pixel_centers": half_pixel_centers}))
        json.dump([job[2] for job in jobs], open(f"{folder}/cases.json", "w"))
        open(f"{folder}/run.js", "w").write(RUN)
        subprocess.run(["node", f"{folder}/run.js", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for function, image, job in jobs:
            result = np.fromfile(f"{folder}/{job['name']}.out", "f4").reshape(*job["size"], 3)
            options = {key: str(job[key]).lower() for key in ("align_corners", "half_pixel_centers")}
            cases.add(spec(f"like:tensorflow/{function}", options), image, result, "f32", absolute(5e-6))


def by_tensorflow(cases):
    def add(name, options, call, image, kind, whole):
        result = np.asarray(call(image[None]))[0]
        if not whole:
            result = (result / (255 if kind == "u8" else 1)).astype("f4")
        cases.add(spec(name, options), image, result, kind, levels(0) if whole else absolute(5e-6))

    v1 = tf.compat.v1.image
    for kind in ("f32", "u8"):
        for _ in range(20):
            height, width, new_height, new_width = cases.size()
            image = cases.picture(height, width, int(cases.random.choice([1, 3])), kind)
            size = (new_height, new_width)
            for method in ("bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic"):
                for antialias in (False, True):
                    add("like:tensorflow/resize", {"method": method, "antialias": str(antialias).lower()},
                        lambda x: tf.image.resize(x, size, method, antialias=antialias), image, kind, method == "nearest" and kind == "u8")
            for align_corners, half_pixel_centers in ((False, False), (True, False), (False, True)):
                arguments = {"align_corners": align_corners, "half_pixel_centers": half_pixel_centers}
                options = {key: str(value).lower() for key, value in arguments.items()}
                for function in ("resize_nearest_neighbor", "resize_bilinear", "resize_bicubic"):
                    add(f"like:tensorflow/{function}", options, lambda x: getattr(v1, function)(x, size, **arguments), image, kind,
                        function == "resize_nearest_neighbor" and kind == "u8")


cases = Cases(sys.argv[1], 6)
if tf:
    by_tensorflow(cases)
elif node_has_it():
    by_tfjs(cases)
else:
    not_installed("TensorFlow")
cases.save()
