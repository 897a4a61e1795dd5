// PSD, byte by byte: "Adobe Photoshop File Formats Specification" of 2019.
#include <zlib.h>

#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

using Row = std::vector<Samples>;

constexpr int bitmap = 0, grey = 1, indexed = 2, rgb = 3, cmyk = 4, lab = 9;

std::string sized(const std::string& section) { return big32(uint32_t(section.size())) + section; }

struct Psd {
    int channels, width, height, depth, mode;
    std::string merged = {};  // begins with the code of its packing
    std::string palette = {}, resources = {}, layers = {};

    std::string bytes() const {
        return "8BPS"s + big16(1) + std::string(6, '\0') + big16(uint32_t(channels)) + big32(uint32_t(height)) +
               big32(uint32_t(width)) + big16(uint32_t(depth)) + big16(uint32_t(mode)) + sized(palette) +
               sized(resources) + sized(layers) + merged;
    }
};

// A layer of one row: its channels by id, each packed.
struct StoredLayer {
    std::string name;
    int width;
    std::vector<std::pair<int, std::string>> channels;
};

// The section of layers; `transparency`: the merged picture has transparency, which a negative count says.
std::string section_of(const std::vector<StoredLayer>& layers, bool transparency) {
    const int count = int(layers.size());
    std::string records = big16(uint32_t(transparency ? -count : count)), data;
    for (const StoredLayer& layer : layers) {
        records +=
            big32(0) + big32(0) + big32(1) + big32(uint32_t(layer.width)) + big16(uint32_t(layer.channels.size()));
        for (const auto& [id, packed] : layer.channels) {
            records += big16(uint32_t(id)) + big32(uint32_t(packed.size()));
            data += packed;
        }
        std::string name = char(layer.name.size()) + layer.name;
        while (name.size() % 4) name += '\0';
        records += "8BIMnorm\xff\0\0\0"s + sized(big32(0) + big32(0) + name);
    }
    return sized(records + data);
}

std::string plain(const std::string& samples) { return "\0\0"s + samples; }

using PsdFiles = ReadsBytes;

TEST_F(PsdFiles, GreyAndRgbOfEachDepth) {
    EXPECT_EQ(row_of(read("a.psd", Psd{1, 2, 1, 8, grey, plain("\x40\x50")}.bytes()), 0), (Row{{0x40}, {0x50}}));
    EXPECT_EQ(row_of(read("a.psd", Psd{3, 2, 1, 8, rgb, plain("\1\2\3\4\5\6")}.bytes()), 0),
              (Row{{1, 3, 5}, {2, 4, 6}}));
    EXPECT_EQ(row_of(read("a.psd", Psd{1, 1, 1, 16, grey, plain("\x12\x34")}.bytes()), 0), (Row{{0x1234}}));
    const Image wide = read("a.psd", Psd{1, 1, 1, 32, grey, plain(big32(0x40200000))}.bytes());
    EXPECT_EQ(wide.type(), SampleType::f32);
    EXPECT_EQ(wide.value(0, 0, 0), 2.5f);
    // A bit of 1 is black.
    EXPECT_EQ(row_of(read("a.psd", Psd{1, 3, 1, 1, bitmap, plain("\xa0")}.bytes()), 0), (Row{{0}, {255}, {0}}));
}

TEST_F(PsdFiles, RunsAreExpanded) {
    const std::string runs = "\0\1"s + big16(2) + big16(4) + "\xfe\7"s + "\2\1\2\3"s;
    const Image image = read("a.psd", Psd{1, 3, 2, 8, grey, runs}.bytes());
    EXPECT_EQ(row_of(image, 0), (Row{{7}, {7}, {7}}));
    EXPECT_EQ(row_of(image, 1), (Row{{1}, {2}, {3}}));
}

TEST_F(PsdFiles, IndicesAreColoursOfThePalette) {
    std::string palette(768, '\0');
    palette[1] = 1, palette[257] = 2, palette[513] = 3;  // colour 1; the table has all reds, all greens, all blues
    const Psd file{1, 2, 1, 8, indexed, plain("\1\0"s), palette};
    EXPECT_EQ(row_of(read("a.psd", file.bytes()), 0), (Row{{1, 2, 3}, {0, 0, 0}}));
    Psd transparent = file;
    transparent.resources = "8BIM" + big16(1047) + big16(0) + sized(big16(0));
    EXPECT_EQ(row_of(read("a.psd", transparent.bytes()), 0), (Row{{1, 2, 3, 255}, {0, 0, 0, 0}}));
}

