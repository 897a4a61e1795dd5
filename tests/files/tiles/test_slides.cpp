// Slides through OpenSlide: their levels, what was not scanned, damage, and those that are left to the reader of TIFF.
#include <thread>

#include <gmock/gmock.h>

#include "app/files/reading/image_files.h"
#include "app/files/tiles/decoded_tiles.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/regions.h"
#include "tests/files/tiles/slide_file.h"
#include "tests/files/tiles/tiff_file.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

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
    EXPECT_THAT(error_of([&] { tiles(path, {.part = "2"}); }), HasSubstr("it has no part '2'"));
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
    std::vector<std::string> problems(6);
    {
        std::vector<std::jthread> threads;
        for (size_t i = 0; i < problems.size(); ++i)
            threads.emplace_back([&, i] {
                std::mt19937 random(uint32_t(i) + 1);
                for (int k = 0; k < 30; ++k) {
                    const size_t level = random() % levels.size();
                    const Image& whole = levels[level];
                    problems[i] += difference(*source, whole, random_region(random, whole.width(), whole.height(), 150),
                                              int(level));
                }
            });
    }
    for (const std::string& problem : problems) EXPECT_EQ(problem, "");
}

// A file that is cut off loses its directory, which is behind its tiles; one whose directory points behind its end loses tiles, and
// OpenSlide must be opened anew after each.
TEST_F(Slides, ThatAreDamagedSaySoInOneSentence) {
    const Image image = picture(320, 320);
    const std::string bytes = slide_of({image, picture(60, 60)});  // the last one is read when it is opened
    for (const double part : {0.01, 0.5}) {
        const auto path = folder_.write("a.svs", bytes.substr(0, size_t(double(bytes.size()) * part)));
        const std::string error = error_of([&] { region_of(*tiles(path), {0, 0, 320, 320}); });
        EXPECT_THAT(error, HasSubstr("is damaged or of a kind that cannot be read ("));
        EXPECT_EQ(error.find('\n'), error.npos) << error;
    }
    std::string displaced = bytes;
    const size_t third = displaced.find(little32(8 + 64 * 64 * 3 * 2), 8 + 25 * 64 * 64 * 3);  // its offset in the list
    ASSERT_NE(third, displaced.npos);
    displaced.replace(third, 4, little32(uint32_t(bytes.size()) + 5000));
    const auto source = tiles(folder_.write("a.svs", displaced));
    for (int round = 0; round < 2; ++round) {
        const std::string error = error_of([&] { region_of(*source, {130, 10, 20, 20}); });
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

}  // namespace
}  // namespace texelscope::test
