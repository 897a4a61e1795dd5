// Slides: through OpenSlide, and their tiles read as TIFF.

#include <gmock/gmock.h>

#include <thread>

#include "app/files/reading/image_files.h"
#include "app/files/tiles/file_tiles.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/slide_files.h"
#include "tests/files/tiles/stored_tiles.h"
#include "tests/support/encoded_files.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

// Slides through OpenSlide: their levels, what was not scanned, damage, and those that are left to the reader of TIFF.

std::string slide_of(const std::vector<Image>& levels) {
    SlideFile file;
    for (const Image& level : levels) file.add_page(level, aperio);
    return file.bytes();
}

class Slides : public testing::Test {
protected:
    void SetUp() override {
        if (!readable(*codec_of_extension("a.svs"))) GTEST_SKIP() << "this build has no OpenSlide";
    }
    std::unique_ptr<const TileSource> tiles(const std::filesystem::path& path, const PictureChoice& choice = {}) {
        return decoded_tiles(std::make_shared<const OpenedFile>(path), *codec_of_extension(path), choice);
    }

    Folder folder_;
};

TEST_F(Slides, HaveTheirSamplesAndLevels) {
    const std::vector<Image> levels = {picture(400, 320), picture(200, 160, 2), picture(50, 40, 3)};
    const auto path = folder_.write("a.svs", slide_of(levels));
    const auto source = tiles(path);
    ASSERT_EQ(source->levels(), 3);
    for (int level = 0; level < 3; ++level) expect_same_regions(*source, levels[size_t(level)], level, 8);
    const Image whole = read_image(path);
    ASSERT_EQ(describe(whole), describe(levels[0]));
    EXPECT_EQ(samples<uint8_t>(whole), samples<uint8_t>(levels[0]));
}

TEST_F(Slides, HaveChannelsToChoose) {
    const Image image = picture(130, 70);
    const auto path = folder_.write("a.svs", slide_of({image}));
    const PictureChoice choice{.channels = {"B", "R"}};
    expect_same_regions(*tiles(path, choice), read_image(path, {.choice = choice}), 0, 8);
    const Image chosen = region_of(*tiles(path, choice), {100, 60, 1, 1});
    EXPECT_EQ(chosen.data()[0], image.row(60)[3 * 100 + 2]);
    EXPECT_EQ(chosen.data()[1], image.row(60)[3 * 100]);
    EXPECT_THAT(refusal([&] { tiles(path, {.part = "2"}); }), HasSubstr("it has no part '2'"));
}

TEST_F(Slides, HaveLevelsOfAnyFactor) {
    const std::vector<Image> levels = {picture(531, 316), picture(265, 157, 2), picture(70, 41, 3)};
    const auto source = tiles(folder_.write("a.svs", slide_of(levels)));
    ASSERT_EQ(source->levels(), 3);
    for (int level = 0; level < 3; ++level) expect_same_regions(*source, levels[size_t(level)], level, 8);
}

// White is the background of slides that name none.
TEST_F(Slides, AreWhiteWhereNothingWasScanned) {
    SlideFile file;
    Image image = picture(300, 200);
    file.add_page(image, aperio, {1, 7});  // the second of each of the first two rows of five
    for (int y = 0; y < 128; ++y) {
        const int left = y < 64 ? 64 : 128;
        std::memset(image.row(y) + 3 * left, 255, 3 * 64);
    }
    expect_same_regions(*tiles(folder_.write("a.svs", file.bytes())), image, 0, 8);
}

TEST_F(Slides, AreReadByThreadsAtTheSameTime) {
    const std::vector<Image> levels = {picture(700, 600), picture(350, 300, 2)};
    const auto source = tiles(folder_.write("a.svs", slide_of(levels)));
    expect_same_regions_in_threads(*source, levels, 150);
}

