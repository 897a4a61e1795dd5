#pragma once
// A fuzz target: a name, seeds, and a function that feeds bytes to parsers. Under libFuzzer (see tests/CMakeLists.txt) that
// searches by itself; else driver.cpp damages the seeds in the same way at every run.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/files/bytes/rows.h"
#include "app/files/decoding/decoder.h"
#include "tests/files/bytes.h"

namespace fuzz {

struct Target {
    const char* name;
    int (*accepted)(texelscope::ByteSpan bytes);  // how many of the parsers accept these bytes
    std::vector<std::string> (*seeds)();          // inputs that they accept
};

inline std::vector<Target>& targets() {
    static std::vector<Target> all;
    return all;
}

struct Registered {
    explicit Registered(Target target) { targets().push_back(target); }
};

// True if `parse` returns, false if it throws Error; any other exception ends the program.
template <class Parse> bool accepts(Parse parse) {
    try {
        parse();
        return true;
    } catch (const texelscope::Error&) {
        return false;
    }
}

}  // namespace fuzz

namespace texelscope {

inline constexpr int most_pixels = 1 << 14;  // larger pictures only take time

// Takes only small pictures, which must be as they were announced.
struct SmallPicture : DecodingTarget {
    Image image;

    Image* begin(const PictureShape& shape, const PictureFacts& facts) override {
        if (shape.width < 1 || shape.height < 1 || shape.channels < 1 || shape.channels > 4) __builtin_trap();
        if (facts.orientation < 1 || facts.orientation > 8 || facts.part < 0) __builtin_trap();
        if (int64_t(shape.width) * shape.height > most_pixels) throw Error("too large for this");
        image = Image(shape.width, shape.height, shape.channels, shape.type, shape.alpha);
        return &image;
    }
    void rows_done(int rows) override {
        if (rows < 0 || rows > image.height()) __builtin_trap();
    }
};

inline Descriptor file_of(ByteSpan bytes) {
    Descriptor file(::memfd_create("fuzz", MFD_CLOEXEC));
    if (::write(file.number(), bytes.data(), bytes.size()) != ssize_t(bytes.size())) __builtin_trap();
    return file;
}

}  // namespace texelscope

namespace texelscope::test {

// Small files of formats that are decoded without a library: bitmaps, TGA, SGI, DDS, DPX, Cineon, PSD and GIF.

inline std::string at(std::string bytes, size_t place, const std::string& what) {
    return bytes.replace(place, what.size(), what);
}

inline std::vector<std::string> dib_seeds() {
    using namespace std::string_literals;
    const std::string palette = "\3\2\1\0\x13\x12\x11\0"s;
    const std::string with_alpha =
        dib_header(1, 1, 32, 3, 0, masks(0xff0000, 0xff00, 0xff) + little32(0xff000000) + std::string(52, '\0'));
    const std::string icon = dib_header(2, 2, 8, 0, 2) + palette + "\0\1\0\0\x40\0\0\0"s;
    return {
        bmp(dib_header(2, 2, 1, 0, 2) + palette, "\x40\0\0\0\x80\0\0\0"s),
        bmp(dib_header(2, -1, 16, 3) + masks(0xf800, 0x7e0, 0x1f), "abcd"),
        bmp(with_alpha, "abcd"),
        bmp(dib_header(3, 2, 8, 1, 2) + palette, "\2\1\0\2\1\1\0\3\0\1\0\0\0\1"s),
        bmp(dib_header(5, 1, 4, 2, 2) + palette, "\3\x10\0\2\1\0\0\1"s),
        "\0\0\1\0\1\0"s + "\2\1\0\0\1\0\x08\0"s + little32(uint32_t(icon.size())) + little32(22) + icon,
    };
}

inline std::vector<std::string> raster_seeds() {
    using namespace std::string_literals;
    const std::string dds = "DDS "s + little32(124) + std::string(4, '\0') + little32(4) + little32(4) +
                            std::string(56, '\0') + little32(32);
    const std::string dpx =
        at(at(at(std::string(1408, '\0'), 0, "SDPX" + big32(1408)), 768, big16(5) + big16(1) + big32(3) + big32(2)),
           800, "\x32\2\2\x0a\0\1\0\0"s);
    const std::string psd = "8BPS\0\1\0\0\0\0\0\0"s;
    const std::string layer = big32(0) + big32(0) + big32(1) + big32(2) + big16(2) + big16(0) + big32(4) +
                              big16(0xffff) + big32(5) + "8BIMnorm\xff\0\0\0"s + big32(12) + big32(0) + big32(0) +
                              "\1a\0\0"s;
    const std::string layers = big16(0xffff) + layer + "\0\0ab"s + "\0\1\0\2\1"s;
    std::vector<std::string> seeds = dib_seeds();
    seeds.insert(
        seeds.end(),
        {
            "\0\0\x0a\0\0\0\0\0\0\0\0\0\2\0\2\0\x20\x28\x82"s + "abcd\0efgh",
            "\0\1\1\1\0\2\0\x18\0\0\0\0\2\0\1\0\x08\0"s + "abcdef\1\2"s,
            "\x01\xda\1\1\0\3"s + big16(2) + big16(1) + big16(2) + std::string(500, '\0') + big32(528) + big32(531) +
                big32(3) + big32(4) + "\2a\0\x82"s + "bc\0"s,
            "\x01\xda\0\2\0\2"s + big16(1) + big16(1) + std::string(502, '\0') + "ab",
            dds + little32(0x41) + std::string(4, '\0') + little32(16) + little32(0xf00) + little32(0xf0) +
                little32(0xf) + little32(0xf000) + std::string(20, '\0') + std::string(32, 'a'),
            dds + little32(4) + "DXT5" + std::string(40, '\0') + "abcdefghijklmnop",
            dds + little32(4) + "DX10" + std::string(40, '\0') + little32(31) + little32(3) + little32(0) +
                little32(1) + little32(0) + std::string(64, 'a'),
            dpx + std::string(24, 'a'),
            "\x80\x2a\x5f\xd7"s +
                at(at(at(std::string(716, '\0'), 0, big32(712)), 189, "\3\0\0\0\1\x0a\0"s + big32(1) + big32(2)), 676,
                   "\0\5\0\0"s),
            psd + "\0\3"s + big32(1) + big32(2) + "\0\x08\0\3"s + big32(0) + big32(0) + big32(0) + "\0\0abcdef"s,
            psd + "\0\2"s + big32(1) + big32(2) + "\0\x08\0\1"s + big32(0) + big32(0) +
                big32(uint32_t(layers.size() + 4)) + big32(uint32_t(layers.size())) + layers +
                "\0\1\0\2\0\2\xff\7\xff\x08"s,
            psd + "\0\1"s + big32(1) + big32(3) + "\0\x08\0\2"s + big32(768) + std::string(768, 'p') + big32(14) +
                "8BIM" + big16(1047) + "\0\0"s + big32(2) + "\0\1"s + big32(0) + "\0\0\1\2\3"s,
            psd + "\0\3"s + big32(1) + big32(1) + "\0\x10\0\x09"s + big32(0) + big32(0) + big32(0) + "\0\0abcdef"s,
            "GIF87a\0\0\0\0\x80\0\0abcdef,\0\0\0\0\2\0\2\0\x40\2\2\x4c\1\0;"s,
        });
    return seeds;
}

}  // namespace texelscope::test
