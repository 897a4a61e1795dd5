// Which images are read by regions, and how.

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "app/files/test_images/test_images.h"
#include "app/files/tiles/file_tiles.h"
#include "app/files/tiles/open_tiles.h"
#include "gpu/core/tile_source.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/stored_tiles.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

// "" unless it is to be read as a whole.
std::string why_whole(const std::string& source, const TilesOptions& options = {}) {
    const TilesOrWhy opened = open_tiles(source, options);
    EXPECT_EQ(opened.why.empty(), opened.tiles != nullptr);
    return opened.why;
}

TEST(OpenTiles, LargeTestImagesAreMadeByRegions) {
    const auto tiles = open_tiles("@zone-plate:200000").tiles;
    EXPECT_EQ(tiles->info().width, 200000);
    EXPECT_EQ(why_whole("@zone-plate:32768"),
              "@zone-plate:32768 is read as a whole: its 32768×32768 samples take no more than 1024 MiB");
    EXPECT_EQ(open_tiles("@zone-plate:32769").tiles->info().height, 32769);
    EXPECT_EQ(why_whole("@noise:65536"), "@noise:65536 is read as a whole: every sample of it depends on all others");
    EXPECT_THROW(open_tiles("@zone-plat:65536"), UsageError);
}

TEST(OpenTiles, OwnFormatsAreReadWhereTheyLie) {
    const Folder folder;
    const std::string path = folder / "a.npy";
    write_image(make_test_image("@zone-plate:300x200"), path);
    EXPECT_THAT(why_whole(path), HasSubstr("a.npy is read as a whole: its 300×200 samples take no more than 1 MiB"));
    expect_same_regions(*open_tiles(path, {.worth = 1}).tiles, load_image(path), 0, 10);
    const std::string chosen = with_choice(path, {.channels = {"1"}});
    expect_same_regions(*open_tiles(chosen, {.worth = 1}).tiles, load_image(chosen), 0, 10);
}

TEST(OpenTiles, TiffIsDecodedByRegions) {
    if (!TEXELSCOPE_WITH_OIIO) GTEST_SKIP() << "TIFF is read and written by OpenImageIO";
    const Folder folder;
    const std::string path = folder / "a.tif";
    write_image(make_test_image("@text:300x200"), path);
    expect_same_regions(*open_tiles(path, {.worth = 1}).tiles, load_image(path), 0, 10);
    EXPECT_THAT(why_whole(path), HasSubstr("a.tif is read as a whole: its 300×200 samples"));
}

TEST(OpenTiles, WhatIsDecodedInOrderIsDecodedOnce) {
    const Folder folder;
    const std::string path = folder / "a.png";
    write_image(make_test_image("@text:700x600"), path);
    int reports = 0;
    const TilesOptions options{
        .worth = 1, .cache = TileFolder(folder / "cache"), .progress = [&](double) { ++reports; }};
    for (const std::string& source : {path, path + "#channels=G"}) {
        reports = 0;
        expect_same_regions(*open_tiles(source, options).tiles, load_image(source), 0, 10);
        EXPECT_GT(reports, 0);
        reports = 0;
        expect_same_regions(*open_tiles(source, options).tiles, load_image(source), 0, 10);
        EXPECT_EQ(reports, 0);
    }
    EXPECT_THAT(why_whole(path, {.cache = options.cache}), HasSubstr("a.png is read as a whole: its 700×600 samples"));
    EXPECT_THAT(why_whole(path, {.worth = 1, .cache = TileFolder(std::filesystem::path())}),
                HasSubstr("a.png is read as a whole: its tiles cannot be kept (there is no folder for a cache)"));
}

TEST(OpenTiles, WhatIsNotInPartsSaysWhy) {
    const Folder folder;
    EXPECT_THAT(why_whole(folder.write("a.pgm", "P2 1 1 255 7\n"), {.worth = 1}),
                HasSubstr("a.pgm is read as a whole: its samples are text"));
    EXPECT_THAT(why_whole("-"), HasSubstr("standard input is read as a whole"));
    EXPECT_THAT(why_whole("points.csv"), HasSubstr("it is a table"));
}

