// TIFF and OpenEXR by regions, against the same files read as a whole; pyramids in all conventions; damage.
#if TEXELSCOPE_WITH_OIIO
#include "app/files/tiles/file_tiles.h"

#include <fstream>
#include <thread>

#include <OpenImageIO/imageio.h>
#include <gmock/gmock.h>

#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/slide_files.h"
#include "tests/files/tiles/stored_tiles.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

OIIO::TypeDesc type_of(SampleType type) {
    return type == SampleType::u8    ? OIIO::TypeDesc::UINT8
           : type == SampleType::u16 ? OIIO::TypeDesc::UINT16
           : type == SampleType::f16 ? OIIO::TypeDesc::HALF
                                     : OIIO::TypeDesc::FLOAT;
}

// Smooth with some noise, so that no two places look alike and every packer has something to do.
Image picture(int width, int height, int channels, SampleType type, int seed = 1) {
    Image image(width, height, channels, SampleType::f32);
    std::mt19937 random{uint32_t(seed)};
    for (int y = 0; y < height; ++y)
        for (int i = 0; i < width * channels; ++i)
            image.row_as<float>(y)[i] = float(i % 251 + y % 83) / 400 + float(random() % 64) / 1024;
    return converted(image, type);
}

struct Kind {
    std::vector<std::pair<std::string, std::string>> words = {};
    std::vector<std::pair<std::string, int>> numbers = {};
    int tile_width = 0, tile_height = 0;
};

OIIO::ImageSpec spec_of(const Image& image, const Kind& kind) {
    OIIO::ImageSpec spec(image.width(), image.height(), image.channels(), type_of(image.type()));
    spec.tile_width = kind.tile_width;
    spec.tile_height = kind.tile_height;
    spec.alpha_channel = -1;
    for (const auto& [name, value] : kind.words) spec.attribute(name, value);
    for (const auto& [name, value] : kind.numbers) spec.attribute(name, value);
    return spec;
}

// Pages, or MIP levels.
void write(const std::filesystem::path& path, const std::vector<Image>& images, const Kind& kind,
           OIIO::ImageOutput::OpenMode append = OIIO::ImageOutput::AppendSubimage) {
    const auto output = OIIO::ImageOutput::create(path.string());
    ASSERT_TRUE(output) << OIIO::geterror();
    std::vector<OIIO::ImageSpec> specs;
    for (const Image& image : images) specs.push_back(spec_of(image, kind));
    for (size_t i = 0; i < images.size(); ++i) {
        const bool multi = append == OIIO::ImageOutput::AppendSubimage;
        ASSERT_TRUE(i == 0 && multi
                        ? output->open(path.string(), int(specs.size()), specs.data())
                        : output->open(path.string(), specs[i], i == 0 ? OIIO::ImageOutput::Create : append))
            << output->geterror();
        ASSERT_TRUE(output->write_image(type_of(images[i].type()), images[i].data())) << output->geterror();
    }
    ASSERT_TRUE(output->close()) << output->geterror();
}

class DecodedTiles : public testing::Test {
protected:
    std::unique_ptr<const TileSource> tiles(const std::filesystem::path& path, const PictureChoice& choice = {}) {
        return decoded_tiles(std::make_shared<const OpenedFile>(path), *codec_of_extension(path), choice);
    }
    void expect_same(const std::string& name, const Image& image, const Kind& kind, const PictureChoice& choice = {}) {
        SCOPED_TRACE(name);
        const auto path = folder_ / name;
        ASSERT_NO_FATAL_FAILURE(write(path, {image}, kind));
        const auto source = tiles(path, choice);
        EXPECT_EQ(source->levels(), 1);
        expect_same_regions(*source, read_image(path, {.choice = choice}), 0, 8);
    }

    Folder folder_;
};

constexpr SampleType stored_types[] = {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32};

TEST_F(DecodedTiles, TiledTiffOfEveryTypeAndCompression) {
    for (const char* compression : {"none", "lzw", "zip", "packbits"})
        for (const SampleType type : stored_types)
            for (const int channels : {1, 3, 4}) {
                const Kind kind{
                    {{"compression", compression}}, {{"tiff:bigtiff", channels == 3}}, 64, channels == 1 ? 64 : 32};
                expect_same("a.tif", picture(331, 215, channels, type), kind);
            }
    expect_same("jpeg.tif", picture(331, 215, 1, SampleType::u8), {{{"compression", "jpeg"}}, {}, 64, 64});
    expect_same("planes.tif", picture(331, 215, 3, SampleType::u16),
                {{{"compression", "zip"}, {"planarconfig", "separate"}}, {}, 64, 64});
}