// A file that is cut off loses its directory, which is behind its tiles; one whose directory points behind its end loses tiles, and
// OpenSlide must be opened anew after each.
TEST_F(Slides, ThatAreDamagedSaySoInOneSentence) {
    const Image image = picture(320, 320);
    const std::string bytes = slide_of({image, picture(60, 60)});  // the last one is read when it is opened
    for (const double part : {0.01, 0.5}) {
        const auto path = folder_.write("a.svs", bytes.substr(0, size_t(double(bytes.size()) * part)));
        const std::string error = refusal([&] { region_of(*tiles(path), {0, 0, 320, 320}); });
        EXPECT_THAT(error, HasSubstr("is damaged or of a kind that cannot be read ("));
        EXPECT_EQ(error.find('\n'), error.npos) << error;
    }
    std::string displaced = bytes;
    const size_t third = displaced.find(little32(8 + 64 * 64 * 3 * 2), 8 + 25 * 64 * 64 * 3);  // its offset in the list
    ASSERT_NE(third, displaced.npos);
    displaced.replace(third, 4, little32(uint32_t(bytes.size()) + 5000));
    const auto source = tiles(folder_.write("a.svs", displaced));
    for (int round = 0; round < 2; ++round) {
        const std::string error = refusal([&] { region_of(*source, {130, 10, 20, 20}); });
        EXPECT_THAT(error, HasSubstr("a.svs: the slide is damaged or of a kind that cannot be read ("));
        EXPECT_EQ(error.find('\n'), error.npos) << error;
        EXPECT_EQ(difference(*source, image, {0, 0, 128, 320}), "");
        EXPECT_EQ(difference(*source, image, {192, 0, 128, 320}), "");
    }
}

#if TEXELSCOPE_WITH_OIIO
// It keeps what OpenSlide would lose: grey stays one channel.
TEST_F(Slides, ThatAreOrdinaryTiffsAreReadAsThose) {
    Image grey(90, 70, 1, SampleType::u8);
    for (size_t i = 0; i < grey.size_bytes(); ++i) grey.data()[i] = std::byte(i * 7);
    TiffFile strips({});
    strips.add_page(grey);
    expect_same_regions(*tiles(folder_.write("a.svs", strips.bytes())), grey, 0, 8);

    SlideFile generic;
    const std::vector<Image> levels = {picture(256, 128), picture(128, 64, 2)};
    for (const Image& level : levels) generic.add_page(level, "");
    const auto source = tiles(folder_.write("b.svs", generic.bytes()));
    ASSERT_EQ(source->levels(), 2);
    for (int level = 0; level < 2; ++level) expect_same_regions(*source, levels[size_t(level)], level, 8);
}
#else
TEST_F(Slides, ThatAreOrdinaryTiffsAreReadByOpenSlide) {
    SlideFile generic;
    const std::vector<Image> levels = {picture(256, 128), picture(128, 64, 2)};
    for (const Image& level : levels) generic.add_page(level, "");
    const auto source = tiles(folder_.write("a.svs", generic.bytes()));
    ASSERT_EQ(source->levels(), 2);
    for (int level = 0; level < 2; ++level) expect_same_regions(*source, levels[size_t(level)], level, 8);
}
#endif

// Tiles of slides that are TIFF inside, packed in every way that is read without OpenSlide's own conversions.

constexpr int side = SlideFile::tile;

// TIFF 6.0, section 13: codes of nine bits from the highest on; the table is cleared before they would be longer.
std::string lzw(const std::string& samples) {
    constexpr uint32_t clear = 256, end = 257;
    std::string packed;
    uint32_t bits = 0, count = 0;
    const auto put = [&](uint32_t code) {
        bits = bits << 9 | code;
        for (count += 9; count >= 8; count -= 8) packed += char(bits >> (count - 8) & 255);
    };
    for (size_t i = 0; i < samples.size(); ++i) {
        if (i % 200 == 0) put(clear);
        put(uint8_t(samples[i]));
    }
    put(end);
    if (count > 0) packed += char(bits << (8 - count) & 255);
    return packed;
}

