#!/usr/bin/env python3
"""A slide of gigapixels, as a scanner of microscope slides writes it, to measure large images with.

usage: bench/make_slide.py FILE.svs [--side 100000]

FILE is a BigTIFF in Aperio's convention: RGB of 8 bits in JPEG tiles of 256 x 256 samples, the image and smaller ones of a
quarter of the side each. It is laid out from 64 textures whose brightness and colour change slowly across the image, so that every
level shows something; every tile is stored, so that the file is as large as that of a real slide (100000: 10 gigapixels, some
3 GB). Needs NumPy and Pillow; uses all cores.
"""

import argparse
import io
import math
import multiprocessing
import struct
import sys

import numpy as np
from PIL import Image

TILE = 256
KINDS = 64
FACTOR = 4
QUALITY = 85


def texture(kind):
    """Cells on a stained ground: discs of different darkness, alike at the borders of all tiles."""
    random = np.random.default_rng(kind)
    y, x = np.mgrid[0:TILE, 0:TILE].astype(np.float32)
    shade = kind / (KINDS - 1)
    ground = np.array([235 - 90 * shade, 190 - 120 * shade, 225 - 40 * shade], np.float32)
    tile = np.repeat(ground[None, None, :], TILE, 0).repeat(TILE, 1)
    for _ in range(14 + kind // 4):
        radius = random.uniform(4, 15)
        cx, cy = random.uniform(radius, TILE - radius, 2)
        inside = np.clip(radius - np.hypot((x - cx) * random.uniform(0.8, 1), y - cy), 0, 1)[..., None]
        tile += inside * (random.uniform([60, 30, 90], [120, 80, 160]) - tile) * 0.8
    tile += random.normal(0, 5, (TILE, TILE, 1))
    return np.clip(tile, 0, 255).astype(np.uint8)


def kind_at(tx, ty, across):
    """Which texture a tile has; arrays of positions of tiles, and their number along the image's side."""
    x, y = (tx + 0.5) / across, (ty + 0.5) / across
    wave = np.sin(9 * x + 4 * np.sin(5 * y)) + np.cos(11 * y - 3 * np.cos(7 * x)) + 0.4 * np.sin(40 * x * y + 25 * x)
    return np.clip(((wave + 2.4) / 4.8 * KINDS).astype(int), 0, KINDS - 1)


def packed(samples):
    out = io.BytesIO()
    Image.fromarray(samples).save(out, "JPEG", quality=QUALITY, subsampling=0)
    return out.getvalue()


def shrunk(samples, factor):
    side = samples.shape[0] // factor
    return samples.reshape(side, factor, side, factor, 3).mean((1, 3)).round().astype(np.uint8)


TEXTURES = [texture(kind) for kind in range(KINDS)]


def row_of_tiles(job):
    """The packed tiles of one row of a level whose samples are `factor` of the image's."""
    factor, row, across, of_image = job
    if factor == 1:
        blobs = [packed(t) for t in TEXTURES] if not row_of_tiles.blobs else row_of_tiles.blobs
        row_of_tiles.blobs = blobs
        return [blobs[k] for k in kind_at(np.arange(across), np.full(across, row), of_image)]
    thumbs = np.stack([shrunk(t, factor) for t in TEXTURES])
    rows = []
    for column in range(across):
        ty, tx = np.mgrid[row * factor:(row + 1) * factor, column * factor:(column + 1) * factor]
        tiles = thumbs[kind_at(np.minimum(tx, of_image - 1), np.minimum(ty, of_image - 1), of_image)]
        side = TILE // factor
        rows.append(packed(np.ascontiguousarray(tiles.transpose(0, 2, 1, 3, 4).reshape(factor * side, factor * side, 3))))
    return rows


row_of_tiles.blobs = None


def directory(side, offsets_at, counts_at, tiles, description_at, description_size):
    """The entries of a BigTIFF directory: tag, type, count, value or place."""
    SHORT, LONG, ASCII, LONG8 = 3, 4, 2, 16
    bits = struct.unpack("<Q", struct.pack("<HHHH", 8, 8, 8, 0))[0]
    subsampling = struct.unpack("<Q", struct.pack("<HHHH", 1, 1, 0, 0))[0]
    return [(254, LONG, 1, 0), (256, LONG, 1, side), (257, LONG, 1, side), (258, SHORT, 3, bits), (259, SHORT, 1, 7),
            (262, SHORT, 1, 6), (270, ASCII, description_size, description_at), (277, SHORT, 1, 3), (284, SHORT, 1, 1),
            (322, SHORT, 1, TILE), (323, SHORT, 1, TILE), (324, LONG8, tiles, offsets_at), (325, LONG8, tiles, counts_at),
            (530, SHORT, 2, subsampling)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--side", type=int, default=100000)
    options = parser.parse_args()
    side = options.side
    if side < 2 * TILE: sys.exit(f"--side {side}: at least {2 * TILE}")
    of_image = math.ceil(side / TILE)
    levels = []  # side, tiles along it, factor
    factor = 1
    while factor <= TILE and (factor == 1 or side // factor >= TILE):
        levels.append((side // factor, math.ceil(side // factor / TILE), factor))
        factor *= FACTOR
    with open(options.file, "wb", buffering=1 << 20) as out, multiprocessing.Pool() as pool:
        out.write(struct.pack("<2sHHHQ", b"II", 43, 8, 0, 0))
        placed = []
        for level_side, across, factor in levels:
            offsets, counts = [], []
            jobs = ((factor, row, across, of_image) for row in range(across))
            for tiles in pool.imap(row_of_tiles, jobs, chunksize=2):
                for blob in tiles:
                    offsets.append(out.tell())
                    counts.append(len(blob))
                    out.write(blob)
            placed.append((offsets, counts))
        link = 8
        for (level_side, across, factor), (offsets, counts) in zip(levels, placed):
            if out.tell() % 8: out.write(bytes(8 - out.tell() % 8))
            text = f"Aperio Image Library\r\n{level_side}x{level_side} ({TILE}x{TILE}) JPEG/RGB Q={QUALITY}|MPP = 0.25"
            text = text.ljust((len(text) + 8) // 8 * 8 - 1).encode() + b"\0"
            text_at = out.tell()
            out.write(text)
            offsets_at = out.tell()
            out.write(np.array(offsets, "<u8").tobytes())
            counts_at = out.tell()
            out.write(np.array(counts, "<u8").tobytes())
            at = out.tell()
            entries = directory(level_side, offsets_at, counts_at, len(offsets), text_at, len(text))
            out.write(struct.pack("<Q", len(entries)))
            for tag, kind, count, value in entries: out.write(struct.pack("<HHQQ", tag, kind, count, value))
            next_link = out.tell()
            out.write(struct.pack("<Q", 0))
            end = out.tell()
            out.seek(link)
            out.write(struct.pack("<Q", at))
            out.seek(end)
            link = next_link


if __name__ == "__main__":
    main()