TEST_F(DecodedTiles, StripsOfAnyHeight) {
    for (const char* compression : {"none", "lzw", "zip"})
        for (const int rows : {1, 7, 64, 1000})
            for (const SampleType type : {SampleType::u8, SampleType::f32})
                expect_same("a.tif", picture(331, 215, 3, type),
                            {{{"compression", compression}}, {{"tiff:RowsPerStrip", rows}}});
    expect_same("planes.tif", picture(331, 215, 3, SampleType::u16),
                {{{"compression", "lzw"}, {"planarconfig", "separate"}}, {{"tiff:RowsPerStrip", 16}}});
}

TEST_F(DecodedTiles, OpenExrTiledAndInRows) {
    for (const char* compression : {"none", "zip", "zips", "piz", "dwab"})
        for (const int tile : {0, 64})
            for (const SampleType type : {SampleType::f16, SampleType::f32})
                expect_same("a.exr", picture(331, 215, 3, type), {{{"compression", compression}}, {}, tile, tile});
}

TEST_F(DecodedTiles, ChosenChannelsAndAlpha) {
    const Image image = picture(90, 70, 4, SampleType::f16);
    for (const std::vector<std::string>& channels : {std::vector<std::string>{"2"}, {"3", "1"}, {"1", "2", "3"}})
        expect_same("a.exr", image, {{}, {}, 32, 32}, {.channels = channels});
    for (const int straight : {0, 1}) {
        const auto path = folder_ / "alpha.tif";
        OIIO::ImageSpec spec = spec_of(image, {{}, {{"oiio:UnassociatedAlpha", straight}}, 32, 32});
        spec.alpha_channel = 3;
        spec.channelnames = {"R", "G", "B", "A"};
        const auto output = OIIO::ImageOutput::create(path.string());
        ASSERT_TRUE(output->open(path.string(), spec) && output->write_image(OIIO::TypeDesc::HALF, image.data()));
        ASSERT_TRUE(output->close());
        const Image whole = read_image(path);
        EXPECT_EQ(whole.alpha(), straight ? Alpha::straight : Alpha::premultiplied);
        expect_same_regions(*tiles(path), whole, 0, 8);
    }
}

std::vector<Image> pyramid(int width, int height, int channels, SampleType type) {
    std::vector<Image> images;
    for (int seed = 1; width > 16; ++seed, width /= 2, height /= 2)
        images.push_back(picture(width, height, channels, type, seed));
    return images;
}

void expect_levels(const TileSource& source, const std::vector<Image>& images) {
    ASSERT_EQ(source.levels(), int(images.size()));
    for (size_t i = 0; i < images.size(); ++i) expect_same_regions(source, images[i], int(i), 8);
}

TEST_F(DecodedTiles, PagesOfHalvingSizeAreLevels) {
    const auto images = pyramid(331, 215, 3, SampleType::u8);
    write(folder_ / "a.tif", images, {{{"compression", "zip"}}, {}, 64, 64});
    expect_levels(*tiles(folder_ / "a.tif"), images);
    // A page of another size ends them, and the pages behind it are pictures of their own.
    std::vector<Image> others = {images[0], images[1], picture(100, 100, 3, SampleType::u8), images[2]};
    write(folder_ / "b.tif", others, {{{"compression", "none"}}, {}, 64, 64});
    others.resize(2);
    expect_levels(*tiles(folder_ / "b.tif"), others);
    expect_levels(*tiles(folder_ / "b.tif", {.part = "3"}), {picture(100, 100, 3, SampleType::u8)});
}