// TIFF 6.0, section 9: runs of literal bytes, which do not cross rows.
std::string pack_bits(const std::string& samples) {
    std::string packed;
    for (size_t row = 0; row < samples.size(); row += side * 3)
        packed += '\x7f' + samples.substr(row, 128) + '\x3f' + samples.substr(row + 128, 64);
    return packed;
}

// TIFF 6.0, section 14: each sample minus the one before it, except the first of a row.
std::string differences(const std::string& samples) {
    std::string packed = samples;
    for (size_t row = 0; row < samples.size(); row += side * 3)
        for (size_t i = side * 3 - 1; i >= 3; --i) packed[row + i] = char(packed[row + i] - packed[row + i - 3]);
    return packed;
}

struct JpegKind {
    J_COLOR_SPACE space;
    int subsampling;
};

std::string whole_jpeg(const std::string& samples, JpegKind kind) {
    const auto value = [&](int x, int y, int c) { return uint8_t(samples[size_t((y * side + x) * 3 + c)]); };
    return jpeg_of(side, side, 3, JCS_RGB, value, [&](jpeg_compress_struct& info) {
        jpeg_set_colorspace(&info, kind.space);
        info.comp_info[0].h_samp_factor = info.comp_info[0].v_samp_factor = kind.subsampling;
    });
}

// TIFF Technical Note 2: the tables in one stream, the rest in another; scanners write no application's segments.
std::pair<std::string, std::string> tables_and_rest(const std::string& jpeg) {
    std::string tables = jpeg.substr(0, 2), rest = tables;
    size_t at = 2;
    for (uint32_t marker = 0; marker != 0xda;) {
        marker = uint8_t(jpeg[at + 1]);
        const size_t size = 2 + be16(span_of(jpeg), at + 2);
        if (marker == 0xdb || marker == 0xc4) tables += jpeg.substr(at, size);
        else if (marker < 0xe0) rest += jpeg.substr(at, size);
        at += size;
    }
    return {tables + "\xff\xd9", rest + jpeg.substr(at)};
}

std::string slide_of(const std::vector<Image>& levels, const TilePacking& packing) {
    SlideFile file(packing);
    for (const Image& level : levels) file.add_page(level, aperio);
    return file.bytes();
}

class SlideTiles : public testing::Test {
protected:
    void SetUp() override {
        if (!readable(*codec_of_extension("a.svs"))) GTEST_SKIP() << "this build has no OpenSlide";
    }
    std::unique_ptr<const TileSource> tiles(const std::string& bytes) {
        const auto path = folder_.write("a.svs", bytes);
        return decoded_tiles(std::make_shared<const OpenedFile>(path), *codec_of_extension(path), {});
    }
    // The image with each tile as the reader of JPEG gives it.
    Image as_jpeg_files(const Image& image, JpegKind kind) {
        Image read(image.width(), image.height(), 3, SampleType::u8);
        for (int top = 0; top < image.height(); top += side)
            for (int left = 0; left < image.width(); left += side) {
                const auto path = folder_.write("tile.jpg", whole_jpeg(SlideFile::tile_of(image, left, top), kind));
                const Image tile = read_image_in_process(path);
                for (int y = 0; y < std::min(side, image.height() - top); ++y)
                    std::memcpy(read.row(top + y) + 3 * left, tile.row(y),
                                3 * size_t(std::min(side, image.width() - left)));
            }
        return read;
    }

    Folder folder_;
};

// The last level is smaller than a tile along both axes, the one before along one.
TEST_F(SlideTiles, HaveTheirSamplesHoweverTheyArePacked) {
    const std::vector<Image> levels = {picture(400, 200), picture(200, 100, 2), picture(100, 50, 3),
                                       picture(50, 25, 4)};
    const auto deflated = [](const std::string& samples) { return stored(samples); };
    const auto predicted = [](const std::string& samples) { return stored(differences(samples)); };
    for (const TilePacking& packing :
         {TilePacking{}, TilePacking{lzw, 5}, TilePacking{deflated, 8}, TilePacking{deflated, 32946},
          TilePacking{predicted, 8, 2, 2}, TilePacking{pack_bits, 32773}}) {
        SCOPED_TRACE(packing.compression);
        const auto source = tiles(slide_of(levels, packing));
        ASSERT_EQ(source->levels(), 4);
        for (int level = 0; level < 4; ++level) expect_same_regions(*source, levels[size_t(level)], level, 8);
    }
}

