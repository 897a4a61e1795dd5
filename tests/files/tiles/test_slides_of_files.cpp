// Slides of several files: MIRAX with its folder, Hamamatsu's VMS and VMU with files beside them; and that nothing else is opened,
// whatever they say.
#include <gmock/gmock.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "app/files/tiles/file_tiles.h"
#include "app/files/tiles/open_tiles.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/slide_files.h"
#include "tests/files/tiles/stored_tiles.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr int mirax_width = 6 * MiraxSlide::tile, mirax_height = 5 * MiraxSlide::tile;

MiraxSlide mirax() { return {{picture(mirax_width, mirax_height), picture(mirax_width / 2, mirax_height / 2, 2)}}; }

class SlidesOfFiles : public testing::Test {
protected:
    void SetUp() override {
        if (!readable(*codec_of_extension("a.svs"))) GTEST_SKIP() << "this build has no OpenSlide";
    }
    static std::unique_ptr<const TileSource> tiles(const fs::path& path) {
        return decoded_tiles(std::make_shared<const OpenedFile>(path), *codec_of_extension(path), {});
    }
    // What reading all of it says, as a whole and by regions, in one sentence.
    static std::string refusal(const fs::path& path) {
        const std::string error = test::refusal([&] { read_image(path); });
        EXPECT_EQ(error.find('\n'), error.npos) << error;
        const std::string by_regions = test::refusal([&] {
            const auto source = tiles(path);
            const Extent all = source->level_extent(0);
            region_of(*source, {0, 0, all.width, all.height});
        });
        EXPECT_EQ(error.empty(), by_regions.empty()) << error << by_regions;
        EXPECT_EQ(by_regions.find('\n'), by_regions.npos) << by_regions;
        return error;
    }
    static bool confined() { return decoding_facts().find("Landlock") != std::string::npos; }

    Folder folder_;
};

TEST_F(SlidesOfFiles, OfMiraxHaveTheirSamplesAndLevels) {
    const MiraxSlide slide = mirax();
    const auto path = slide.write(folder_, "a b");
    const auto source = tiles(path);
    ASSERT_EQ(source->levels(), 2);
    for (int level = 0; level < 2; ++level) expect_same_regions(*source, slide.levels[size_t(level)], level, 8);
    const Image whole = read_image(path);
    ASSERT_EQ(describe(whole), describe(slide.levels[0]));
    EXPECT_EQ(samples<uint8_t>(whole), samples<uint8_t>(slide.levels[0]));
    EXPECT_EQ(samples<uint8_t>(read_image_in_process(path)), samples<uint8_t>(whole));
}

TEST_F(SlidesOfFiles, OfMiraxAreOfTheColourThatTheyNameWhereNothingWasScanned) {
    MiraxSlide slide = mirax();
    slide.missing = {8};  // the third of the second row
    Image& image = slide.levels[0];
    const auto source = tiles(slide.write(folder_, "a"));
    for (int y = MiraxSlide::tile; y < 2 * MiraxSlide::tile; ++y)
        std::memset(image.row(y) + 3 * 2 * MiraxSlide::tile, 255, 3 * MiraxSlide::tile);
    expect_same_regions(*source, image, 0, 8);
}

// Tiles of the smaller level are not at whole samples: OpenSlide interpolates between them, the same in every region.
TEST_F(SlidesOfFiles, OfMiraxAreTheSameInEveryRegionWhereTheirTilesOverlap) {
    MiraxSlide slide = mirax();
    slide.overlap = 5;
    slide.levels[0] = picture(6 * 59 + 5, 5 * 59 + 5);
    const auto source = tiles(slide.write(folder_, "a"));
    expect_same_regions(*source, slide.levels[0], 0, 8);
    ASSERT_EQ(source->levels(), 2);
    const Extent half = source->level_extent(1);
    expect_same_regions(*source, region_of(*source, {0, 0, half.width, half.height}, 1), 1, 20);
}

TEST_F(SlidesOfFiles, OfHamamatsuHaveTheirSamples) {
    const VmuSlide vmu{picture(320, 256), picture(80, 64, 2)};
    const auto source = tiles(vmu.write(folder_, "u", "u(0,0).ngr"));
    ASSERT_EQ(source->levels(), 2);
    expect_same_regions(*source, vmu.image, 0, 8);
    expect_same_regions(*source, vmu.map, 1, 8);
}