TEST(OpenTiles, WhatCannotBeReadAtAllIsAnErrorOfItsFile) {
    const Folder folder;
    EXPECT_THROW(open_tiles(folder / "none.npy"), FileError);
    EXPECT_THAT(test::refusal([&] { open_tiles(folder.write("a.npy", "\x93NUMPY nonsense")); }), HasSubstr("a.npy: "));
}

// Which images are read by regions when they are opened, and which as a whole.

TEST(OpenImage, SmallOnesAreInMemoryAndTheSameAsEver) {
    const Image opened = open_image("@zone-plate:256"), loaded = load_image("@zone-plate:256");
    ASSERT_TRUE(opened.in_memory());
    ASSERT_EQ(opened.size_bytes(), loaded.size_bytes());
    EXPECT_TRUE(std::equal(opened.data(), opened.data() + opened.size_bytes(), loaded.data()));
}

TEST(OpenImage, ATestImageOfMoreThanAGigabyteIsReadByRegions) {
    const Image image = open_image("@zone-plate:200000");
    EXPECT_FALSE(image.in_memory());
    EXPECT_EQ(image.width(), 200000);
    EXPECT_EQ(image.height(), 200000);
    EXPECT_EQ(image.size_bytes(), 0u);
    ASSERT_TRUE(image.tiles());
    EXPECT_EQ(image.tiles()->info().channels, image.channels());
}

#if TEXELSCOPE_WITH_OIIO
// A tiled TIFF of grey bytes, all of whose tiles are the same megabyte of the file.
std::string small_file_of_a_large_picture(int columns, int rows) {
    constexpr uint32_t tile = 1024, word = 3, number = 4;
    const auto count = uint32_t(columns * rows), samples = 8u, offsets = samples + tile * tile,
               sizes = offsets + 4 * count;
    std::string file = std::string("II*\0", 4) + little32(sizes + 4 * count);
    for (uint32_t y = 0; y < tile; ++y)
        for (uint32_t x = 0; x < tile; ++x) file += char(x ^ y);
    for (uint32_t k = 0; k < count; ++k) file += little32(samples);
    for (uint32_t k = 0; k < count; ++k) file += little32(tile * tile);
    const uint32_t entries[][4] = {{256, number, 1, uint32_t(columns) * tile},
                                   {257, number, 1, uint32_t(rows) * tile},
                                   {258, word, 1, 8},
                                   {259, word, 1, 1},
                                   {262, word, 1, 1},
                                   {277, word, 1, 1},
                                   {322, number, 1, tile},
                                   {323, number, 1, tile},
                                   {324, number, count, offsets},
                                   {325, number, count, sizes}};
    file += little16(uint32_t(std::size(entries)));
    for (const auto& [tag, type, values, value] : entries)
        file += little16(tag) + little16(type) + little32(values) + little32(value);
    return file + little32(0);
}

TEST(OpenImage, ASmallFileOfALargePictureIsReadByRegions) {
    const Folder folder;
    const auto path = folder.write("scan.tif", small_file_of_a_large_picture(40, 32));
    ASSERT_LT(std::filesystem::file_size(path), 2u << 20);
    const Image image = open_image(path.string());
    EXPECT_FALSE(image.in_memory());
    EXPECT_EQ(image.width(), 40 * 1024);
    EXPECT_EQ(image.height(), 32 * 1024);
    uint8_t sample = 0;
    image.tiles()->read(0, {40000, 20000, 1, 1}, reinterpret_cast<std::byte*>(&sample), 1);
    EXPECT_EQ(sample, uint8_t((40000 % 1024) ^ (20000 % 1024)));
}
#endif

TEST(OpenImage, WhatIsUnknownIsSaidAsEver) {
    EXPECT_THROW(open_image("@no-such-image:100"), Error);
    EXPECT_THROW(open_image("/no/such/file.png"), FileError);
}

// Test images of which only regions are made.

TEST(GeneratedTiles, RegionsAreThoseOfTheWholeImage) {
    int made = 0;
    for (const TestImage& image : test_images()) {
        if (!image.generator.part) continue;
        ++made;
        for (const auto& [width, height] : {std::pair{1, 1}, {301, 173}, {64, 640}}) {
            const std::string spec = fmt::format("@{}:{}x{}", image.id, width, height);
            SCOPED_TRACE(spec);
            const auto tiles = generated_tiles(spec);
            EXPECT_EQ(tiles->levels(), 1);
            expect_same_regions(*tiles, make_test_image(spec), 0, 10);
        }
    }
    EXPECT_GE(made, 20);
}