// As Aperio's scanners write them: the picture, an overview in strips, levels of a quarter, and pictures of the label.
TEST_F(DecodedTiles, TheLevelsOfASlide) {
    const std::vector<Image> levels = {picture(800, 640, 3, SampleType::u8), picture(200, 160, 3, SampleType::u8, 2),
                                       picture(50, 40, 3, SampleType::u8, 3)};
    const Image overview = picture(100, 80, 3, SampleType::u8, 4), label = picture(30, 31, 3, SampleType::u8, 5);
    const auto path = folder_ / "a.tif";
    const Kind tiled{{{"ImageDescription", "Aperio Image Library v10"}, {"compression", "lzw"}}, {}, 64, 64};
    const Kind strips{{{"compression", "lzw"}}};
    const auto output = OIIO::ImageOutput::create(path.string());
    const std::vector<std::pair<const Image*, const Kind*>> pages = {
        {&levels[0], &tiled}, {&overview, &strips}, {&levels[1], &tiled}, {&levels[2], &tiled}, {&label, &strips}};
    std::vector<OIIO::ImageSpec> specs;
    for (const auto& [image, kind] : pages) specs.push_back(spec_of(*image, *kind));
    for (size_t i = 0; i < pages.size(); ++i) {
        ASSERT_TRUE(i == 0 ? output->open(path.string(), int(specs.size()), specs.data())
                           : output->open(path.string(), specs[i], OIIO::ImageOutput::AppendSubimage));
        ASSERT_TRUE(output->write_image(OIIO::TypeDesc::UINT8, pages[i].first->data()));
    }
    ASSERT_TRUE(output->close());
    expect_levels(*tiles(path), levels);
}

TEST_F(DecodedTiles, MipLevelsAreLevels) {
    const auto images = pyramid(512, 256, 3, SampleType::f16);
    const Kind kind{{{"compression", "zip"}, {"textureformat", "Plain Texture"}}, {}, 64, 64};
    write(folder_ / "a.exr", images, kind, OIIO::ImageOutput::AppendMIPLevel);
    auto source = tiles(folder_ / "a.exr");
    ASSERT_GE(source->levels(), int(images.size()));
    for (size_t i = 0; i < images.size(); ++i) expect_same_regions(*source, images[i], int(i), 8);
    // In a TIFF they are pages that say so, as maketx writes them.
    const auto pages = pyramid(512, 256, 3, SampleType::u16);
    write(folder_ / "a.tif", pages, kind);
    source = tiles(folder_ / "a.tif");
    expect_levels(*source, pages);
}

TEST_F(DecodedTiles, SubIfdsAreLevels) {
    for (const bool big : {false, true})
        for (const bool little : {false, true})
            for (const size_t count : {1, 4}) {
                SCOPED_TRACE(fmt::format("big {} little {} count {}", big, little, count));
                auto images = pyramid(331, 215, 1, SampleType::u8);
                images.resize(count + 1);
                TiffFile file({big, little});
                file.add_page(images[0], {images.begin() + 1, images.end()});
                file.add_page(picture(50, 40, 1, SampleType::u8, 99));
                const auto path = folder_.write("a.tif", file.bytes());
                expect_levels(*tiles(path), images);
                expect_levels(*tiles(path, {.part = "2"}), {picture(50, 40, 1, SampleType::u8, 99)});
                // Behind the pages, they are parts as well.
                const PictureFacts facts = read_facts(path);
                ASSERT_EQ(facts.parts.size(), 2 + count);
                EXPECT_EQ(facts.parts[2].name, "SubIFD 1 of page 1");
                for (size_t i = 1; i <= count; ++i)
                    EXPECT_TRUE(same(read_image(path, {.choice = {.part = std::to_string(2 + i)}}), images[i]));
            }
}

TEST_F(DecodedTiles, WhatIsNotInPiecesIsReadAsAWhole) {
    write_image(picture(60, 50, 3, SampleType::u8), folder_ / "a.png");
    EXPECT_THROW(tiles(folder_ / "a.png"), NotInParts);
    write_image(picture(60, 50, 3, SampleType::u8), folder_ / "a.bmp");
    EXPECT_THROW(tiles(folder_ / "a.bmp"), NotInParts);
    const auto turned = folder_ / "turned.tif";
    write(turned, {picture(60, 50, 3, SampleType::u8)}, {{}, {{"Orientation", 6}}, 16, 16});
    EXPECT_THROW(tiles(turned), NotInParts);
    expect_same_regions(*tiles(turned, {.upright = false}), read_image(turned, {.choice = {.upright = false}}), 0, 8);
}

TEST_F(DecodedTiles, ThreadsReadAtTheSameTime) {
    const auto images = pyramid(700, 600, 3, SampleType::u16);
    write(folder_ / "a.tif", images, {{{"compression", "lzw"}}, {}, 64, 64});
    const auto source = tiles(folder_ / "a.tif");
    expect_same_regions_in_threads(*source, images, 150);
}

