"""ONNX's Resize by onnxruntime: the Python package, or onnxruntime-node by node (its folder of node_modules in NODE_PATH). Models of
one node are encoded here. Run: python3 onnx.py FOLDER."""

import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
try:
    import onnxruntime
except ImportError:
    onnxruntime = None
sys.path.append(os.path.dirname(os.path.abspath(__file__)))

from _cases import Cases, absolute, levels, not_installed, spec, np

FLOAT, UINT8, INT64 = 1, 2, 7


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while True:
        out += bytes([n & 127 | (128 if n > 127 else 0)])
        n >>= 7
        if not n:
            return out


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def tensor(name, array):
    kind = FLOAT if array.dtype == np.float32 else INT64
    return b"".join(field(1, int(d)) for d in array.shape) + field(2, kind) + field(8, name) + field(9, array.tobytes())


def attribute(name, value):
    if isinstance(value, float):
        return field(1, name) + field(2, value) + field(20, 1)
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    return field(1, name) + field(4, value) + field(20, 3)


def described(name, kind, shape):
    dims = b"".join(field(1, field(1, int(d)) if d else field(2, f"d{k}")) for k, d in enumerate(shape))
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, dims)))


def model(shape, kind, attributes, sizes, scales, roi):
    """Of opset 19, or 11 for what was taken out later."""
    old = attributes.get("coordinate_transformation_mode") == "tf_half_pixel_for_nn"
    tensors, names = [], ["X", "", "", ""]
    for k, (name, values, kind_of) in enumerate((("roi", roi, "f4"), ("scales", scales, "f4"), ("sizes", sizes, "i8"))):
        if values is None and not (old and name != "sizes"):
            continue
        tensors.append(tensor(name, np.asarray([] if values is None else values, kind_of)))
        names[k + 1] = name
    while not names[-1]:
        names.pop()
    node = b"".join(field(1, name) for name in names) + field(2, "Y") + field(4, "Resize")
    node += b"".join(field(5, attribute(name, value)) for name, value in attributes.items())
    graph = field(1, node) + field(2, "g") + b"".join(field(5, t) for t in tensors)
    element = UINT8 if kind == "u8" else FLOAT
    graph += field(11, described("X", element, shape)) + field(12, described("Y", element, [0] * len(shape)))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 11 if old else 19))


RUN = r"""
const ort = require('onnxruntime-node'), fs = require('fs'), folder = process.argv[2];
(async () => {
  const shapes = [];
  for (const c of JSON.parse(fs.readFileSync(folder + '/cases.json'))) {
    const session = await ort.InferenceSession.create(folder + '/' + c.name + '.onnx', {logSeverityLevel: 4, intraOpNumThreads: 1});
    const raw = fs.readFileSync(folder + '/' + c.name + '.in');
    const data = c.kind == 'u8' ? new Uint8Array(raw) : new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
    const y = (await session.run({X: new ort.Tensor(c.kind == 'u8' ? 'uint8' : 'float32', data, c.shape)})).Y;
    fs.writeFileSync(folder + '/' + c.name + '.out', Buffer.from(y.data.buffer, y.data.byteOffset, y.data.byteLength));
    shapes.push(y.dims);
  }
  fs.writeFileSync(folder + '/shapes.json', JSON.stringify(shapes));
})();
"""


def by_node(jobs):
    with tempfile.TemporaryDirectory() as folder:
        listed = []
        for k, (x, kind, bytes_of_model) in enumerate(jobs):
            open(f"{folder}/{k}.onnx", "wb").write(bytes_of_model)
            x.tofile(f"{folder}/{k}.in")
            listed.append({"name": str(k), "kind": kind, "shape": x.shape})
        json.dump(listed, open(f"{folder}/cases.json", "w"))
        open(f"{folder}/run.js", "w").write(RUN)
        subprocess.run(["node", f"{folder}/run.js", folder], check=True)
        return [np.fromfile(f"{folder}/{k}.out", jobs[k][0].dtype).reshape(shape)
                for k, shape in enumerate(json.load(open(f"{folder}/shapes.json")))]


def by_python(jobs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return [onnxruntime.InferenceSession(m, options, providers=["CPUExecutionProvider"]).run(None, {"X": x})[0] for x, _, m in jobs]


def node_has_it():
    try:
        return subprocess.run(["node", "-e", "require('onnxruntime-node')"], stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


if not onnxruntime and not node_has_it():
    not_installed("onnxruntime")
cases = Cases(sys.argv[1], 3)
jobs, told = [], []


def add(kind, options, most=60):
    height, width, new_height, new_width = cases.size(1, most)
    channels = int(cases.random.choice([1, 3, 4]))
    image = cases.picture(height, width, channels, kind)
    attributes = {k: (float(v) if k in ("cubic_coeff_a", "extrapolation_value") else v) for k, v in options.items()}
    options, sizes, scales, roi = dict(options), [1, channels, new_height, new_width], None, None
    if cases.random.random() < 0.3:
        scale = float(np.float32(cases.random.uniform(0.3, 3)))
        if int(np.float32(scale) * height) > 0 and int(np.float32(scale) * width) > 0:
            options["scales"], sizes, scales = repr(scale), None, [1, 1, scale, scale]
    if options.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        region = [float(np.float32(cases.random.uniform(*r))) for r in ((-0.2, 0.5), (0.6, 1.2), (-0.2, 0.5), (0.6, 1.2))]
        options.update(zip(("roi_x_start", "roi_x_end", "roi_y_start", "roi_y_end"), map(repr, region)))
        roi = [0, 0, region[2], region[0], 1, 1, region[3], region[1]]
    x = np.ascontiguousarray(np.moveaxis(image, -1, 0)[None])
    jobs.append((x, kind, model(x.shape, kind, attributes, sizes, scales, roi)))
    told.append((kind, options, image))


for kind in ("f32", "u8"):
    for mode in ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn",
                 "tf_crop_and_resize"):
        alignment = {"coordinate_transformation_mode": mode}
        for nearest_mode in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"):
            for _ in range(2):
                add(kind, {"mode": "nearest", **alignment, "nearest_mode": nearest_mode})
        for _ in range(4):
            add(kind, {"mode": "linear", **alignment})
            if kind == "f32":
                add(kind, {"mode": "cubic", **alignment, "cubic_coeff_a": float(cases.random.choice([-0.75, -0.5]))})
                add(kind, {"mode": "cubic", **alignment, "exclude_outside": 1})
        if mode in ("tf_half_pixel_for_nn", "tf_crop_and_resize"):
            continue
        for method in ("linear", "cubic"):
            for exclude_outside in (0, 1):
                for _ in range(3):
                    add(kind, {"mode": method, **alignment, "antialias": 1, "exclude_outside": exclude_outside})
for (kind, options, image), result in zip(told, by_python(jobs) if onnxruntime else by_node(jobs)):
    fragile = options["mode"] == "cubic" and options.get("exclude_outside") and not options.get("antialias")
    bound = absolute(1e-4 if fragile else 4e-6) if kind == "f32" else levels(0 if options["mode"] == "nearest" else 0.03)
    cases.add(spec("like:onnx/resize", options), image, np.moveaxis(result[0], 0, -1), kind, bound)
cases.save()
