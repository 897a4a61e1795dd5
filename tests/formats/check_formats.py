#!/usr/bin/env python3
"""Writes arrays with the programs and libraries of Debian, reads the files with texelscope and compares every sample.

    check_formats.py PROGRAM [WORDS…]     only cases whose names contain all words; status 1 if one differs

A case is an array, the file that a writer made of it, and the meaning of its samples in the writer's format. Missing
writers are listed, not counted. Exit status: 0 all agree, 1 a sample differs or a file was refused, 77 no writer.
"""

import concurrent.futures
import importlib.util
import itertools
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

WIDTH, HEIGHT = 37, 11  # odd, and no multiple of eight: rows of single bits and of pairs have padding
RANDOM = np.random.default_rng(1)


def array(dtype, channels, width=WIDTH, height=HEIGHT):
    """An array in which every value of the type may occur, and the extremes do."""
    shape = (height, width, channels)
    kind = np.dtype(dtype)
    if kind == bool:
        return RANDOM.integers(0, 2, shape).astype(bool)
    if kind.kind == "f":
        values = RANDOM.normal(0, 3, shape).astype(kind)
        values[0, 0] = 0
        return values
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    values = RANDOM.integers(low, high, shape, dtype=kind, endpoint=True)
    values.flat[0], values.flat[-1] = low, high
    return values


def meaning(values):
    """The shown values of stored ones: 8 and 16 bits without sign are parts of the largest, all others are numbers."""
    values = np.asarray(values)
    if values.dtype == bool:
        return values.astype(float)
    if values.dtype in (np.uint8, np.uint16):
        return values / np.iinfo(values.dtype).max
    return values.astype(float)