TEST_F(PsdFiles, InksAreStoredInverted) {
    // Each ink takes its part of the light: no ink is white, cyan takes the red.
    const std::string samples = "\xff\0\xff"s + "\xff\xff\xff"s + "\xff\xff\xff"s + "\xff\xff\x80"s;
    EXPECT_EQ(row_of(read("a.psd", Psd{4, 3, 1, 8, cmyk, plain(samples)}.bytes()), 0),
              (Row{{255, 255, 255}, {0, 255, 255}, {128, 128, 128}}));
    const std::string wide = "\xff\xff"s + "\x80\0"s + "\xff\xff"s + "\xff\xff"s;
    EXPECT_EQ(row_of(read("a.psd", Psd{4, 1, 1, 16, cmyk, plain(wide)}.bytes()), 0), (Row{{65535, 0x8000, 65535}}));
}

TEST_F(PsdFiles, LabBecomesSrgb) {
    const auto at = [&](const std::string& samples) {
        const Image image = read("a.psd", Psd{3, 1, 1, 8, lab, plain(samples)}.bytes());
        EXPECT_EQ(image.type(), SampleType::u16);
        Samples of_255;
        for (int c = 0; c < image.channels(); ++c) of_255.push_back(int(std::lround(image.value(0, 0, c) * 255)));
        return of_255;
    };
    EXPECT_EQ(at("\xff\x80\x80"s), (Samples{255, 255, 255}));
    EXPECT_EQ(at("\0\x80\x80"s), (Samples{0, 0, 0}));
    // A grey of L = 53.6 (137): Y = 0.2151, which is 0.5010 by sRGB's curve.
    for (const int value : at("\x89\x80\x80"s)) EXPECT_NEAR(value, 128, 1);
    // The red of sRGB, relative to the white of D50: L 54.29, a 80.81, b 69.89.
    const Samples red = at("\x8a\xd1\xc6"s);
    EXPECT_NEAR(red[0], 255, 2);
    EXPECT_NEAR(red[1], 0, 16);
    EXPECT_NEAR(red[2], 0, 8);
}

TEST_F(PsdFiles, AFourthChannelIsTransparencyIfTheLayersSaySo) {
    Psd file{4, 1, 1, 8, rgb, plain("\xff\0\0\x33"s)};
    const Image selection = read("a.psd", file.bytes());
    EXPECT_EQ(selection.alpha(), Alpha::none);
    EXPECT_EQ(row_of(selection, 0), (Row{{255, 0, 0}}));
    Reading fourth;
    fourth.choice.channels = {"4"};
    EXPECT_EQ(row_of(read("a.psd", file.bytes(), fourth), 0), (Row{{0x33}}));
    file.layers = section_of({{"one", 1, {{0, plain("\1")}, {1, plain("\2")}, {2, plain("\3")}}}}, true);
    const Image transparent = read("a.psd", file.bytes());
    EXPECT_EQ(transparent.alpha(), Alpha::straight);
    EXPECT_EQ(row_of(transparent, 0), (Row{{255, 0, 0, 0x33}}));  // green and blue are too dark to be mixed with white
    file.layers = section_of({{"one", 1, {{0, plain("\1")}, {1, plain("\2")}, {2, plain("\3")}}}}, false);
    EXPECT_EQ(read("a.psd", file.bytes()).channels(), 3);
}

TEST_F(PsdFiles, WhatIsMixedWithWhiteIsTakenFromIt) {
    // Photoshop stores c·a + 255·(1 − a): 255, 204, 204 for red with an alpha of 51 (0.2).
    Psd file{4, 2, 1, 8, rgb, plain("\xff\x80\xcc\x40\xcc\x20\x33\xff"s)};
    file.layers = section_of({{"one", 1, {{0, plain("\1")}, {1, plain("\2")}, {2, plain("\3")}}}}, true);
    EXPECT_EQ(row_of(read("a.psd", file.bytes()), 0), (Row{{255, 0, 0, 0x33}, {0x80, 0x40, 0x20, 255}}));
}

