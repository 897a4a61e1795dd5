// Which images are read by regions, and how.

#include "app/files/tiles/open_tiles.h"

#include <gmock/gmock.h>

#include "app/files/reading/image_files.h"
#include "app/files/reading/image_source.h"
#include "app/files/test_images/test_images.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/regions.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

// "" unless it is to be read as a whole.
std::string why_whole(const std::string& source, const TilesOptions& options = {}) {
    try {
        open_tiles(source, options);
    } catch (const ReadWhole& reason) {
        return reason.what();
    }
    return "";
}

TEST(OpenTiles, LargeTestImagesAreMadeByRegions) {
    const auto tiles = open_tiles("@zone-plate:200000");
    EXPECT_EQ(tiles->info().width, 200000);
    EXPECT_EQ(why_whole("@zone-plate:32768"),
              "@zone-plate:32768 is read as a whole: its 32768×32768 samples take no more than 1024 MiB");
    EXPECT_EQ(open_tiles("@zone-plate:32769")->info().height, 32769);
    EXPECT_EQ(why_whole("@noise:65536"), "@noise:65536 is read as a whole: every sample of it depends on all others");
    EXPECT_THROW(open_tiles("@zone-plat:65536"), UsageError);
}

TEST(OpenTiles, OwnFormatsAreReadWhereTheyLie) {
    const Folder folder;
    const std::string path = folder / "a.npy";
    write_image(make_test_image("@zone-plate:300x200"), path);
    EXPECT_THAT(why_whole(path), HasSubstr("a.npy is read as a whole: its 300×200 samples take no more than 1 MiB"));
    expect_same_regions(*open_tiles(path, {.worth = 1}), load_image(path), 0, 10);
    const std::string chosen = with_choice(path, {.channels = {"1"}});
    expect_same_regions(*open_tiles(chosen, {.worth = 1}), load_image(chosen), 0, 10);
}

TEST(OpenTiles, TiffIsDecodedByRegions) {
    if (!TEXELSCOPE_WITH_OIIO) GTEST_SKIP() << "TIFF is read and written by OpenImageIO";
    const Folder folder;
    const std::string path = folder / "a.tif";
    write_image(make_test_image("@text:300x200"), path);
    expect_same_regions(*open_tiles(path, {.worth = 1}), load_image(path), 0, 10);
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
        expect_same_regions(*open_tiles(source, options), load_image(source), 0, 10);
        EXPECT_GT(reports, 0);
        reports = 0;
        expect_same_regions(*open_tiles(source, options), load_image(source), 0, 10);
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
    EXPECT_THAT(error_of([&] { open_tiles(folder.write("a.npy", "\x93NUMPY nonsense")); }), HasSubstr("a.npy: "));
}

}  // namespace
}  // namespace texelscope::test
