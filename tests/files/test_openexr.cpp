// OpenEXR: numbers, windows, channels and refusals. The files are built by hand, or by OpenEXR's own writer.
#if TEXELSCOPE_WITH_OPENEXR
#include <cmath>

#include <ImfChannelList.h>
#include <ImfDeepFrameBuffer.h>
#include <ImfDeepScanLineOutputFile.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfOutputFile.h>
#include <ImfPartType.h>
#include <ImfRgbaFile.h>
#include <ImfTiledOutputFile.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/files/reading/image_files.h"
#include "app/files/tiles/file_tiles.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"
#include "tests/files/tiles/stored_tiles.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using Names = std::vector<std::string>;

constexpr uint32_t half_of_1 = 0x3c00, half_of_minus_2 = 0xc000, half_of_a_third = 0x3555;

class OpenExr : public testing::Test {
protected:
    Image read(const std::string& bytes, const PictureChoice& choice = {}) {
        return read_image(folder_.write("a.exr", bytes), {.choice = choice});
    }
    PictureFacts facts(const std::string& bytes, const PictureChoice& choice = {}) {
        return read_facts(folder_.write("a.exr", bytes), {.choice = choice});
    }
    std::string error(const std::string& bytes, const PictureChoice& choice = {}) {
        return refusal([&] { read(bytes, choice); });
    }
    std::string row(const std::string& bytes, const std::string& group, const std::string& name) {
        return metadata_value(facts(bytes).metadata, group, name);
    }

    Folder folder_;
};

TEST_F(OpenExr, UnsignedIntegersAreTheNumbersTheyAre) {
    const std::vector<uint32_t> ids = {0, 1, 1000, 123456, 16777217, 4294967295};
    const Image image = read(exr({exr_integers("id", ids)}, 6, 1));
    EXPECT_EQ(image.type(), SampleType::u32);
    EXPECT_EQ(image.alpha(), Alpha::none);
    EXPECT_EQ(samples<uint32_t>(image), ids);
}

TEST_F(OpenExr, TypesThatAreMixedLoseNothing) {
    const auto halves = exr_halves("A", {half_of_1, half_of_minus_2});
    const auto floats = exr_floats("R", {0.1f, 1e-30f});
    const auto integers = exr_integers("Z", {16777217, 4294967295});
    const Image both = read(exr({halves, floats}, 2, 1));
    EXPECT_EQ(both.type(), SampleType::f32);
    EXPECT_EQ(samples<float>(both), (std::vector<float>{0.1f, 1, 1e-30f, -2}));
    const Image all = read(exr({halves, floats, integers}, 2, 1), {.channels = {"R", "A", "Z"}});
    EXPECT_EQ(all.type(), SampleType::f64);
    EXPECT_EQ(samples<double>(all), (std::vector<double>{double(0.1f), 1, 16777217, double(1e-30f), -2, 4294967295.0}));
    EXPECT_EQ(read(exr({halves, floats, integers}, 2, 1), {.channels = {"A"}}).type(), SampleType::f16);
}

TEST_F(OpenExr, ChannelsAreOfferedInTheOrderInWhichTheyAreSeen) {
    const auto one = [](const std::string& name) { return exr_halves(name, {half_of_1}); };
    const auto order = [&](const Names& stored) {
        std::vector<ExrChannelBytes> channels;
        for (const std::string& name : stored) channels.push_back(one(name));
        return facts(exr(channels, 1, 1)).parts.at(0).channels;
    };
    EXPECT_EQ(order({"A", "B", "G", "R", "Z"}), (Names{"R", "G", "B", "A", "Z"}));
    EXPECT_EQ(order({"A", "B", "G", "R", "n.X", "n.Y", "n.Z", "sky.B", "sky.G", "sky.R"}),
              (Names{"R", "G", "B", "A", "n.X", "n.Y", "n.Z", "sky.R", "sky.G", "sky.B"}));
    EXPECT_EQ(order({"A", "Y"}), (Names{"Y", "A"}));
    EXPECT_EQ(order({"area", "id"}), (Names{"area", "id"}));
    const Image image = read(exr({one("A"), exr_halves("Y", {half_of_a_third})}, 1, 1));
    EXPECT_EQ(image.alpha(), Alpha::premultiplied);
    EXPECT_EQ(samples<uint16_t>(image), (std::vector<uint16_t>{half_of_a_third, half_of_1}));
}