// Each of its files is read alone.
TEST_F(SlidesOfFiles, OfHamamatsuInJpegAreMadeOfTheirFiles) {
    const VmsSlide vms;
    const auto path = vms.write(folder_, "2010-01-12 13.24.05");
    Image whole(vms.width * vms.columns, vms.height * vms.rows, 3, SampleType::u8);
    for (int row = 0; row < vms.rows; ++row)
        for (int column = 0; column < vms.columns; ++column) {
            const Image part = read_image(folder_.write("part.jpg", vms.file(column, row)));
            for (int y = 0; y < vms.height; ++y)
                std::memcpy(whole.row(row * vms.height + y) + 3 * column * vms.width, part.row(y), part.row_bytes());
        }
    expect_same_regions(*tiles(path), whole, 0, 8);
    EXPECT_EQ(samples<uint8_t>(read_image(path)), samples<uint8_t>(whole));
}

TEST_F(SlidesOfFiles, AreFoundWhereALinkLeads) {
    const MiraxSlide slide = mirax();
    const auto path = slide.write(folder_, "a");
    fs::create_directory(folder_ / "links");
    fs::create_symlink(path, folder_ / "links/other.mrxs");
    EXPECT_EQ(samples<uint8_t>(read_image(folder_ / "links/other.mrxs")), samples<uint8_t>(slide.levels[0]));
}

TEST_F(SlidesOfFiles, SayHowManyFilesTheyAre) {
    const auto path = mirax().write(folder_, "a");
    const PictureFacts facts = read_facts(path);
    EXPECT_EQ(facts.shape, (PictureShape{mirax_width, mirax_height, 3, SampleType::u8, Alpha::none}));
    uintmax_t bytes = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / "a")) bytes += entry.file_size();
    const auto row = std::ranges::find(facts.metadata, "Files beside it", &MetadataRow::name);
    ASSERT_NE(row, facts.metadata.end());
    EXPECT_THAT(row->value, HasSubstr("4, "));
    std::string digits = row->value.substr(row->value.find('('));
    std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
    EXPECT_EQ(digits, std::to_string(bytes));
}

TEST_F(SlidesOfFiles, AreAsLargeAsTheirFilesTogether) {
    const auto path = mirax().write(folder_, "a");
    EXPECT_TRUE(open_image(path.string()).in_memory());
    EXPECT_GT(stored_bytes(path).value(), 50u << 10);
    EXPECT_LT(fs::file_size(path), 10u);
    TilesOptions options;
    options.worth = 0;
    EXPECT_EQ(open_tiles(path.string(), options).tiles->levels(), 2);
}

TEST_F(SlidesOfFiles, AreNotReadOnOnceAFileOfThemHasChanged) {
    const auto path = mirax().write(folder_, "a");
    const auto source = tiles(path);
    const TileFileOrigin before = origin_of(OpenedFile(path), {});
    write_file(folder_ / "a/remark.txt", "is none of its files");
    region_of(*source, {0, 0, 100, 100});
    fs::last_write_time(folder_ / "a/Data0001.dat", fs::file_time_type::clock::now() - std::chrono::hours(24));
    EXPECT_THAT(test::refusal([&] {
                    region_of(*source, {0, 0, 100, 100});
                }),
                HasSubstr("was changed while it was open"));
    EXPECT_NE(origin_of(OpenedFile(path), {}), before);  // so that nothing is used that was kept of it
}

TEST_F(SlidesOfFiles, WithoutThemSaySoInOneSentence) {
    const auto path = mirax().write(folder_, "a");
    fs::rename(folder_ / "a", folder_ / "b");
    const std::string missing = path.string() + ": there is no folder a beside it, which holds the slide's images";
    EXPECT_THAT(refusal(path), HasSubstr(missing));
    fs::create_directory_symlink(folder_ / "b", folder_ / "a");
    EXPECT_THAT(refusal(path), HasSubstr(missing));
    fs::remove(folder_ / "a");
    fs::create_directory(folder_ / "a");
    EXPECT_THAT(refusal(path), HasSubstr("(OpenSlide knows no such slide with such files beside it)"));

    const auto vmu = VmuSlide{picture(32, 32), picture(16, 16)}.write(folder_, "u", "u.ngr");
    fs::remove(folder_ / "u.ngr");
    EXPECT_THAT(refusal(vmu), HasSubstr("u.ngr: No such file or directory)"));
    EXPECT_THAT(refusal(vmu), Not(HasSubstr("/proc")));
}

