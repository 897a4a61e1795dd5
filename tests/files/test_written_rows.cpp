// Pictures whose rows are made while they are written: the same files as of an image, in bounded memory, whole or not at all.
#include <algorithm>
#include <csignal>
#include <cstring>
#include <optional>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "app/files/bytes/file_io.h"
#include "app/files/codecs/codecs.h"
#include "app/files/reading/image_files.h"
#include "app/files/writing/image_writer.h"
#include "tests/files/bytes.h"
#include "tests/support/tools.h"

#if TEXELSCOPE_WITH_OIIO
#include <OpenImageIO/imageio.h>
#endif

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

constexpr SampleType all_types[] = {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32};

// All levels, and alpha between nothing and everything.
float level(int x, int y, int c) { return float((x * 7 + y * 31 + c * 85 + x * y) % 1021) / 1020; }

Image rows_of_levels(const RowSource& shape, int first, int last) {
    Image band(shape.width, last - first, shape.channels, SampleType::f32, shape.alpha);
    for (int y = first; y < last; ++y)
        for (int i = 0; i < shape.width * shape.channels; ++i)
            band.row_as<float>(y - first)[i] = level(i / shape.channels, y, i % shape.channels);
    return converted(band, shape.type);
}

RowSource levels(int width, int height, int channels, SampleType type, Alpha alpha = Alpha::none) {
    RowSource source{width, height, channels, type, alpha, nullptr, nullptr};
    source.rows = [shape = source](int first, int last) { return rows_of_levels(shape, first, last); };
    return source;
}

// Cheap to make and to compress; no two blocks of 64×64 side by side are the same.
uint8_t block_level(int x, int y) { return uint8_t((x / 64) * 5 + (y / 64) * 3); }

RowSource blocks(int width, int height, int channels, SampleType type = SampleType::u8) {
    const auto rows = [=](int first, int last) {
        Image band(width, last - first, channels, SampleType::u8);
        for (int y = first; y < last; ++y) {
            if (y > first && y / 64 == (y - 1) / 64) {
                std::memcpy(band.row(y - first), band.row(y - first - 1), band.row_bytes());
                continue;
            }
            for (int i = 0; i < width * channels; ++i)
                band.row_as<uint8_t>(y - first)[i] = block_level(i / channels, y);
        }
        return converted(band, type);
    };
    return {width, height, channels, type, Alpha::none, rows, nullptr};
}

bool is_lossy(std::string_view extension) {
    for (const std::string_view lossy : {"jpg", "jpeg", "jpe", "jfif", "hdr", "rgbe", "pic"})
        if (extension == lossy) return true;
    return false;
}

std::string_view channels_of(const std::string& extension, const Codec& codec) {
    return extension == "pgm" ? "1" : extension == "ppm" ? "3" : codec.writing.channels;
}

class WrittenRows : public testing::Test {
protected:
    Folder folder;
};
using SlowWrittenRows = WrittenRows;

// Against the whole image, fitted at once: .tif, .exr and so on have several bands, and all conversions.
TEST_F(WrittenRows, SameSamplesAsTheWholeImageFitted) {
    constexpr int width = 19, height = 2 * most_rows_at_once + 13;
    const std::pair<int, Alpha> kinds[] = {
        {1, Alpha::none}, {2, Alpha::none}, {2, Alpha::straight}, {2, Alpha::premultiplied},
        {3, Alpha::none}, {4, Alpha::none}, {4, Alpha::straight}, {4, Alpha::premultiplied},
    };
    int compared = 0;
    for (const std::string& extension : writable_extensions())
        for (const auto& [channels, alpha] : kinds)
            for (const SampleType stored : all_types)
                for (const std::optional<SampleType> chosen :
                     {std::optional<SampleType>(), {SampleType::u8}, {SampleType::u16}, {SampleType::f32}}) {
                    const fs::path path = folder / ("a." + extension), other = folder / ("b." + extension);
                    const Codec& codec = *codec_of_extension(path);
                    if (chosen && !(codec.writing.types & bit_of(*chosen))) continue;
                    const RowSource source = levels(width, height, channels, stored, alpha);
                    const Image image = whole_of(source);
                    const std::string name = extension + " of " + describe(image) + (chosen ? " chosen" : "");
                    const std::string error = refusal([&] { write_rows(source, path, {chosen}); });
                    EXPECT_EQ(refusal([&] { check_rows(source, path, {chosen}); }), error) << name;
                    if (!error.empty()) {
                        EXPECT_NE(error.find("only grey"), std::string::npos) << name << ": " << error;
                        EXPECT_EQ(refusal([&] { write_image(image, path, {chosen}); }), error) << name;
                        continue;
                    }
                    const Image back = read_image_in_process(path);
                    write_image(image, other, {chosen});
                    const Image of_image = read_image_in_process(other);
                    ASSERT_EQ(describe(back), describe(of_image)) << name;
                    EXPECT_EQ(samples<uint8_t>(back), samples<uint8_t>(of_image)) << name;
                    if (is_lossy(extension)) continue;
                    const SampleType type = chosen.value_or(default_type(codec, stored));
                    const Image expected = fitted(codec, image, type, channels_of(extension, codec));
                    ASSERT_EQ(describe(back), describe(expected)) << name;
                    EXPECT_EQ(samples<uint8_t>(back), samples<uint8_t>(expected)) << name;
                    ++compared;
                }
    EXPECT_GT(compared, 300);
}