// The file is a crop of a frame of 20×10 pixels.
TEST_F(OpenExr, ItsWindowsSayWhereItLies) {
    const auto rows = [](int width, int height) {
        ExrChannelBytes channel{"Y", ExrType::half, {}};
        for (int y = 0; y < height; ++y) {
            channel.rows.emplace_back();
            for (int x = 0; x < width; ++x) channel.rows.back() += little16(uint32_t(0x3c00 + 16 * y + x));
        }
        return channel;
    };
    const std::string crop = exr({rows(4, 3)}, {6, 2, 9, 4}, {0, 0, 19, 9});
    const Image image = read(crop);
    ASSERT_EQ(image.width(), 4);
    ASSERT_EQ(image.height(), 3);
    EXPECT_EQ(image.row_as<uint16_t>(2)[3], 0x3c00 + 35);
    EXPECT_EQ(image.frame(), (SampleRegion{-6, -2, 20, 10}));
    EXPECT_TRUE(facts(crop).frame == image.frame());
    EXPECT_EQ(row(crop, "Picture", "Data window"), "4 × 3 pixels from (6, 2) to (9, 4)");
    EXPECT_EQ(row(crop, "Picture", "Display window"), "20 × 10 pixels from (0, 0) to (19, 9)");
    // Overscan, and windows that do not begin at 0.
    EXPECT_EQ(read(exr({rows(6, 6)}, {-1, -1, 4, 4}, {0, 0, 3, 3})).frame(), (SampleRegion{1, 1, 4, 4}));
    EXPECT_EQ(read(exr({rows(2, 2)}, {-7, 9, -6, 10}, {-8, 8, -5, 11})).frame(), (SampleRegion{-1, -1, 4, 4}));
    EXPECT_FALSE(read(exr({rows(2, 2)}, {-7, 9, -6, 10}, {-7, 9, -6, 10})).frame()) << "the same windows";
    const auto path = folder_.write("a.exr", crop);
    const auto tiles = decoded_tiles(std::make_shared<const OpenedFile>(path), *codec_of_extension(path), {});
    EXPECT_EQ(tiles->info().frame, image.frame());
    expect_same_regions(*tiles, image, 0, 8);
}

// The value of each sample of a picture, wherever its window begins.
uint32_t integer_at(int x, int y) { return uint32_t(y * 70001 + x * 13) * 2654435761u; }
float float_at(int x, int y) { return float(x) / 64 + float(y % 32) * float(1 << (y % 8)); }

struct Kind {
    Imf::Compression compression = Imf::ZIP_COMPRESSION;
    Imf::LineOrder order = Imf::INCREASING_Y;
    int tile = 0;
    Imf::LevelMode mode = Imf::ONE_LEVEL;
};

constexpr int data_width = 131, data_height = 77, left = -5, top = 9;