TEST(GeneratedTiles, WhatDependsOnAllSamplesIsRefused) {
    for (const char* spec : {"@noise:4096", "@natural", "@dead-leaves"}) EXPECT_FALSE(generated_tiles(spec)) << spec;
    EXPECT_THROW(generated_tiles("@zone-plat:4096"), UsageError);
    EXPECT_THROW(generated_tiles("@zone-plate:16777217"), UsageError);
}

// The zone plate's formula in integers: the phase is r² / 2N turns, with (2r)² a whole number.
int exact_zone_plate(int64_t size, int64_t x, int64_t y) {
    const int64_t dx = 2 * x - (size - 1), dy = 2 * y - (size - 1);
    const long double turns = (long double)((dx * dx + dy * dy) % (8 * size)) / (long double)(8 * size);
    const long double value = 0.5L + 0.5L * std::cos(2 * 3.14159265358979323846264338327950288L * turns);
    return int(std::floor(value * 255 + 0.5L));
}

TEST(GeneratedTiles, AGiganticZonePlateIsExactEverywhere) {
    constexpr int size = 200000, side = 97;
    const auto tiles = generated_tiles("@zone-plate:200000");
    EXPECT_EQ(tiles->info().width, size);
    EXPECT_EQ(tiles->info().height, size);
    for (const int x : {0, 1, 99951, 131071, size - side})
        for (const int y : {0, 65535, 99999, size - side}) {
            const Image part = region_of(*tiles, {x, y, side, side});
            for (int j = 0; j < side; ++j)
                for (int i = 0; i < side; ++i)
                    ASSERT_EQ(part.row_as<uint8_t>(j)[i], exact_zone_plate(size, x + i, y + j))
                        << x + i << ", " << y + j;
        }
}

TEST(GeneratedTiles, ThreadsReadAtTheSameTime) {
    const auto tiles = generated_tiles("@frequency-chart:701x403");
    const Image whole = make_test_image("@frequency-chart:701x403");
    expect_same_regions_in_threads(*tiles, {whole}, 99);
}

TEST(GeneratedTiles, WhatIsNotInsideIsRefused) {
    const auto tiles = generated_tiles("@zone-plate:200000");
    std::byte sample{};
    for (const SampleRegion& region :
         {SampleRegion{-1, 0, 1, 1}, {0, 200000, 1, 1}, {199999, 0, 2, 1}, {0, 0, 0, 1}, {INT64_MAX, 0, 1, 1}})
        EXPECT_THROW(tiles->read(0, region, &sample, 1), Error);
    EXPECT_THROW(tiles->read(1, {0, 0, 1, 1}, &sample, 1), Error);
}

// Uncompressed files that are read by regions from where their samples lie.

std::string random_bytes(size_t count) {
    std::mt19937 random(7);
    std::string bytes(count, '\0');
    for (char& each : bytes) each = char(random());
    return bytes;
}

std::string npy_of(const std::string& descr, const std::string& shape, size_t bytes, bool fortran = false) {
    return npy(
        "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }",
        random_bytes(bytes));
}

class RawTiles : public testing::Test {
protected:
    void expect_same(const std::string& name, const std::string& content, const PictureChoice& choice = {}) {
        SCOPED_TRACE(name);
        const auto path = folder_.write(name, content);
        const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), choice);
        EXPECT_EQ(tiles->levels(), 1);
        expect_same_regions(*tiles, read_image(path, {.choice = choice}), 0, 10);
    }
    std::string refusal(const std::string& name, const std::string& content) {
        const auto path = folder_.write(name, content);
        return test::refusal([&] { raw_tiles(std::make_shared<const OpenedFile>(path), {}); });
    }

    Folder folder_;
};

TEST_F(RawTiles, ArraysOfEveryTypeAndByteOrder) {
    const std::pair<const char*, size_t> types[] = {
        {"|u1", 1}, {"<u2", 2}, {">u2", 2},   {"<f2", 2}, {">f2", 2}, {"<f4", 4}, {">f4", 4}, {"|b1", 1}, {"<f8", 8},
        {">f8", 8}, {"<c8", 8}, {">c16", 16}, {"|i1", 1}, {">i2", 2}, {"<i4", 4}, {">u4", 4}, {"<i8", 8}, {">u8", 8}};
    for (const auto& [descr, bytes] : types) {
        expect_same("two.npy", npy_of(descr, "(63, 170)", 63 * 170 * bytes));
        const bool complex = descr[1] == 'c';
        expect_same("three.npy",
                    npy_of(descr, complex ? "(41, 97, 2)" : "(41, 97, 3)", 41 * 97 * (complex ? 2 : 3) * bytes));
    }
}