TEST_F(WrittenRows, AreAskedForInOrderOnceAndFewAtATime) {
    for (const std::string& extension : writable_extensions()) {
        const int height = 3 * most_rows_at_once + 5;
        int next = 0;
        RowSource source = levels(11, height, extension == "pgm" ? 1 : 3, SampleType::u8);
        source.rows = [&, rows = source.rows](int first, int last) {
            EXPECT_EQ(first, next) << extension;
            EXPECT_LE(last - first, most_rows_at_once) << extension;
            next = last;
            return rows(first, last);
        };
        write_rows(source, folder / ("a." + extension));
        EXPECT_EQ(next, height) << extension;
    }
}

TEST_F(WrittenRows, FewerAtATimeIfTheyAreWide) {
    int most = 0;
    constexpr int width = 1 << 22;  // 12 MiB a row
    RowSource source{width, 3, 3, SampleType::u8, Alpha::none, nullptr, nullptr};
    source.rows = [&](int first, int last) {
        most = std::max(most, last - first);
        return Image(width, last - first, 3, SampleType::u8);
    };
    write_rows(source, folder / "a.png");
    EXPECT_EQ(most, 1);
    EXPECT_EQ(describe(read_image_in_process(folder / "a.png")), "4194304×3 u8×3");
}

// What would hold the picture would take 1.1 GiB; a row of tiles is 15 MB, of which the library holds copies.
TEST_F(SlowWrittenRows, ALargeTiffNeedsLittleMemory) {
#if !TEXELSCOPE_WITH_OIIO
    GTEST_SKIP() << "TIFF is written by OpenImageIO";
#endif
    write_rows(blocks(3, 3, 1), folder / "first.tif");  // loads the library
    if (!forget_peak()) GTEST_SKIP() << "the system does not say how much memory was used";
    const size_t before = status_bytes("VmRSS");
    write_rows(blocks(60000, 20000, 1), folder / "a.tif");
    const size_t most = status_bytes("VmHWM");
    EXPECT_GE(most, before);
    EXPECT_LT(most - before, size_t(100) << 20);
    const PictureFacts facts = read_facts(folder / "a.tif");
    EXPECT_EQ(facts.shape.width, 60000);
    EXPECT_EQ(facts.shape.height, 20000);
}

TEST_F(SlowWrittenRows, OtherFormatsNeedLittleMemory) {
    for (const char* name : {"a.png", "a.jpg", "a.ppm", "a.npy", "a.pfm", "a.exr", "a.hdr", "a.bmp", "a.tga"}) {
        const Codec& codec = *codec_of_extension(name);
        if (!writable(codec) || codec.writing.encode == encode_with_stb) continue;
        write_rows(blocks(3, 3, 3), folder / name);
        if (!forget_peak()) GTEST_SKIP() << "the system does not say how much memory was used";
        const size_t before = status_bytes("VmRSS");
        write_rows(blocks(5000, 4000, 3), folder / name);  // 57 MiB of bytes, 229 MiB of floats
        EXPECT_LT(status_bytes("VmHWM") - before, size_t(35) << 20) << name;
        fs::remove(folder / name);
    }
}

TEST_F(WrittenRows, AThrowingSourceLeavesTheOldFile) {
    for (const std::string& extension : writable_extensions()) {
        const fs::path path = folder.write("x." + extension, "precious");
        RowSource source = levels(40, 300, extension == "pgm" ? 1 : 3, SampleType::u8);
        source.rows = [rows = source.rows](int first, int last) {
            if (first >= 100) throw Error("the scanner is switched off");
            return rows(first, last);
        };
        EXPECT_EQ(refusal([&] { write_rows(source, path); }), path.string() + ": the scanner is switched off");
        source.rows = [](int, int) -> Image { throw Cancelled("stopped"); };
        EXPECT_THROW(write_rows(source, path), Cancelled) << extension;
        EXPECT_EQ(content_of(path), "precious") << extension;
        EXPECT_EQ(folder.count(), 1u) << extension;
        fs::remove(path);
    }
}