// Writes R as half, Z as float, id as unsigned; every level is the same function of its own pixels.
void write_picture(const std::string& path, const Kind& kind) {
    const Imath::Box2i window({left, top}, {left + data_width - 1, top + data_height - 1});
    Imf::Header header(window, window);
    header.compression() = kind.compression;
    header.lineOrder() = kind.order;
    header.channels().insert("R", Imf::Channel(Imf::HALF));
    header.channels().insert("Z", Imf::Channel(Imf::FLOAT));
    header.channels().insert("id", Imf::Channel(Imf::UINT));
    std::vector<half> halves;
    std::vector<float> floats;
    std::vector<uint32_t> integers;
    for (int y = 0; y < data_height; ++y)
        for (int x = 0; x < data_width; ++x) {
            halves.emplace_back(float_at(x, y));
            floats.push_back(float_at(x, y));
            integers.push_back(integer_at(x, y));
        }
    const auto slice = [&](Imf::PixelType type, auto& samples) {
        return Imf::Slice::Make(type, samples.data(), window, 0, data_width * sizeof(samples[0]));
    };
    Imf::FrameBuffer buffer;
    buffer.insert("R", slice(Imf::HALF, halves));
    buffer.insert("Z", slice(Imf::FLOAT, floats));
    buffer.insert("id", slice(Imf::UINT, integers));
    if (kind.tile == 0) {
        Imf::OutputFile file(path.c_str(), header);
        file.setFrameBuffer(buffer);
        file.writePixels(data_height);
        return;
    }
    header.setTileDescription(Imf::TileDescription(unsigned(kind.tile), unsigned(kind.tile), kind.mode));
    Imf::TiledOutputFile file(path.c_str(), header);
    file.setFrameBuffer(buffer);
    for (int ly = 0; ly < file.numYLevels(); ++ly)
        for (int lx = 0; lx < file.numXLevels(); ++lx)
            if (file.isValidLevel(lx, ly))
                file.writeTiles(0, file.numXTiles(lx) - 1, 0, file.numYTiles(ly) - 1, lx, ly);
}

void expect_picture(const Image& halves, const Image& floats, const Image& integers) {
    ASSERT_EQ(halves.type(), SampleType::f16);
    ASSERT_EQ(floats.type(), SampleType::f32);
    ASSERT_EQ(integers.type(), SampleType::u32);
    int wrong = 0;
    for (int y = 0; y < halves.height(); ++y)
        for (int x = 0; x < halves.width(); ++x)
            wrong += halves.row_as<uint16_t>(y)[x] != half(float_at(x, y)).bits() ||
                     floats.row_as<float>(y)[x] != float_at(x, y) ||
                     integers.row_as<uint32_t>(y)[x] != integer_at(x, y);
    EXPECT_EQ(wrong, 0);
}

TEST_F(OpenExr, EveryWayOfStoringSamplesGivesTheSamples) {
    const std::string path = (folder_ / "a.exr").string();
    const auto channel = [&](const char* name) {
        return read_image_in_process(path, {.choice = {.channels = {name}}});
    };
    for (const auto compression :
         {Imf::NO_COMPRESSION, Imf::RLE_COMPRESSION, Imf::ZIPS_COMPRESSION, Imf::ZIP_COMPRESSION, Imf::PIZ_COMPRESSION})
        for (const int tile : {0, 48})
            for (const auto order : {Imf::INCREASING_Y, Imf::DECREASING_Y})
                for (const auto mode : {Imf::ONE_LEVEL, Imf::MIPMAP_LEVELS, Imf::RIPMAP_LEVELS}) {
                    if (tile == 0 && mode != Imf::ONE_LEVEL) continue;
                    SCOPED_TRACE(fmt::format("compression {} tile {} order {} mode {}", int(compression), tile,
                                             int(order), int(mode)));
                    write_picture(path, {compression, order, tile, mode});
                    expect_picture(channel("R"), channel("Z"), channel("id"));
                }
}

TEST_F(OpenExr, RegionsAreThoseOfTheWhole) {
    const std::string path = (folder_ / "a.exr").string();
    for (const auto& kind :
         {Kind{Imf::ZIP_COMPRESSION}, Kind{Imf::PIZ_COMPRESSION, Imf::DECREASING_Y},
          Kind{Imf::ZIP_COMPRESSION, Imf::INCREASING_Y, 32, Imf::MIPMAP_LEVELS},
          Kind{Imf::ZIP_COMPRESSION, Imf::INCREASING_Y, 32, Imf::RIPMAP_LEVELS}, Kind{Imf::DWAB_COMPRESSION}})
        for (const Names& channels : {Names{"R", "Z"}, Names{"id", "R"}}) {
            write_picture(path, kind);
            const PictureChoice choice{.channels = channels};
            const auto tiles =
                decoded_tiles(std::make_shared<const OpenedFile>(path), *codec_of_extension(path), choice);
            EXPECT_EQ(tiles->levels(), kind.mode == Imf::MIPMAP_LEVELS ? 8 : 1);
            expect_same_regions(*tiles, read_image_in_process(path, {.choice = choice}), 0, 12);
        }
}