TEST_F(RawTiles, ChosenChannelsOfAnArray) {
    expect_same("seven.npy", npy_of(">u2", "(30, 41, 7)", 30 * 41 * 7 * 2));
    expect_same("seven.npy", npy_of(">u2", "(30, 41, 7)", 30 * 41 * 7 * 2), {.channels = {"7", "2"}});
    expect_same("three.npy", npy_of("|u1", "(30, 41, 3)", 30 * 41 * 3), {.channels = {"3", "2", "1"}});
}

TEST_F(RawTiles, PortableMaps) {
    expect_same("a.pgm", "P5\n# a comment\n170 63\n255\n" + random_bytes(170 * 63));
    expect_same("b.ppm", "P6 97 41 255\n" + random_bytes(97 * 41 * 3));
    expect_same("c.pgm", "P5 170 63 65535\n" + random_bytes(170 * 63 * 2));
    expect_same("d.pam", "P7\nWIDTH 33\nHEIGHT 50\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE RGB_ALPHA\nENDHDR\n" +
                             random_bytes(33 * 50 * 8));
    std::string small = random_bytes(90 * 50);
    for (char& each : small) each = char(uint8_t(each) % 16);
    expect_same("e.pgm", "P5 90 50 15\n" + small);
    for (const char* scale : {"-1.0", "1.0"}) {
        expect_same("f.pfm", fmt::format("Pf\n170 63\n{}\n", scale) + random_bytes(170 * 63 * 4));
        expect_same("g.pfm", fmt::format("PF\n97 41\n{}\n", scale) + random_bytes(97 * 41 * 12));
    }
}

TEST_F(RawTiles, WhatDoesNotLieInRowsIsReadAsAWhole) {
    const auto not_in_parts = [&](const std::string& name, const std::string& content) {
        const auto path = folder_.write(name, content);
        EXPECT_THROW(raw_tiles(std::make_shared<const OpenedFile>(path), {}), NotInParts) << name;
    };
    not_in_parts("fortran.npy", npy_of("<f4", "(6, 7)", 6 * 7 * 4, true));
    not_in_parts("signal.npy", npy_of("<f4", "(42,)", 42 * 4));
    not_in_parts("plain.pgm", "P2 2 2 255 1 2 3 4\n");
    not_in_parts("bits.pbm", "P4 8 2\nab");
}

TEST_F(RawTiles, DamagedHeadersAndTruncatedFilesAreRefused) {
    EXPECT_THAT(refusal("short.npy", npy_of("<f4", "(63, 170)", 63 * 170 * 4 - 1)), HasSubstr("truncated"));
    EXPECT_THAT(refusal("short.pgm", "P5 170 63 255\n" + random_bytes(170 * 63 - 1)), HasSubstr("truncated"));
    EXPECT_THAT(refusal("short.pfm", "Pf\n170 63\n-1.0\n"), HasSubstr("truncated"));
    EXPECT_THAT(refusal("wide.npy", npy_of("<f4", "(1, 16777217)", 4)), HasSubstr("the limit is 16777216 per side"));
    EXPECT_THAT(refusal("none.npy", npy_of("<f4", "(0, 5)", 4)), HasSubstr("at least 1×1"));
    EXPECT_THAT(refusal("struct.npy", npy_of("<M8", "(1, 5)", 40)), HasSubstr("dtype"));
    EXPECT_THAT(refusal("huge.npy", npy_of("<f4", "(16777216, 16777216, 4)", 4)), HasSubstr("truncated"));
}

