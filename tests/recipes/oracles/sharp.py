#!/usr/bin/env python3
"""Resizes pictures by sharp in Node.js: sharp.py FOLDER [CASES_A_FUNCTION]. NODE_PATH, or the folder, says where sharp is."""

import json
import os
import shutil
import subprocess
import sys

from _resized_cases import Cases, missing, np

SCRIPT = """
const fs = require('fs'), path = require('path'), sharp = require('sharp');
sharp.concurrency(1);
(async () => {
  const folder = process.argv[1];
  for (const c of JSON.parse(fs.readFileSync(path.join(folder, 'asked.json')))) {
    const bytes = fs.readFileSync(path.join(folder, c.name + '.in')), words = c.type == 'u16';
    const data = new (words ? Uint16Array : Uint8Array)(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const space = words ? (c.channels < 3 ? 'grey16' : 'rgb16') : (c.channels < 3 ? 'b-w' : 'srgb');
    const made = await sharp(data, {raw: {width: c.width, height: c.height, channels: c.channels}})
      .resize({width: c.toWidth, height: c.toHeight, fit: 'fill', kernel: c.kernel}).toColourspace(space)
      .raw({depth: words ? 'ushort' : 'uchar'}).toBuffer();
    fs.writeFileSync(path.join(folder, c.name + '.out'), made);
  }
})();
"""
KERNELS = ["nearest", "linear", "cubic", "mitchell", "lanczos2", "lanczos3", "mks2013", "mks2021"]


def bound(kernel, type, shrinks, mixed):
    if shrinks:
        return {"levels": 0}
    if kernel == "nearest":  # ties depend on the strips that the enlargement of the other axis asks for
        return {"levels": 255 if type == "u8" else 65535, "share": 0.02} if mixed else {"levels": 0}
    if kernel == "linear":
        return {"levels": 1, "share": 0.03} if type == "u8" else {"levels": 32, "share": 1}
    return {"levels": 0} if type == "u8" else {"levels": 1, "share": 0.005}


def main():
    folder = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    if not shutil.which("node") or subprocess.run(["node", "-e", "require('sharp')"], capture_output=True).returncode != 0:
        missing("sharp")
    cases = Cases(folder, seed=13)
    asked, pictures = [], []
    for kernel in KERNELS:
        for k in range(count):
            type, channels = ("u8", "u8", "u16")[k % 3], (3, 1)[k % 2]
            w, h, W, H = cases.sizes()
            name = str(len(asked))
            picture = cases.picture(w, h, channels, type)
            picture.tofile(os.path.join(folder, name + ".in"))
            pictures.append(picture)
            asked.append({"name": name, "type": type, "width": w, "height": h, "channels": channels, "toWidth": W,
                          "toHeight": H, "kernel": kernel})
    with open(os.path.join(folder, "asked.json"), "w") as file:
        json.dump(asked, file)
    subprocess.run(["node", "-e", SCRIPT, folder], check=True)
    for of, picture in zip(asked, pictures):
        result = np.fromfile(os.path.join(folder, of["name"] + ".out"), picture.dtype)
        result = result.reshape(of["toHeight"], of["toWidth"], of["channels"])
        shrinks = of["toWidth"] <= of["width"] and of["toHeight"] <= of["height"]
        mixed = (of["toWidth"] - of["width"]) * (of["toHeight"] - of["height"]) < 0
        cases.add(f"like:sharp/{of['kernel']}", picture, result, of["type"], bound(of["kernel"], of["type"], shrinks, mixed))
    cases.write()


main()