// A damaged block is one error, which affects that block alone.
TEST_F(OpenExr, ADamagedBlockHarmsNoOther) {
    const auto path = folder_ / "a.exr";
    for (const int tile : {0, 32}) {
        write_picture(path.string(), {Imf::ZIP_COMPRESSION, Imf::INCREASING_Y, tile});
        const PictureChoice choice{.channels = {"id"}};
        const Image whole = read_image_in_process(path, {.choice = choice});
        std::string bytes = content_of(path);
        bytes.replace(bytes.size() / 2, 40, 40, '\x7f');
        folder_.write("a.exr", bytes);
        const auto tiles = decoded_tiles(std::make_shared<const OpenedFile>(path), *codec_of_extension(path), choice);
        int refused = 0, wrong = 0;
        for (int y = 0; y < data_height; y += 32) {
            const SampleRegion rows{0, y, tile ? 32 : data_width, std::min(32, data_height - y)};
            std::string different;
            const std::string problem = refusal([&] { different = difference(*tiles, whole, rows); });
            refused += !problem.empty();
            wrong += !different.empty();
        }
        EXPECT_LE(refused, 1) << tile;
        EXPECT_EQ(refused, tile == 0 ? 1 : refused);
        EXPECT_EQ(wrong, 0);
    }
}

// R = (RY + 1)·Y, B = (BY + 1)·Y, and G from Y = 0.2126·R + 0.7152·G + 0.0722·B; all pixels have the same colour.
TEST_F(OpenExr, LuminanceAndChromaAreColours) {
    const std::string path = (folder_ / "yc.exr").string();
    constexpr int side = 64;
    const std::vector<Imf::Rgba> pixels(side * side, Imf::Rgba(0.5f, 0.25f, 0.125f, 0.75f));
    {
        Imf::RgbaOutputFile file(path.c_str(), side, side, Imf::WRITE_YCA);
        file.setYCRounding(10, 10);  // all bits of half
        file.setFrameBuffer(pixels.data(), 1, side);
        file.writePixels(side);
    }
    const Image image = read_image(path);
    EXPECT_EQ(image.alpha(), Alpha::premultiplied);
    EXPECT_EQ(read_facts(path).parts.at(0).channels, (Names{"R", "G", "B", "A"}));
    constexpr float expected[] = {0.5f, 0.25f, 0.125f, 0.75f}, few_steps_of_half = 1e-3f;
    for (int y = 0; y < side; y += 7)
        for (int x = 0; x < side; x += 5)
            for (int c = 0; c < 4; ++c)
                EXPECT_NEAR(image.value(x, y, c), expected[c], c == 3 ? 0 : few_steps_of_half) << x << ',' << y;
    const auto tiles = decoded_tiles(std::make_shared<const OpenedFile>(path), *codec_of_extension(path), {});
    expect_same_regions(*tiles, image, 0, 8);
    const Image swapped = read_image(path, {.choice = {.channels = {"B", "R"}}});
    EXPECT_NEAR(swapped.value(9, 9, 0), 0.125f, few_steps_of_half);
    EXPECT_NEAR(swapped.value(9, 9, 1), 0.5f, few_steps_of_half);
}

TEST_F(OpenExr, ChromaOfAnotherSizeIsRefusedUnlessItIsAskedFor) {
    const auto one = [](const std::string& name) { return exr_halves(name, {half_of_1}); };
    const std::string full = exr({one("BY"), one("RY"), one("Y")}, 1, 1);
    EXPECT_THAT(error(full), HasSubstr("its chroma 'BY' is not of half the size"));
    EXPECT_EQ(read(full, {.channels = {"Y"}}).value(0, 0, 0), 1);
    const std::string path = (folder_ / "sub.exr").string();
    Imf::Header header(4, 4);
    header.channels().insert("d", Imf::Channel(Imf::FLOAT, 2, 2));
    std::vector<float> samples(4);
    Imf::FrameBuffer buffer;
    buffer.insert("d", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(samples.data()), 4, 8, 2, 2));
    {
        Imf::OutputFile file(path.c_str(), header);
        file.setFrameBuffer(buffer);
        file.writePixels(4);
    }
    EXPECT_THAT(refusal([&] { read_image(path); }), HasSubstr("its channel 'd' has a sample for 2×2 pixels"));
}