TEST_F(SlidesOfFiles, ThatAreDamagedAreNoMoreThanASentence) {
    const MiraxSlide slide = mirax();
    const auto path = slide.write(folder_, "a");
    const auto [index, data] = slide.index_and_data();
    std::mt19937 random(7);
    int refused = 0, rounds = 0;
    const auto try_damaged = [&](const std::string& name, std::string bytes) {
        write_file(folder_ / ("a/" + name), bytes);
        ++rounds;
        if (!refusal(path).empty()) ++refused;
    };
    for (const std::string& name : {std::string("Index.dat"), std::string("Slidedat.ini")}) {
        const std::string whole = content_of(folder_ / ("a/" + name));
        for (int k = 0; k < 12; ++k) {
            std::string changed = whole;
            changed[random() % changed.size()] ^= char(1 << random() % 8);
            try_damaged(name, changed);
        }
        for (const size_t part : {0, 10, 45, 95}) try_damaged(name, whole.substr(0, whole.size() * part / 100));
        write_file(folder_ / ("a/" + name), whole);
    }
    EXPECT_GT(refused, rounds / 3);
    EXPECT_EQ(refusal(path), "");
    // What is lost is lost alone.
    write_file(folder_ / "a/Data0000.dat", data[0].substr(0, data[0].size() / 2));
    EXPECT_THAT(refusal(path), HasSubstr("a.mrxs: the slide is damaged or of a kind that cannot be read ("));
    write_file(folder_ / "a/Data0000.dat", data[0]);
    const auto cut = data[1].find("IDAT") + 20;
    std::string wrong = data[1];
    wrong.replace(cut, 40, 40, '\0');
    write_file(folder_ / "a/Data0001.dat", wrong);
    const auto source = tiles(path);
    for (int round = 0; round < 2; ++round) {
        const std::string error = test::refusal([&] { region_of(*source, {MiraxSlide::tile + 5, 3, 8, 8}); });
        EXPECT_THAT(error, HasSubstr("the slide is damaged or of a kind that cannot be read ("));
        EXPECT_EQ(error.find('\n'), error.npos) << error;
        EXPECT_EQ(difference(*source, slide.levels[0], {0, 0, MiraxSlide::tile, MiraxSlide::tile}), "");
    }
}

// The files that they name are good ones, in the wrong places.
TEST_F(SlidesOfFiles, OpenNothingElseWhateverTheySay) {
    if (!confined()) GTEST_SKIP() << "the kernel has no Landlock";
    MiraxSlide slide = mirax();
    slide.write(folder_, "good");
    const fs::path good = folder_ / "good/Data0000.dat";
    const std::string denied = "Permission denied; only files in the folder a are opened, and no links)";
    for (const std::string& file :
         {std::string("../good/Data0000.dat"), "../../../../../../../.." + good.string(), std::string("link.dat"),
          std::string("further/Data0000.dat"), std::string("../other.dat")}) {
        slide.first_file = file;
        const auto path = slide.write(folder_, "a");
        if (!fs::exists(folder_ / "a/further")) {
            fs::create_symlink(good, folder_ / "a/link.dat");
            fs::create_directory_symlink(folder_ / "good", folder_ / "a/further");
            fs::copy_file(good, folder_ / "other.dat");
        }
        ASSERT_TRUE(fs::exists(folder_ / ("a/" + file))) << file;
        EXPECT_THAT(refusal(path), HasSubstr(denied)) << file;
    }
    slide.first_file = "/etc/passwd";  // in the folder
    EXPECT_THAT(refusal(slide.write(folder_, "a")), HasSubstr("No such file"));

    const VmuSlide vmu{picture(32, 32), picture(16, 16)};
    EXPECT_THAT(refusal(vmu.write(folder_, "v", "other.ngr")),
                HasSubstr("Permission denied; only files whose names begin with v are opened, and no links)"));
    const auto path = vmu.write(folder_, "v", "v.ngr");
    EXPECT_EQ(refusal(path), "");
    fs::rename(folder_ / "v.ngr", folder_ / "image");
    fs::create_symlink(folder_ / "image", folder_ / "v.ngr");
    EXPECT_THAT(refusal(path), HasSubstr("Permission denied"));
}

}  // namespace
}  // namespace texelscope::test
