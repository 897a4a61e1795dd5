// Levels that are kept on disk: the same samples or none, each kind its own, within the folder's limit.

#include "app/files/tiles/kept_levels.h"

#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include "app/files/reading/image_files.h"
#include "app/files/tiles/file_tiles.h"
#include "app/files/tiles/open_tiles.h"
#include "gpu/backend/backend.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/files/tiles/levels_on_disk.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

TEST_F(LevelsOnDisk, WhatIsPutIsFoundByThisOpeningAndTheNext) {
    const auto first = opened();
    EXPECT_EQ(count(*first), 0);
    EXPECT_TRUE(files().empty());  // nothing is written for who only looks
    first->put(usual_kind(), 2, 1, samples(usual_kind(), 2, 1));
    EXPECT_EQ(count(*first), 1);
    put_all(*first);
    EXPECT_EQ(count(*first), 6);
    EXPECT_EQ(count(*opened()), 6);
    EXPECT_EQ(files().size(), 1u);
    EXPECT_EQ(first->why_not(), "");
    struct stat info {};
    ASSERT_EQ(::stat(kept_.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777u, 0700u);
}

TEST_F(LevelsOnDisk, OnlyWhatWasMadeTakesRoom) {
    LevelKind kind = usual_kind();
    kind.size = {312 * 64, 312 * 64};
    const auto levels = opened();
    levels->put(kind, 311, 311, samples(kind, 311, 311));
    ASSERT_EQ(files().size(), 1u);
    EXPECT_EQ(fs::file_size(files()[0]), 8192 + 312 * 312 * place);
    EXPECT_LT(cache_.bytes(), 8192 + place + 3 * 4096);
    EXPECT_GE(cache_.bytes(), place);
}

TEST_F(LevelsOnDisk, EachKindHasItsOwn) {
    std::vector<LevelKind> kinds(9, usual_kind());
    kinds[1].level.x = 1;
    kinds[2].x = AddressMode::wrap;
    kinds[3].y = AddressMode::wrap;
    kinds[4].border[2] = 0.5f;
    kinds[5].light = Light::linear;
    kinds[6].maker = 8;
    kinds[7].side = 65;
    kinds[8].size.width = 151;
    const auto levels = opened();
    for (size_t i = 0; i < kinds.size(); ++i) levels->put(kinds[i], 0, 0, samples(kinds[i], 0, 0, float(i)));
    EXPECT_EQ(files().size(), kinds.size());
    const auto again = opened();
    for (size_t i = 0; i < kinds.size(); ++i) {
        Image tile = blank(kinds[i], 0, 0);
        ASSERT_TRUE(again->find(kinds[i], 0, 0, tile)) << i;
        EXPECT_TRUE(same(tile, samples(kinds[i], 0, 0, float(i)))) << i;
    }
}

TEST_F(LevelsOnDisk, MoreKindsThanFilesMayBeOpen) {
    const auto levels = opened();
    LevelKind kind = usual_kind();
    for (kind.maker = 0; kind.maker < 150; ++kind.maker) levels->put(kind, 1, 0, samples(kind, 1, 0));
    for (kind.maker = 0; kind.maker < 150; ++kind.maker) EXPECT_EQ(count(*levels, kind), 1);
    const auto open = fs::directory_iterator("/proc/self/fd");
    EXPECT_LT(std::distance(begin(open), end(open)), 110);
}

TEST_F(LevelsOnDisk, AnotherFileAnotherChoiceOrAChangedFileHasNone) {
    put_all(*opened());
    EXPECT_EQ(count(*opened(origin("/d/other.pgm"))), 0);
    TileFileOrigin red = origin();
    red.choice = "channels=R";
    EXPECT_EQ(count(*opened(red)), 0);
    EXPECT_EQ(count(*opened()), 6);
    EXPECT_EQ(count(*opened(origin("/d/scan.pgm", 2))), 0);
    EXPECT_TRUE(files().empty());  // what no file is like any more is removed
    put_all(*opened());
    TileFileOrigin longer = origin();
    ++longer.bytes;
    EXPECT_EQ(count(*opened(longer)), 0);
    EXPECT_TRUE(files().empty());
}

TEST_F(LevelsOnDisk, ALevelThatIsTooLargeIsNotKeptAndNoFault) {
    cache_ = TileFolder(kept_, 4 * (8192 + 6 * place) - 1);
    const auto levels = opened();
    put_all(*levels);
    EXPECT_TRUE(files().empty());
    LevelKind smaller = usual_kind();
    smaller.size = {100, 50};
    put_all(*levels, smaller);
    EXPECT_EQ(count(*levels, smaller), 2);
    EXPECT_EQ(levels->why_not(), "");
}

TEST_F(LevelsOnDisk, WhatWasNotUsedForLongestGoesFirst) {
    constexpr uint64_t limit = 40 * place;
    cache_ = TileFolder(kept_, limit);
    for (int i = 0; i < 30; ++i) {
        const auto levels = opened(origin("/d/" + std::to_string(i)));
        put_all(*levels);
        EXPECT_EQ(count(*levels), 6);
        EXPECT_EQ(levels->why_not(), "");
        EXPECT_LE(cache_.bytes(), limit);
        if (i > 0) {
            EXPECT_EQ(count(*opened(origin("/d/0"))), 6) << i;  // it is used again and again
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(8));  // longer than a tick of the file system's clock
    }
    EXPECT_EQ(count(*opened(origin("/d/29"))), 6);
    EXPECT_EQ(count(*opened(origin("/d/1"))), 0);
    EXPECT_GT(files().size(), 3u);
}

TEST_F(LevelsOnDisk, SourcesOfFilesHaveThemAndTestImagesDoNot) {
    write_image(Image(300, 200, 1, SampleType::u8), folder_ / "a.pgm");
    const TilesOptions options{.worth = 1, .cache = cache_};
    EXPECT_TRUE(kept_levels(*open_tiles((folder_ / "a.pgm").string(), options), cache_));
    EXPECT_FALSE(kept_levels(*open_tiles((folder_ / "a.pgm").string(), options), TileFolder(fs::path())));
    EXPECT_FALSE(kept_levels(*open_tiles("@zone-plate:300", options), cache_));
    write_image(Image(300, 200, 3, SampleType::u8), folder_ / "b.png");
    EXPECT_TRUE(kept_levels(*open_tiles((folder_ / "b.png").string(), options), cache_));
}

// The whole way: a file, its levels, a picture of them; then the same picture when the samples cannot be read any more.
TEST_F(LevelsOnDisk, ThePictureOfASecondOpeningNeedsNoSamples) {
    const auto path = folder_ / "a.npy";
    Image image(900, 700, 1, SampleType::f32);
    std::mt19937 random(3);
    for (int y = 0; y < 700; ++y)
        for (int x = 0; x < 900; ++x) image.row_as<float>(y)[x] = float(random() % 4096) / 4096;
    write_image(image, path);
    const std::shared_ptr<Backend> backend = make_backend(BackendChoice::cpu);
    const auto picture = [&] {
        const auto tiles = open_tiles(path.string(), {.worth = 1, .cache = cache_});
        TiledImage tiled(backend, tiles, {.levels = kept_levels(*tiles, cache_)});
        return tiled.render_to_image(resize_request(tiled.info(), parse_spec("catmull-rom"), 90, 70));
    };
    const Image first = picture();
    EXPECT_FALSE(files().empty());
    const auto modified = fs::last_write_time(path);
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(1000)
        << std::string(900 * 600 * 4, '\xff');
    fs::last_write_time(path, modified);
    EXPECT_TRUE(same(picture(), first));
    fs::last_write_time(path, modified + std::chrono::seconds(1));
    EXPECT_FALSE(same(picture(), first));  // of what is in the file now
}

}  // namespace
}  // namespace texelscope::test