TEST_F(RawTiles, ATruncatedFileIsReadAsFarAsItGoesIfThatIsWanted) {
    const std::string samples = random_bytes(100 * 63);
    const auto path = folder_.write("short.pgm", "P5 100 63 255\n" + samples.substr(0, 100 * 40 + 50));
    const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), {}, true);
    EXPECT_EQ(tiles->info().height, 63);
    EXPECT_EQ(region_of(*tiles, {0, 0, 100, 40}).row_as<uint8_t>(39)[99], uint8_t(samples[100 * 39 + 99]));
    EXPECT_EQ(region_of(*tiles, {0, 40, 50, 1}).row_as<uint8_t>(0)[49], uint8_t(samples[100 * 40 + 49]));
    EXPECT_THAT(test::refusal([&] { region_of(*tiles, {0, 40, 51, 1}); }), HasSubstr("truncated"));
    const auto header = std::make_shared<const OpenedFile>(folder_.write("header.pgm", "P5 100 63 255\n"));
    EXPECT_THAT(test::refusal([&] { raw_tiles(header, {}, true); }), HasSubstr("truncated"));
}

TEST_F(RawTiles, ASampleAboveTheLargestIsOneSentenceAboutItsRegion) {
    const auto path = folder_.write("a.pgm", "P5 2 2 15\n\x01\x02\x03\x7f");
    const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), {});
    EXPECT_EQ(region_of(*tiles, {0, 0, 2, 1}).row_as<uint8_t>(0)[1], 34);  // 2 / 15 of 255
    EXPECT_THAT(test::refusal([&] { region_of(*tiles, {0, 0, 2, 2}); }), HasSubstr("a.pgm: a sample is 127"));
}

TEST_F(RawTiles, AFileThatShrinksIsOneSentence) {
    const auto path = folder_.write("a.npy", npy_of("<f4", "(300, 300)", 300 * 300 * 4));
    const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), {});
    region_of(*tiles, {0, 0, 300, 300});
    std::filesystem::resize_file(path, 5000);
    const std::string text = test::refusal([&] { region_of(*tiles, {0, 200, 300, 100}); });
    EXPECT_THAT(text, HasSubstr("a.npy: the file was changed while it was open"));
    std::filesystem::resize_file(path, 0);
    EXPECT_THAT(test::refusal([&] { region_of(*tiles, {0, 0, 1, 1}); }), HasSubstr("was changed"));
}

TEST_F(RawTiles, AFileThatIsWrittenOverIsNotMixedWithTheOldOne) {
    const auto path = folder_.write("a.npy", npy_of("|u1", "(30, 30)", 900));
    const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), {});
    region_of(*tiles, {0, 0, 30, 30});
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - std::chrono::hours(1));
    EXPECT_THAT(test::refusal([&] { region_of(*tiles, {0, 0, 30, 30}); }), HasSubstr("was changed"));
}

TEST_F(RawTiles, AFileThatIsReplacedOrDeletedIsReadOn) {
    const auto path = folder_.write("a.npy", npy_of("<u2", "(300, 300)", 300 * 300 * 2));
    const Image whole = read_image(path);
    const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), {});
    std::filesystem::rename(folder_.write("b.npy", "something else"), path);
    EXPECT_EQ(difference(*tiles, whole, {7, 9, 200, 280}), "");
    std::filesystem::remove(path);
    EXPECT_EQ(difference(*tiles, whole, {7, 9, 200, 280}), "");
}

// Sparse: more than an Image may hold, and more than 32 bits can count.
TEST_F(RawTiles, AGiganticFile) {
    const auto path = folder_.write("a.pgm", "P5\n200000 300000\n65535\n");
    const auto header = int64_t(std::filesystem::file_size(path));
    constexpr int64_t x = 199990, y = 299999, at = (y * 200000 + x) * 2;
    std::filesystem::resize_file(path, uintmax_t(header + int64_t(200000) * 300000 * 2));
    {
        std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(header + at);
        file.write("\x12\x34", 2);
    }
    const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), {});
    EXPECT_EQ(region_of(*tiles, {x, y, 2, 1}).row_as<uint16_t>(0)[0], 0x1234);
    EXPECT_EQ(region_of(*tiles, {x, y, 2, 1}).row_as<uint16_t>(0)[1], 0);
}

TEST_F(RawTiles, ThreadsReadAtTheSameTime) {
    const auto path = folder_.write("a.npy", npy_of(">f4", "(300, 301, 3)", 300 * 301 * 12));
    const Image whole = read_image(path);
    const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), {});
    expect_same_regions_in_threads(*tiles, {whole}, 99);
}

}  // namespace
}  // namespace texelscope::test
