#!/usr/bin/env python3
"""Another program that knows the desktop's thumbnails, for the tests of ours.

    thumbnail.py write PATH LEVEL KEY=TEXT …     a grey PNG of 100×50 with these texts; a KEY that ends in ~ is compressed
    thumbnail.py check PATH WxH KEY=TEXT …       status 0 if it is a PNG of this size whose texts include these, and whose
                                                 checksums are right
"""

import struct
import sys
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def text_chunk(argument):
    key, text = (part.encode() for part in argument.split("=", 1))
    if key.endswith(b"~"):
        return chunk(b"zTXt", key[:-1] + b"\0\0" + zlib.compress(text))
    return chunk(b"tEXt", key + b"\0" + text)


def write(path, level, *texts):
    rows = (b"\0" + bytes([int(level)]) * 100) * 50
    with open(path, "wb") as file:
        file.write(SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", 100, 50, 8, 0, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(rows)))
        file.write(b"".join(text_chunk(text) for text in texts))  # behind the picture, as ImageMagick does
        file.write(chunk(b"IEND", b""))


def check(path, size, *wanted):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == SIGNATURE, "no PNG"
    at, found, header = 8, set(), None
    while at < len(data):
        (length,) = struct.unpack(">I", data[at:at + 4])
        kind, content = data[at + 4:at + 8], data[at + 8:at + 8 + length]
        (checksum,) = struct.unpack(">I", data[at + 8 + length:at + 12 + length])
        assert checksum == zlib.crc32(kind + content), f"the checksum of {kind}"
        if kind == b"IHDR":
            header = "{}x{}".format(*struct.unpack(">II", content[:8]))
        if kind == b"tEXt":
            found.add(content.replace(b"\0", b"=", 1).decode("latin-1"))
        at += 12 + length
    assert header == size, header
    missing = set(wanted) - found
    assert not missing, f"{missing} not among {found}"


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]](*sys.argv[2:])