// A limit on the size of files stands in for a full disk. Nothing is computed any more once it is known.
TEST_F(WrittenRows, AFullDiskIsOneSentence) {
    rlimit old{};
    ::getrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, SIG_IGN);
    for (const std::string& extension : writable_extensions()) {
        const fs::path path = folder.write("x." + extension, "precious");
        RowSource source = levels(2000, 1000, extension == "pgm" ? 1 : 3, SampleType::u8);
        int asked = 0;
        source.rows = [&, rows = source.rows](int first, int last) {
            asked = last;
            return rows(first, last);
        };
        const rlimit small{50000, old.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
        const std::string text = refusal([&] { write_rows(source, path); });
        ::setrlimit(RLIMIT_FSIZE, &old);
        EXPECT_EQ(text, path.string() + ": cannot be written: the file would be larger than permitted");
        const Codec& codec = *codec_of_extension(path);
        const bool streams = codec.name != "WebP" && codec.writing.encode != encode_with_stb;
        if (streams) {
            EXPECT_LT(asked, 500) << extension;
        }
        EXPECT_EQ(content_of(path), "precious") << extension;
        EXPECT_EQ(folder.count(), 1u) << extension;
        fs::remove(path);
    }
}

TEST_F(WrittenRows, ProgressGrowsAndTheLastCheckDecides) {
    std::vector<double> parts;
    const RowSource source = levels(10, 4 * most_rows_at_once, 3, SampleType::u8);
    write_rows(source, folder / "a.png", {{}, {}, [&](double part) { parts.push_back(part); }});
    EXPECT_EQ(parts, (std::vector<double>{0, 0.25, 0.5, 0.75}));
    const std::string old = content_of(folder / "a.png");
    const WriteOptions refusing{{}, [] { throw Cancelled("stopped"); }};
    EXPECT_THROW(write_rows(levels(5, 5, 1, SampleType::u8), folder / "a.png", refusing), Cancelled);
    EXPECT_EQ(content_of(folder / "a.png"), old);
    EXPECT_EQ(folder.count(), 1u);
}

TEST_F(WrittenRows, OfAnotherShapeThanPromisedAreRefused) {
    RowSource source = levels(20, 20, 3, SampleType::u8);
    source.rows = [](int first, int last) { return Image(19, last - first, 3, SampleType::u8); };
    EXPECT_NE(refusal([&] { write_rows(source, folder / "a.png"); }).find("20 rows were promised, 19×20 u8×3 came"),
              std::string::npos);
    source = levels(20, 0, 3, SampleType::u8);
    EXPECT_NE(refusal([&] { write_rows(source, folder / "a.png"); }).find("no image"), std::string::npos);
    EXPECT_EQ(folder.count(), 0u);
}

TEST_F(WrittenRows, FormatsWithoutRoomAreRefusedAtOnce) {
    const auto complaint = [&](const char* name, int width, int height, int channels = 3) {
        RowSource source{width, height, channels, SampleType::u8, Alpha::none, nullptr, nullptr};
        source.rows = [](int, int) -> Image { throw Error("asked"); };
        const std::string text = refusal([&] { check_rows(source, folder / name); });
        EXPECT_EQ(refusal([&] { write_rows(source, folder / name); }),
                  text.empty() ? (folder / name).string() + ": asked" : text);
        if (!text.empty() && text.find("only grey") == text.npos) {
            EXPECT_THROW(check_rows(source, folder / name), UsageError);
        }
        return text;
    };
    EXPECT_EQ(complaint("a.jpg", 65500, 65500), "");
    const std::string text = complaint("a.jpg", 65501, 2);
    EXPECT_TRUE(
        text.starts_with((folder / "a.jpg").string() +
                         ": JPEG files have at most 65500 pixels per side, the picture has 65501×2; write .png"))
        << text;
    EXPECT_EQ(text.find(".jpg", (folder / "a.jpg").string().size()), std::string::npos) << text;
    EXPECT_NE(complaint("a.jpg", 2, 65501), "");
    EXPECT_EQ(complaint("a.png", 10'000'000, 10'000'000), "");
    EXPECT_EQ(complaint("a.npy", 1 << 24, 1 << 24), "");
    EXPECT_NE(complaint("a.npy", (1 << 24) + 1, 1).find("pictures have at most 16777216 pixels per side"),
              std::string::npos);
    EXPECT_NE(complaint("a.pgm", 10, 10).find("only grey"), std::string::npos);
    EXPECT_NE(complaint("a.bmp", 40000, 40000).find("BMP files have at most 4 GiB"), std::string::npos);
    EXPECT_EQ(complaint("a.bmp", 37000, 37000), "");
#if TEXELSCOPE_WITH_WEBP
    EXPECT_EQ(complaint("a.webp", 16383, 16383), "");
    EXPECT_NE(complaint("a.webp", 16384, 1).find("WebP files have at most 16383 pixels"), std::string::npos);
#endif
#if TEXELSCOPE_WITH_OIIO
    EXPECT_EQ(complaint("a.tga", 65535, 65000, 1), "");
    EXPECT_EQ(complaint("a.tga", 37000, 37000), "");
    EXPECT_NE(complaint("a.tga", 40000, 40000).find("TGA files have at most 4 GiB"), std::string::npos);
    EXPECT_NE(complaint("a.tga", 65536, 1), "");
    EXPECT_EQ(complaint("a.hdr", 70000, 70000), "");
#else
    EXPECT_NE(complaint("a.hdr", 10000, 10000).find("at most 1 GiB in this build"), std::string::npos);
#endif
    EXPECT_EQ(folder.count(), 0u);
}