TEST_F(SlideTiles, OfJpegAreDecodedAsJpegFilesAre) {
    const std::vector<Image> levels = {picture(200, 150), picture(50, 37, 2)};
    for (const JpegKind kind : {JpegKind{JCS_YCbCr, 2}, JpegKind{JCS_YCbCr, 1}, JpegKind{JCS_RGB, 1}}) {
        SCOPED_TRACE(fmt::format("{} {}", int(kind.space), kind.subsampling));
        const auto abbreviated = [&](const std::string& samples) {
            return tables_and_rest(whole_jpeg(samples, kind)).second;
        };
        const TilePacking packing{abbreviated,
                                  7,
                                  kind.space == JCS_RGB ? 2u : 6u,
                                  1,
                                  tables_and_rest(whole_jpeg(std::string(side * side * 3, 'x'), kind)).first,
                                  uint32_t(kind.subsampling)};
        const auto source = tiles(slide_of(levels, packing));
        ASSERT_EQ(source->levels(), 2);
        for (int level = 0; level < 2; ++level)
            expect_same_regions(*source, as_jpeg_files(levels[size_t(level)], kind), level, 4);
    }
}

TEST_F(SlideTiles, OfOneChannelAreGrey) {
    Image grey(50, 40, 1, SampleType::u8), rgb(50, 40, 3, SampleType::u8);
    for (size_t i = 0; i < grey.size_bytes(); ++i) {
        grey.data()[i] = std::byte(i * 7);
        std::fill_n(rgb.data() + 3 * i, 3, std::byte(i * 7));
    }
    expect_same_regions(*tiles(slide_of({grey}, {.photometric = 1})), rgb, 0, 8);
}

// OpenSlide 3.4.1 with libtiff 4.5.0-6+deb12u4 gives garbage for such slides.
TEST_F(SlideTiles, ThatCannotBeReadRightAreASentence) {
    const auto deep = [](int width, int height) { return Image(width, height, 3, SampleType::u16); };
    for (const Extent size : {Extent{50, 40}, {50, 100}, {100, 40}})
        EXPECT_THAT(refusal([&] { tiles(slide_of({deep(size.width, size.height)}, {})); }),
                    HasSubstr(fmt::format("an image of the slide is smaller than its tiles ({}×{} in tiles of 64×64)",
                                          size.width, size.height)));
    EXPECT_EQ(tiles(slide_of({deep(200, 140), deep(100, 70), deep(50, 35)}, {}))->levels(), 2);
}

TEST_F(SlideTiles, ThatAreDamagedAreASentenceAboutThemAlone) {
    const Image image = picture(200, 60);
    for (const bool jpeg : {true, false}) {
        int count = 0;
        const auto third_is_cut = [&](const std::string& samples) {
            std::string packed = jpeg ? whole_jpeg(samples, {JCS_YCbCr, 1}) : lzw(samples);
            if (++count == 3) packed.resize(packed.size() / 2);
            return packed;
        };
        const auto source = tiles(slide_of({image}, {third_is_cut, jpeg ? 7u : 5u, jpeg ? 6u : 2u}));
        const std::string error = refusal([&] { region_of(*source, {130, 10, 20, 20}); });
        EXPECT_THAT(error, HasSubstr("a.svs: the slide is damaged or of a kind that cannot be read ("));
        EXPECT_EQ(error.find('\n'), error.npos) << error;
        region_of(*source, {0, 0, 128, 60});
        region_of(*source, {192, 0, 8, 60});
    }
}

}  // namespace
}  // namespace texelscope::test
