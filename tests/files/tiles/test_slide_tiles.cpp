// Tiles of slides that are TIFF inside, packed in every way that is read without OpenSlide's own conversions.

#include <gmock/gmock.h>

#include "app/files/reading/image_files.h"
#include "app/files/tiles/decoded_tiles.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/regions.h"
#include "tests/files/tiles/slide_file.h"
#include "tests/support/jpeg_file.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

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
        EXPECT_THAT(error_of([&] { tiles(slide_of({deep(size.width, size.height)}, {})); }),
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
        const std::string error = error_of([&] { region_of(*source, {130, 10, 20, 20}); });
        EXPECT_THAT(error, HasSubstr("a.svs: the slide is damaged or of a kind that cannot be read ("));
        EXPECT_EQ(error.find('\n'), error.npos) << error;
        region_of(*source, {0, 0, 128, 60});
        region_of(*source, {192, 0, 8, 60});
    }
}

}  // namespace
}  // namespace texelscope::test
