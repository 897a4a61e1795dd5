// Uncompressed files that are read by regions from where their samples lie.

#include "app/files/tiles/file_tiles.h"

#include <fstream>
#include <thread>

#include <gmock/gmock.h>

#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/stored_tiles.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

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
        return error_of([&] { raw_tiles(std::make_shared<const OpenedFile>(path), {}); });
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
    EXPECT_THAT(error_of([&] { region_of(*tiles, {0, 40, 51, 1}); }), HasSubstr("truncated"));
    const auto header = std::make_shared<const OpenedFile>(folder_.write("header.pgm", "P5 100 63 255\n"));
    EXPECT_THAT(error_of([&] { raw_tiles(header, {}, true); }), HasSubstr("truncated"));
}

TEST_F(RawTiles, ASampleAboveTheLargestIsOneSentenceAboutItsRegion) {
    const auto path = folder_.write("a.pgm", "P5 2 2 15\n\x01\x02\x03\x7f");
    const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), {});
    EXPECT_EQ(region_of(*tiles, {0, 0, 2, 1}).row_as<uint8_t>(0)[1], 34);  // 2 / 15 of 255
    EXPECT_THAT(error_of([&] { region_of(*tiles, {0, 0, 2, 2}); }), HasSubstr("a.pgm: a sample is 127"));
}

TEST_F(RawTiles, AFileThatShrinksIsOneSentence) {
    const auto path = folder_.write("a.npy", npy_of("<f4", "(300, 300)", 300 * 300 * 4));
    const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), {});
    region_of(*tiles, {0, 0, 300, 300});
    std::filesystem::resize_file(path, 5000);
    const std::string text = error_of([&] { region_of(*tiles, {0, 200, 300, 100}); });
    EXPECT_THAT(text, HasSubstr("a.npy: the file was changed while it was open"));
    std::filesystem::resize_file(path, 0);
    EXPECT_THAT(error_of([&] { region_of(*tiles, {0, 0, 1, 1}); }), HasSubstr("was changed"));
}

TEST_F(RawTiles, AFileThatIsWrittenOverIsNotMixedWithTheOldOne) {
    const auto path = folder_.write("a.npy", npy_of("|u1", "(30, 30)", 900));
    const auto tiles = raw_tiles(std::make_shared<const OpenedFile>(path), {});
    region_of(*tiles, {0, 0, 30, 30});
    std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - std::chrono::hours(1));
    EXPECT_THAT(error_of([&] { region_of(*tiles, {0, 0, 30, 30}); }), HasSubstr("was changed"));
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
    std::vector<std::string> problems(8);
    {
        std::vector<std::jthread> threads;
        for (size_t i = 0; i < problems.size(); ++i)
            threads.emplace_back([&, i] {
                std::mt19937 random(uint32_t(i) + 1);
                for (int k = 0; k < 50; ++k)
                    problems[i] += difference(*tiles, whole, random_region(random, 301, 300, 99));
            });
    }
    for (const std::string& problem : problems) EXPECT_EQ(problem, "");
}

}  // namespace
}  // namespace texelscope::test