def run(*words, data=None):
    done = subprocess.run([str(word) for word in words], input=data, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError(f"{words[0]}: {done.stderr.decode(errors='replace').strip()[:300]}")
    return done.stdout


def pam(values):
    """The bytes of a PAM, PGM or PPM file of 8 or 16 bits."""
    height, width, channels = values.shape
    most = np.iinfo(values.dtype).max
    data = values.astype(">u2" if most > 255 else "u1").tobytes()
    if channels in (1, 3):
        return b"P%d\n%d %d\n%d\n" % (5 if channels == 1 else 6, width, height, most) + data
    tuple_type = "GRAYSCALE_ALPHA" if channels == 2 else "RGB_ALPHA"
    return (f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH {channels}\nMAXVAL {most}\nTUPLTYPE {tuple_type}\nENDHDR\n"
            ).encode() + data


class Cases:
    """Cases (name, tolerance, write(path) -> expected samples), one generator method for each writer."""

    def numpy(self):
        for code, order, fortran in itertools.product("bBhHiIlLefd?", "<>", (False, True)):
            for shape in ((HEIGHT, WIDTH), (HEIGHT, WIDTH, 3)):
                values = array(np.dtype(code), shape[2] if len(shape) > 2 else 1).reshape(shape)

                def write(path, values=values, order=order, fortran=fortran):
                    stored = values.astype(values.dtype.newbyteorder(order))
                    np.save(path, np.asfortranarray(stored) if fortran else stored)
                    return meaning(values)
                yield f"numpy {values.dtype} {order} {'F' if fortran else 'C'} {len(shape)}-D .npy", 1e-6, write

    def pillow(self):
        from PIL import Image
        kinds = {"1": (bool, 1), "L": (np.uint8, 1), "LA": (np.uint8, 2), "RGB": (np.uint8, 3), "RGBA": (np.uint8, 4),
                 "I;16": (np.uint16, 1), "I": (np.int32, 1), "F": (np.float32, 1)}
        formats = {"png": ("1 L LA RGB RGBA I;16 P", [{}, {"optimize": True}]),
                   "tif": ("1 L LA RGB RGBA I;16 I F P", [{"compression": c} for c in
                                                         (None, "tiff_lzw", "packbits", "tiff_adobe_deflate")]),
                   "bmp": ("1 L RGB RGBA P", [{}]),
                   "tga": ("L LA RGB RGBA P", [{"compression": c} for c in (None, "tga_rle")]),
                   "sgi": ("L RGB RGBA", [{}]),
                   "dds": ("RGB RGBA", [{}]),
                   "ppm": ("1 L RGB", [{}]),
                   "webp": ("RGB RGBA", [{"lossless": True, "exact": True}]),
                   "jp2": ("L RGB RGBA I;16", [{"irreversible": False}]),
                   "ico": ("RGBA", [{"sizes": [(16, 16)]}]),
                   "gif": ("L P", [{}])}
        for extension, (modes, options) in formats.items():
            for mode, option in itertools.product(modes.split(), options):
                side = {"width": 16, "height": 16} if extension == "ico" else {}
                if mode == "P":
                    palette, indices = array(np.uint8, 3, 256, 1)[0], array(np.uint8, 1, **side)
                    values = palette[indices[..., 0]]
                else:
                    values = array(*kinds[mode], **side)

                def write(path, mode=mode, option=option, values=values, extension=extension,
                          extra=(palette, indices) if mode == "P" else None):
                    if extra:
                        image = Image.fromarray(extra[1][..., 0], "P")
                        image.putpalette(extra[0].tobytes())
                    elif mode == "I;16":
                        image = Image.frombytes("I;16", values.shape[1::-1], values.astype("<u2").tobytes())
                    else:
                        image = Image.fromarray(values[..., 0] if values.shape[2] == 1 else values)
                    image.save(path, **option)
                    expected = meaning(values)
                    if extension == "gif":
                        expected = np.dstack([expected if expected.shape[2] == 3 else np.repeat(expected, 3, 2),
                                              np.ones(expected.shape[:2])])
                    return expected
                words = " ".join(str(value) for value in option.values())
                yield f"Pillow {mode} {words} .{extension}", 1e-6, write

    def tifffile(self):
        import tifffile
        types = [bool, np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64, np.float16,
                 np.float32, np.float64]
        layouts = [{}, {"tile": (16, 32)}, {"rowsperstrip": 3}, {"bigtiff": True}, {"byteorder": ">"},
                   {"byteorder": ">", "bigtiff": True, "rowsperstrip": 4}]
        for dtype, channels, layout, planar in itertools.product(types, (1, 3, 4), layouts, (False, True)):
            if dtype is bool and (channels > 1 or "tile" in layout) or planar and channels == 1:
                continue
            values = array(dtype, channels)

            def write(path, values=values, layout=layout, planar=planar):
                channels = values.shape[2]
                options = dict(layout, photometric="rgb" if channels > 1 else "minisblack")
                if channels == 4:
                    options["extrasamples"] = ["unassalpha"]
                if planar:
                    options["planarconfig"] = "separate"
                stored = np.moveaxis(values, 2, 0) if planar else values if channels > 1 else values[..., 0]
                tifffile.imwrite(path, np.ascontiguousarray(stored), **options)
                return meaning(values)
            words = " ".join(f"{key}={value}" for key, value in layout.items())
            yield f"tifffile {np.dtype(dtype)} ×{channels} {words}{' separate' if planar else ''} .tif", 1e-6, write

    def netpbm(self):
        tools = {"pnmtopng": ("png", (np.uint8, np.uint16), (1, 3)), "pnmtotiff": ("tif", (np.uint8,), (1, 3)),
                 "ppmtobmp": ("bmp", (np.uint8,), (3,)), "pamtotga": ("tga", (np.uint8,), (1, 3)),
                 "pnmtosgi": ("sgi", (np.uint8, np.uint16), (1, 3)), "pamtofits": ("fits", (np.uint8, np.uint16), (1,)),
                 "pamtopfm": ("pfm", (np.uint8, np.uint16), (1, 3))}
        for tool, (extension, types, counts) in tools.items():
            if not shutil.which(tool):
                continue
            for dtype, channels in itertools.product(types, counts):
                values = array(dtype, channels)

                def write(path, tool=tool, extension=extension, values=values):
                    path.write_bytes(run(tool, data=pam(values)))
                    # In FITS the first row is the lowest, but for netpbm, which says so in its manual.
                    return meaning(values[::-1] if extension == "fits" else values)
                yield f"{tool} {np.dtype(dtype)} ×{channels} .{extension}", 1e-6, write

    def imagemagick(self):
        convert = shutil.which("convert-im6.q16hdri") or shutil.which("convert-im6.q16") or "convert"
        writers = [("png", [], (1, 2, 3, 4), (8, 16)), ("tif", ["-compress", "none"], (1, 2, 3, 4), (8, 16)),
                   ("tif", ["-compress", "zip"], (1, 3), (8, 16)),
                   ("tif", ["-compress", "zip", "-define", "tiff:fill-order=lsb"], (1, 3), (8, 16)),
                   ("tif", ["-compress", "lzw"], (3,), (8, 16)),
                   ("tif", ["-endian", "MSB"], (3,), (16,)), ("bmp", [], (3, 4), (8,)),
                   ("sgi", [], (1, 3, 4), (8, 16)), ("psd", [], (1, 3), (8, 16)), ("dpx", [], (3,), (8, 16)),
                   ("ppm", [], (3,), (8, 16)), ("pam", [], (1, 2, 3, 4), (8, 16)),
                   ("dds", ["-define", "dds:compression=none"], (3, 4), (8,)), ("fits", [], (1,), (8, 16))]
        for extension, options, counts, depths in writers:
            for channels, depth in itertools.product(counts, depths):
                values = array(np.uint8 if depth == 8 else np.uint16, channels)

                def write(path, values=values, options=options, depth=depth):
                    run(convert, "pam:-" if values.shape[2] in (2, 4) else "pnm:-", "-depth", depth, *options, path,
                        data=pam(values))
                    return meaning(values)
                yield f"ImageMagick {depth} bits ×{channels} {' '.join(options)} .{extension}", 1e-6, write

    def vips(self):
        if not shutil.which("vips"):
            return
        suffixes = {"tif": ["", "[compression=lzw]", "[compression=deflate,predictor=horizontal]", "[tile]", "[bigtiff]",
                            "[tile,compression=zstd]", "[compression=packbits]"],
                    "png": ["", "[interlace]", "[compression=1]"], "fits": [""], "webp": ["[lossless]"],
                    "jp2": ["[lossless]"], "jxl": ["[lossless]"], "ppm": [""]}
        for extension, options in suffixes.items():
            types = (np.uint8, np.uint16) if extension in ("tif", "png", "fits", "jp2", "ppm") else (np.uint8,)
            for option, dtype, channels in itertools.product(options, types, (1, 3)):
                if (extension, channels) in (("webp", 1), ("ppm", 1), ("fits", 3)):
                    continue
                values = array(dtype, channels)

                def write(path, values=values, option=option):
                    source = path.with_suffix(".source.ppm")
                    source.write_bytes(pam(values))
                    run("vips", "copy", source, f"{path}{option}")
                    return meaning(values)
                yield f"vips {np.dtype(dtype)} ×{channels} {option} .{extension}", 1e-6, write

    def ffmpeg(self):
        if not shutil.which("ffmpeg"):
            return
        layouts = {"gray": (np.uint8, 1), "rgb24": (np.uint8, 3), "rgba": (np.uint8, 4), "gray16le": (np.uint16, 1),
                   "rgb48le": (np.uint16, 3), "rgba64le": (np.uint16, 4)}
        files = {"png": "gray rgb24 rgba", "tif": "gray rgb24 rgba", "bmp": "gray rgb24", "tga": "gray rgb24",
                 "sgi": "gray rgb24 rgba", "dpx": "rgb24", "qoi": "rgb24 rgba", "pam": "gray rgb24 rgba"}
        for extension, formats in files.items():
            for layout in formats.split():
                values = array(*layouts[layout])

                def write(path, values=values, layout=layout):
                    height, width = values.shape[:2]
                    run("ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", layout, "-s", f"{width}x{height}",
                        "-i", "-", "-frames:v", 1, "-pix_fmt", layout, path, data=values.tobytes())
                    return meaning(values)
                yield f"ffmpeg {layout} .{extension}", 1e-6, write

    def single_programs(self):
        png = lambda path, values: path.write_bytes(run("pnmtopng", data=pam(values)))
        for dtype, channels in itertools.product((np.uint8, np.uint16), (1, 3)):
            programs = [("cjxl", "jxl", lambda a, b: ["cjxl", a, b, "-d", 0, "-e", 1, "--quiet"])]
            if dtype == np.uint8 and channels == 3:
                programs.append(("cwebp", "webp", lambda a, b: ["cwebp", "-quiet", "-lossless", "-exact", a, "-o", b]))
                programs.append(("avifenc", "avif", lambda a, b: ["avifenc", "--lossless", "-s", 10, a, b]))
            for program, extension, words in programs:
                if not shutil.which(program) or not shutil.which("pnmtopng"):
                    continue
                values = array(dtype, channels)

                def write(path, values=values, words=words):
                    source = path.with_suffix(".source.png")
                    png(source, values)
                    run(*words(source, path))
                    return meaning(values)
                yield f"{program} {np.dtype(dtype)} ×{channels} .{extension}", 1e-6, write

    def all(self):
        writers = {"numpy": self.numpy, "pillow": self.pillow, "tifffile": self.tifffile, "netpbm": self.netpbm,
                   "ImageMagick": self.imagemagick, "vips": self.vips, "ffmpeg": self.ffmpeg,
                   "single programs": self.single_programs}
        for name, module in (("pillow", "PIL"), ("tifffile", "tifffile")):
            if not importlib.util.find_spec(module):
                print(f"not installed: {name}")
                del writers[name]
        for writer in writers.values():
            yield from writer()


def differs(program, folder, number, case):
    """The reason why the file is not read as it was written, or None."""
    name, tolerance, write = case
    path = folder / f"{number}{name[name.rindex('.'):]}"
    out = folder / f"{number}.out.npy"
    expected = write(path)
    done = subprocess.run([program, "resize", path, "-o", out, "--factor", "1", "--method", "nearest", "--antialias", "off"],
                          capture_output=True)
    if done.returncode != 0:
        return done.stderr.decode(errors="replace").strip()
    got = np.load(out)
    expected, got = (a[..., None] if a.ndim == 2 else a for a in (expected, got))
    if got.shape != expected.shape:
        return f"shape {got.shape}, written were {expected.shape}"
    error = np.abs(got.astype(float) - expected)
    bad = ~(error <= tolerance * np.maximum(1, np.abs(expected)))
    if not bad.any():
        return None
    at = tuple(int(i) for i in np.argwhere(bad)[0])
    return f"{bad.sum()} of {bad.size} samples differ, the first at {at}: {got[at]}, written was {expected[at]}"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, words = sys.argv[1], sys.argv[2:]
    cases = [case for case in Cases().all() if all(word in case[0] for word in words)]
    if not cases:
        print("skipped: no writer is installed")
        sys.exit(77)
    failed = unwritten = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        def check(numbered):
            try:
                return differs(program, pathlib.Path(folder), *numbered)
            except RuntimeError as error:
                return error
        for case, why in zip(cases, pool.map(check, enumerate(cases))):
            if isinstance(why, RuntimeError):
                unwritten += 1
                print(f"not written: {case[0]}: {why}")
            elif why:
                failed += 1
                print(f"FAILED {case[0]}: {why}")
    print(f"{len(cases) - failed - unwritten} files are read as they were written, {failed} are not, "
          f"{unwritten} could not be written")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