TEST(TiffLayouts, TilesAndBigTiffAreChosenBySize) {
    const auto layout = [](int width, int height, int channels, SampleType type) {
        return tiff_layout({width, height, channels, type, Alpha::none, nullptr, nullptr});
    };
    const auto tiles = [&](int width, int height, int channels, SampleType type) {
        const TiffLayout result = layout(width, height, channels, type);
        return std::pair(result.tile_width, result.tile_height);
    };
    using Tile = std::pair<int, int>;
    EXPECT_EQ(tiles(8192, 8191, 1, SampleType::u8), Tile(0, 0));
    EXPECT_EQ(tiles(8192, 8192, 1, SampleType::u8), Tile(256, 256));
    EXPECT_EQ(tiles(4096, 4096, 1, SampleType::f32), Tile(256, 256));
    EXPECT_EQ(tiles(100000, 100000, 3, SampleType::u8), Tile(256, 256)) << "77 MB a row of tiles";
    EXPECT_EQ(tiles(100000, 100000, 4, SampleType::f32), Tile(256, 64)) << "102 MB";
    EXPECT_EQ(tiles(1 << 24, 100, 4, SampleType::f32), Tile(256, 16)) << "no lower ones";
    EXPECT_FALSE(layout(60000, 20000, 1, SampleType::u8).big);
    EXPECT_FALSE(layout(64000, 64000, 1, SampleType::u8).big) << "3.8 GiB";
    EXPECT_TRUE(layout(65536, 65536, 1, SampleType::u8).big);
    EXPECT_TRUE(layout(65280, 65280, 1, SampleType::u8).big) << "could exceed 4 GiB if it does not compress";
    EXPECT_TRUE(layout(10, 1 << 24, 1, SampleType::f32).big) << "only its tiles, which are mostly empty, take so much";
}

#if TEXELSCOPE_WITH_OIIO
Image every_level() {
    Image levels(256, 1, 1, SampleType::u8);
    for (int i = 0; i < 256; ++i) levels.row_as<uint8_t>(0)[i] = uint8_t(i);
    return levels;
}

TEST_F(WrittenRows, ATiledTiffIsReadBackWholeAndInParts) {
    for (const auto& [width, height, type] : {std::tuple(9001, 7700, SampleType::u8), {4300, 4211, SampleType::f32}}) {
        write_rows(blocks(width, height, 1, type), folder / "a.tif");
        const std::unique_ptr<OIIO::ImageInput> input = OIIO::ImageInput::open((folder / "a.tif").string());
        ASSERT_TRUE(input);
        const OIIO::ImageSpec& spec = input->spec();
        ASSERT_EQ(spec.tile_width, 256);
        ASSERT_EQ(spec.tile_height, 256);
        const Image levels = converted(every_level(), type);
        const auto value = [&](int x, int y) { return levels.value(block_level(x, y), 0, 0); };
        std::vector<float> tile(256 * 256);
        const int last_x = (width - 1) / 256 * 256, last_y = (height - 1) / 256 * 256;
        for (const auto& [left, top] :
             {std::pair(0, 0), {256, 0}, {2560, 1280}, {last_x, 512}, {768, last_y}, {last_x, last_y}}) {
            ASSERT_TRUE(input->read_tile(left, top, 0, OIIO::TypeDesc::FLOAT, tile.data()));
            for (int y = top; y < std::min(top + 256, height); ++y)
                for (int x = left; x < std::min(left + 256, width); ++x)
                    ASSERT_FLOAT_EQ(tile[size_t((y - top) * 256 + x - left)], value(x, y)) << x << " " << y;
        }
        const Image back = read_image_in_process(folder / "a.tif");
        ASSERT_EQ(back.type(), type);
        ASSERT_EQ(back.width(), width);
        ASSERT_EQ(back.height(), height);
        int wrong = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) wrong += back.value(x, y, 0) != value(x, y);
        EXPECT_EQ(wrong, 0);
    }
}
#endif

}  // namespace
}  // namespace texelscope::test