// Deflated samples; for kind 3, they are the differences from one sample to the next.
std::string deflated(const std::string& samples, int kind) {
    uLongf size = compressBound(uLong(samples.size()));
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(samples.data()),
             uLong(samples.size()));
    return std::string{'\0', char(kind)} + packed.substr(0, size);
}

TEST_F(PsdFiles, LayersAreParts) {
    Psd file{3, 1, 1, 8, rgb, plain("\1\2\3")};
    file.layers =
        section_of({{"one", 2, {{-1, plain("\x33\x44")}, {0, plain("\1\2")}, {1, plain("\3\4")}, {2, plain("\5\6")}}},
                    {"two", 3, {{0, deflated("abc", 2)}, {1, deflated("def", 2)}, {2, deflated("a\1\1"s, 3)}}},
                    {"empty", 0, {}}},
                   false);
    EXPECT_EQ(row_of(read("a.psd", file.bytes()), 0), (Row{{1, 2, 3}}));
    const Image one = read("a.psd", file.bytes(), part_of("one"));
    EXPECT_EQ(one.alpha(), Alpha::straight);
    EXPECT_EQ(row_of(one, 0), (Row{{1, 3, 5, 0x33}, {2, 4, 6, 0x44}}));
    EXPECT_EQ(row_of(read("a.psd", file.bytes(), part_of("3")), 0),
              (Row{{'a', 'd', 'a'}, {'b', 'e', 'b'}, {'c', 'f', 'c'}}));
    EXPECT_NE(refusal([&] { read("a.psd", file.bytes(), part_of("empty")); }), "");
    const PictureFacts facts = read_facts(folder_ / "a.psd");
    ASSERT_EQ(facts.parts.size(), 4u);
    EXPECT_EQ(facts.parts[1].name, "one");
    EXPECT_EQ(facts.parts[2].width, 3);
}

TEST_F(PsdFiles, DeeperLayersArePredictedByTheirSamples) {
    // 16 bits: 0x1234, 0x1235. 32 bits: the bytes of both floats by rank, each as the difference from the one before.
    Psd deep{1, 1, 1, 16, grey, plain("\0\0"s)};
    deep.layers = section_of({{"a", 2, {{0, deflated("\x12\x34\0\1"s, 3)}}}}, false);
    EXPECT_EQ(row_of(read("a.psd", deep.bytes(), part_of("a")), 0), (Row{{0x1234}, {0x1235}}));
    Psd floats{1, 1, 1, 32, grey, plain(big32(0))};
    const std::string ranked = "\x40\x3f\x20\x80\0\0\0\0"s;  // 2.5 is 40200000, 1 is 3f800000
    std::string differences(1, ranked[0]);
    for (size_t i = 1; i < ranked.size(); ++i) differences += char(ranked[i] - ranked[i - 1]);
    floats.layers = section_of({{"a", 2, {{0, deflated(differences, 3)}}}}, false);
    const Image image = read("a.psd", floats.bytes(), part_of("a"));
    EXPECT_EQ(image.value(0, 0, 0), 2.5f);
    EXPECT_EQ(image.value(1, 0, 0), 1.0f);
}

TEST_F(PsdFiles, ThatEndEarlyLackTheLastRowsOfTheirLastPlane) {
    using Lines = std::pair<int64_t, int64_t>;
    EXPECT_EQ(missing_rows("a.psd", Psd{3, 1, 3, 8, rgb, plain("abcabcab")}.bytes()), Lines(2, 1));
    const std::string runs = "\0\1"s + big16(2) + big16(2) + "\xff\7"s + "\xff"s;
    EXPECT_EQ(missing_rows("a.psd", Psd{1, 2, 2, 8, grey, runs}.bytes()), Lines(1, 1));
    // The fourth channel, a saved selection, may be missing.
    EXPECT_EQ(missing_rows("a.psd", Psd{4, 1, 2, 8, rgb, plain("ababab")}.bytes()), Lines(0, 0));
}

TEST_F(PsdFiles, ThatAreNotWholeAreRefused) {
    const std::string file = Psd{3, 2, 1, 8, rgb, plain("\1\2\3\4\5\6")}.bytes();
    for (size_t size = 5; size < file.size(); ++size) EXPECT_NE(error("a.psd", file.substr(0, size)), "") << size;
    EXPECT_NE(error("a.psd", Psd{1, 3, 1, 8, grey, "\0\1"s + big16(2) + "\xff\7"s}.bytes()).find("2 of 3"),
              std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
