"""Octave's imresize; and MATLAB's, by the tables that the tests of Octave's have from it. Run: python3 octave.py FOLDER."""

import fractions
import glob
import math
import re
import shutil
import subprocess
import sys
import tempfile

from _cases import Cases, absolute, levels, not_installed, spec, np

OCTAVE = shutil.which("octave-cli")
CLASSES = {"uint8": "uint8", "uint16": "uint16", "float32": "single"}


def asked(script):
    return subprocess.run([OCTAVE, "--no-gui", "--norc", "-q", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def results(jobs):
    """Of (image, size or scale, method, antialiasing), by one run."""
    with tempfile.TemporaryDirectory() as folder:
        lines = ["pkg load image;"]
        for k, (image, size, method, antialiasing) in enumerate(jobs):
            image.T.copy().tofile(f"{folder}/{k}.in")
            kind = CLASSES[str(image.dtype)]
            more = "" if antialiasing == "auto" else f', "Antialiasing", {antialiasing}'
            shape = ",".join(map(str, image.shape))
            lines.append(f'f = fopen("{folder}/{k}.in"); a = reshape(fread(f, Inf, "{kind}=>{kind}"), [{shape}]); fclose(f);'
                         f'b = imresize(a, {size}, "{method}"{more}); f = fopen("{folder}/{k}.out", "w");'
                         'fwrite(f, [size(b, 1), size(b, 2), size(b, 3)], "int32"); fwrite(f, b, class(b)); fclose(f);')
        with open(f"{folder}/run.m", "w") as file:
            file.write("\n".join(lines))
        if not asked(f"{folder}/run.m"):
            not_installed("Octave's package image")
        out = []
        for k, job in enumerate(jobs):
            raw = open(f"{folder}/{k}.out", "rb").read()
            height, width, channels = np.frombuffer(raw[:12], np.int32)
            out.append(np.frombuffer(raw[12:], job[0].dtype).reshape((channels, width, height)).T.copy())
        return out


if not OCTAVE:
    not_installed("Octave")
cases = Cases(sys.argv[1], 4)
jobs, kinds, options = [], [], []
for kind in ("f32", "u8", "u16"):
    for method in ("nearest", "bilinear", "bicubic"):
        for antialiasing in ("auto", "true", "false"):
            if method == "nearest" and antialiasing == "true":
                continue  # a tie decides which sample counts
            for k in range(6):
                height, width, new_height, new_width = cases.size(1, 48)
                image = cases.picture(height, width, int(cases.random.choice([1, 3])), kind)
                option = {"method": method, "antialiasing": antialiasing}
                size = f"[{new_height} {new_width}]"
                if k > 3:
                    size = option["scale"] = repr(float(cases.random.choice([0.5, 0.25, 2.0, 1.5, cases.random.uniform(0.1, 3)])))
                jobs.append((image, size, method, antialiasing))
                kinds.append(kind)
                options.append(option)
for (image, _, method, _), kind, option, result in zip(jobs, kinds, options, results(jobs)):
    share = 0 if method == "nearest" else 0.02 if kind == "u8" else 0.06
    cases.add(spec("like:octave/imresize", option), image, result, kind, absolute(2e-6) if kind == "f32" else levels(share))


def table(text):
    return np.array([[float(number) for number in row.split()] for row in text.split("\n") if row.strip()])


# Of 8 bits; they assert one level, as Octave's own results differ by so much.
for path in glob.glob("/usr/share/octave/packages/image-*/imresize.m"):
    with open(path, encoding="utf8") as file:
        source = "\n".join(line[2:] for line in file.read().split("\n") if line.startswith("%!"))
    tables = {}
    for name, rows, call, expected in re.findall(r"(\w+) = \[([^\]]*)\];|assert \(imresize \((.*)\), uint8 \((\w+)\)", source):
        if name:
            tables[name] = rows
            continue
        image, scale, *rest = (part.strip().strip('"') for part in call.split(","))
        if image != "uint8 (in)" or not re.fullmatch(r"[0-9./]+", scale) or rest[:1] not in (["bilinear"], ["bicubic"]):
            continue
        before, after = table(tables["in"]), table(tables[expected])
        factor = float(fractions.Fraction(scale))
        if after.shape != tuple(math.ceil(size * factor) for size in before.shape):
            continue
        option = {"method": rest[0], "scale": repr(factor)}
        if len(rest) > 2:
            option["antialiasing"] = rest[2]
        cases.add(spec("like:matlab/imresize", option), before.astype("u1")[..., None], after.astype("u1")[..., None], "u8", levels(0.03))
cases.save()