TEST_F(OpenExr, DeepImagesAreRefused) {
    const std::string path = (folder_ / "deep.exr").string();
    {
        Imf::Header header(2, 1);
        header.setType(Imf::DEEPSCANLINE);
        header.compression() = Imf::ZIPS_COMPRESSION;
        header.channels().insert("Z", Imf::Channel(Imf::FLOAT));
        std::vector<unsigned> counts(2, 0);
        std::vector<float*> samples(2, nullptr);
        Imf::DeepFrameBuffer buffer;
        buffer.insertSampleCountSlice(Imf::Slice(Imf::UINT, reinterpret_cast<char*>(counts.data()), 4, 8));
        buffer.insert("Z", Imf::DeepSlice(Imf::FLOAT, reinterpret_cast<char*>(samples.data()), sizeof(float*),
                                          2 * sizeof(float*), 4));
        Imf::DeepScanLineOutputFile file(path.c_str(), header);
        file.setFrameBuffer(buffer);
        file.writePixels(1);
    }
    EXPECT_THAT(refusal([&] { read_image(path); }), HasSubstr("deep images are not supported"));
}

TEST_F(OpenExr, WhatItsHeaderSaysIsInItsFacts) {
    const std::string bytes =
        exr({exr_halves("Y", {half_of_1})}, {0, 0, 0, 0}, {0, 0, 0, 0},
            exr_attribute("owner", "string", "Acme") + exr_attribute("expTime", "float", little_float(0.25f)) +
                exr_attribute("whatever", "acmeType", "1234"));
    EXPECT_EQ(row(bytes, "OpenEXR", "owner"), "Acme");
    EXPECT_EQ(row(bytes, "OpenEXR", "expTime"), "0.25");
    EXPECT_EQ(row(bytes, "OpenEXR", "whatever"), "of the type acmeType");
    EXPECT_EQ(row(bytes, "OpenEXR", "compression"), "none");
}

// The first blocks of 32 of the 77 rows are shown; the file with a damaged block before its last ones is refused.
TEST_F(OpenExr, AFileThatEndsEarlyIsShownAsFarAsItGoes) {
    const std::string path = (folder_ / "a.exr").string();
    write_picture(path, {Imf::PIZ_COMPRESSION});
    const std::string whole = content_of(path);
    const Image image = read(whole), cut = read(whole.substr(0, whole.size() - 10));
    EXPECT_TRUE(image.missing().empty());
    EXPECT_EQ(cut.missing(), (SampleRegion{0, 64, data_width, 13}));
    ASSERT_EQ(cut.row_bytes(), image.row_bytes());
    EXPECT_EQ(std::memcmp(cut.data(), image.data(), 64 * image.row_bytes()), 0);
    std::string damaged = whole;
    damaged.replace(whole.size() / 2, 200, 200, '\x7f');
    EXPECT_THAT(error(damaged), HasSubstr("the OpenEXR is damaged"));
}

// Every cut gives an error of one sentence.
TEST_F(OpenExr, AFileThatEndsBeforeItsSamplesIsRefused) {
    const std::string whole = exr({exr_integers("id", {1, 2, 3})}, 3, 1);
    for (size_t size = 8; size < whole.size(); size += 3) {
        const auto path = folder_.write("a.exr", whole.substr(0, size));
        const std::string problem = refusal([&] { read_image_in_process(path); });
        EXPECT_THAT(problem, HasSubstr("a.exr: ")) << size;
        EXPECT_EQ(problem.find('\n'), problem.npos);
    }
}

}  // namespace
}  // namespace texelscope::test
#endif