// One byte after another is changed somewhere in the middle: the damaged tile says so or is not what it was, and all others are as
// they were.
TEST_F(DecodedTiles, ADamagedTileHarmsNoOther) {
    for (const auto& [compression, planes] : {std::pair{"zip", "contig"}, {"zip", "separate"}, {"lzw", "contig"}})
        for (const int tile : {0, 64}) {
            SCOPED_TRACE(fmt::format("{} {} {}", compression, planes, tile));
            const auto path = folder_ / "a.tif";
            const Image image = picture(512, 512, 3, SampleType::u16);
            write(path, {image},
                  {{{"compression", compression}, {"planarconfig", planes}}, {{"tiff:RowsPerStrip", 16}}, tile, tile});
            std::string bytes = content_of(path);
            for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i) bytes[i] = char(~bytes[i]);
            folder_.write("a.tif", bytes);
            const auto source = tiles(path);
            int refused = 0, wrong = 0, right = 0;
            const int step_x = tile ? tile : 512, step_y = tile ? tile : 16;
            for (int y = 0; y < 512; y += step_y)
                for (int x = 0; x < 512; x += step_x) {
                    std::string different;
                    const std::string error = refusal([&] {
                        different = difference(*source, image, {x, y, step_x, step_y});
                    });
                    if (!error.empty()) {
                        EXPECT_THAT(error, HasSubstr("a.tif: the TIFF is damaged"));
                        EXPECT_EQ(error.find('\n'), error.npos);
                    }
                    ++(!error.empty() ? refused : !different.empty() ? wrong : right);
                }
            const bool has_checksum = compression == std::string("zip");
            EXPECT_GE(refused, has_checksum ? 1 : 0);
            EXPECT_LE(refused + wrong, 4);
            EXPECT_GT(right, 20);
        }
}

TEST_F(DecodedTiles, ATruncatedFileShowsWhatIsThere) {
    const auto path = folder_ / "a.tif";
    const Image image = picture(512, 512, 1, SampleType::u16);
    write(path, {image}, {{{"compression", "none"}}, {}, 64, 64});
    const std::string bytes = content_of(path);
    int opened = 0;
    for (const double part : {0.001, 0.3, 0.7, 0.999}) {
        folder_.write("cut.tif", bytes.substr(0, size_t(double(bytes.size()) * part)));
        std::unique_ptr<const TileSource> source;
        const std::string error = refusal([&] { source = tiles(folder_ / "cut.tif"); });
        if (!source) {
            EXPECT_EQ(error.find('\n'), error.npos) << error;
            continue;
        }
        ++opened;
        int refused = 0;
        for (int y = 0; y < 512; y += 64)
            for (int x = 0; x < 512; x += 64) {
                std::string different;
                const std::string problem = refusal([&] { different = difference(*source, image, {x, y, 64, 64}); });
                refused += !problem.empty();
                EXPECT_EQ(different, "");
            }
        EXPECT_GE(refused, 1);
    }
    EXPECT_LE(opened, 4);
}

TEST_F(DecodedTiles, AFileThatShrinksIsOneSentenceAndAReplacedOneIsReadOn) {
    const auto path = folder_ / "a.tif";
    const Image image = picture(512, 512, 1, SampleType::u16);
    write(path, {image}, {{{"compression", "none"}}, {}, 64, 64});
    const auto source = tiles(path);
    EXPECT_EQ(difference(*source, image, {0, 0, 100, 100}), "");
    std::filesystem::rename(folder_.write("b.tif", "nothing"), path);
    EXPECT_EQ(difference(*source, image, {300, 300, 100, 100}), "");

    write(folder_ / "c.tif", {image}, {{{"compression", "none"}}, {}, 64, 64});
    const auto shrinking = tiles(folder_ / "c.tif");
    EXPECT_EQ(difference(*shrinking, image, {0, 0, 64, 64}), "");
    std::filesystem::resize_file(folder_ / "c.tif", 3000);
    EXPECT_THAT(refusal([&] {
                    region_of(*shrinking, {300, 300, 100, 100});
                }),
                HasSubstr("c.tif: the file was changed while it was open"));
}

}  // namespace
}  // namespace texelscope::test
#endif
