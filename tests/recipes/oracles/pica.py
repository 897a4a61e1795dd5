#!/usr/bin/env python3
"""Resizes pictures by pica in Node.js: pica.py FOLDER [CASES_A_FUNCTION]. NODE_PATH, or the folder, says where pica is."""

import os
import shutil
import struct
import subprocess
import sys

from _resized_cases import Cases, missing, np

SCRIPT = """
const fs = require('fs'), made = require('pica'), pica = (made.default || made)({features: [process.argv[3]]});
const filters = ['box', 'hamming', 'lanczos2', 'lanczos3', 'mks2013'];
(async () => {
  const data = fs.readFileSync(process.argv[1]), results = [];
  for (let at = 0; at < data.length;) {
    const [width, height, toWidth, toHeight, filter] = [0, 4, 8, 12, 16].map((k) => data.readUInt32LE(at + k));
    const src = new Uint8Array(width * height * 4);
    src.set(data.subarray(at + 20, at + 20 + src.length));
    at += 20 + src.length;
    results.push(Buffer.from(await pica.resizeBuffer({src, width, height, toWidth, toHeight, filter: filters[filter]})));
  }
  fs.writeFileSync(process.argv[2], Buffer.concat(results));
})();
"""
FILTERS = ["box", "hamming", "lanczos2", "lanczos3", "mks2013"]


def main():
    folder = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    if not shutil.which("node") or subprocess.run(["node", "-e", "require('pica')"], capture_output=True).returncode != 0:
        missing("pica")
    cases = Cases(folder, seed=11)
    asked = []
    for k in range(count * len(FILTERS)):
        w, h, W, H = cases.sizes()
        alpha = k % 7 == 6
        picture = cases.picture(w, h, 4, "u8", alpha)
        if not alpha:
            picture[..., 3] = 255
        asked.append((picture, W, H, k % len(FILTERS), alpha))
    source, target = os.path.join(folder, "in.bin"), os.path.join(folder, "out.bin")
    with open(source, "wb") as file:
        for picture, W, H, which, _ in asked:
            file.write(struct.pack("<5I", picture.shape[1], picture.shape[0], W, H, which) + picture.tobytes())
    subprocess.run(["node", "-e", SCRIPT, source, target, "js"], check=True)
    results, at = np.fromfile(target, np.uint8), 0
    for picture, W, H, which, alpha in asked:
        result = results[at:at + W * H * 4].reshape(H, W, 4)
        at += W * H * 4
        bound = {"levels": 1, "share": 0.12} if alpha else {"levels": 0}
        if not alpha:
            picture, result = picture[..., :3], result[..., :3]
        cases.add(f"like:pica/{FILTERS[which]}", picture, result, "u8", bound, alpha)
    cases.write()


main()
