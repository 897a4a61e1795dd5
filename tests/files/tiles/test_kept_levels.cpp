// Levels that are kept on disk.

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include "app/files/reading/image_files.h"
#include "app/files/tiles/file_tiles.h"
#include "app/files/tiles/open_tiles.h"
#include "app/files/tiles/tile_folder.h"
#include "gpu/backend/backend.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/files/tiles/stored_tiles.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

// Levels that are kept on disk: the same samples or none, each kind its own, within the folder's limit.

// Until files that are written now are younger, by the file system's clock, than those before.
void pass_a_tick(const fs::path& probe) {
    const auto written = [&] {
        std::ofstream(probe) << 1;
        return fs::last_write_time(probe);
    };
    for (const auto first = written(); written() == first;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    fs::remove(probe);
}

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
        pass_a_tick(folder_ / "tick");  // what is used next is younger
    }
    EXPECT_EQ(count(*opened(origin("/d/29"))), 6);
    EXPECT_EQ(count(*opened(origin("/d/1"))), 0);
    EXPECT_GT(files().size(), 3u);
}

TEST_F(LevelsOnDisk, SourcesOfFilesHaveThemAndTestImagesDoNot) {
    write_image(Image(300, 200, 1, SampleType::u8), folder_ / "a.pgm");
    const TilesOptions options{.worth = 1, .cache = cache_};
    EXPECT_TRUE(kept_levels(*open_tiles((folder_ / "a.pgm").string(), options).tiles, cache_));
    EXPECT_FALSE(kept_levels(*open_tiles((folder_ / "a.pgm").string(), options).tiles, TileFolder(fs::path())));
    EXPECT_FALSE(kept_levels(*open_tiles("@zone-plate:300", options).tiles, cache_));
    write_image(Image(300, 200, 3, SampleType::u8), folder_ / "b.png");
    EXPECT_TRUE(kept_levels(*open_tiles((folder_ / "b.png").string(), options).tiles, cache_));
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
        const auto tiles = open_tiles(path.string(), {.worth = 1, .cache = cache_}).tiles;
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

using testing::HasSubstr;

// Levels that are kept on disk: the same samples or none, whatever happens to the disk or to other programs that write there.

// Whatever byte of it is another one: that tile, or all of them, are made again.
TEST_F(LevelsOnDisk, ADamagedTileIsNoTile) {
    put_all(*opened());
    const auto path = files().at(0);
    const std::string bytes = content_of(path);
    for (const size_t at : {size_t(0), size_t(30), size_t(8191), size_t(8192), size_t(8196), size_t(8200), size_t(8208),
                            8192 + place - 1, 8192 + 4 * place + 2000}) {
        SCOPED_TRACE(at);
        std::string damaged = bytes;
        damaged[at] = char(damaged[at] ^ 1);
        std::ofstream(path, std::ios::binary) << damaged;
        const auto levels = opened();
        EXPECT_EQ(count(*levels), at < 8192 ? 0 : 5);
        put_all(*levels);
        EXPECT_EQ(count(*levels), 6);
        EXPECT_EQ(content_of(path), bytes);
    }
}

TEST_F(LevelsOnDisk, ATruncatedFileLosesWhatIsMissing) {
    put_all(*opened());
    const auto path = files().at(0);
    const auto size = fs::file_size(path);
    const auto levels = opened();
    EXPECT_EQ(count(*levels), 6);
    fs::resize_file(path, 8192 + 3 * place + 100);  // while it is open
    EXPECT_EQ(count(*levels), 3);
    EXPECT_EQ(count(*opened()), 3);
    put_all(*levels);
    EXPECT_EQ(count(*opened()), 6);
    EXPECT_EQ(fs::file_size(path), size);
    for (const size_t bytes : {0, 100, 8191}) {
        fs::resize_file(path, bytes);
        const auto again = opened();
        EXPECT_EQ(count(*again), 0);
        put_all(*again);
        EXPECT_EQ(count(*opened()), 6);
    }
}

TEST_F(LevelsOnDisk, AFullDiskIsOneReasonAndWhatIsThereStays) {
    const auto levels = opened();
    levels->put(usual_kind(), 0, 0, samples(usual_kind(), 0, 0));
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{8192 + place + 5000, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    put_all(*levels);  // ends within the second tile
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_THAT(levels->why_not(), HasSubstr("larger than permitted"));
    EXPECT_EQ(count(*levels), 1);
    levels->put(usual_kind(), 2, 0, samples(usual_kind(), 2, 0));
    EXPECT_EQ(count(*levels), 1);  // no more is written
    const auto again = opened();
    EXPECT_EQ(count(*again), 1);
    put_all(*again);
    EXPECT_EQ(count(*again), 6);
}

TEST_F(LevelsOnDisk, RoomIsLeftToOthersOnTheDisk) {
    const auto levels = opened(origin(), uint64_t(1) << 60);
    put_all(*levels);
    EXPECT_THAT(levels->why_not(), HasSubstr("of the disk would be left free"));
    EXPECT_EQ(count(*levels), 0);
    EXPECT_TRUE(files().empty());
}

TEST_F(LevelsOnDisk, WithoutAPlaceNothingIsKept) {
    cache_ = TileFolder(folder_.write("file", "x") / "tiles");
    const auto levels = opened();
    put_all(*levels);
    EXPECT_THAT(levels->why_not(), HasSubstr("cannot be made"));
    EXPECT_EQ(count(*levels), 0);
    cache_ = TileFolder(fs::path());
    const auto nowhere = opened();
    put_all(*nowhere);
    EXPECT_THAT(nowhere->why_not(), HasSubstr("there is no folder"));
    EXPECT_EQ(count(*nowhere), 0);
}

// For whom permissions are not made (root) the test is somebody else.
class Nobody {
public:
    explicit Nobody(const std::vector<fs::path>& owned) {
        if (!was_root_) return;
        for (const fs::path& path : owned) EXPECT_EQ(::chown(path.c_str(), nobody, gid_t(-1)), 0);
        EXPECT_EQ(::seteuid(nobody), 0);
    }
    ~Nobody() {
        if (was_root_) static_cast<void>(::seteuid(0) == 0);
    }
    Nobody(const Nobody&) = delete;
    Nobody& operator=(const Nobody&) = delete;

private:
    static constexpr uid_t nobody = 65534;
    bool was_root_ = ::geteuid() == 0;
};

// As on a disk that is read-only: what is there is used.
TEST_F(LevelsOnDisk, WhatMayOnlyBeReadIsRead) {
    opened()->put(usual_kind(), 1, 1, samples(usual_kind(), 1, 1));
    const fs::path path = files().at(0);
    const Nobody nobody({folder_.path(), kept_.parent_path(), kept_, path});
    ASSERT_EQ(::chmod(path.c_str(), 0400), 0);
    ASSERT_EQ(::chmod(kept_.c_str(), 0500), 0);
    const auto levels = opened(), others = opened(origin("/d/other.pgm"));
    EXPECT_EQ(count(*levels), 1);
    for (KeptLevels* each : {levels.get(), others.get()}) {
        put_all(*each);
        EXPECT_THAT(each->why_not(), HasSubstr("permission denied"));
    }
    EXPECT_EQ(count(*levels), 1);
    EXPECT_EQ(count(*others), 0);
    ASSERT_EQ(::chmod(kept_.c_str(), 0700), 0);
}

TEST_F(LevelsOnDisk, AFileThatIsRemovedMeanwhileIsMadeAnew) {
    const auto levels = opened();
    put_all(*levels);
    cache_.clear();
    EXPECT_EQ(count(*levels), 6);  // it is still open
    levels->put(usual_kind(), 1, 0, samples(usual_kind(), 1, 0));
    EXPECT_EQ(count(*opened()), 1);
    EXPECT_EQ(count(*levels), 1);
}

TEST_F(LevelsOnDisk, SeveralProgramsWriteAtATime) {
    std::vector<pid_t> children;
    for (int child = 0; child < 4; ++child) {
        children.push_back(::fork());
        if (children.back() != 0) continue;
        bool right = true;
        try {
            const auto levels = opened();
            for (int k = 0; k < 200; ++k) {
                const int64_t column = (k * 7 + child) % 3, row = (k * 5 + child / 2) % 2;
                Image tile = blank(usual_kind(), column, row);
                if (levels->find(usual_kind(), column, row, tile))
                    right = right && same(tile, samples(usual_kind(), column, row));
                levels->put(usual_kind(), column, row, samples(usual_kind(), column, row));
            }
            right = right && levels->why_not().empty();
        } catch (...) {
            right = false;
        }
        ::_exit(right ? 0 : 1);
    }
    for (const pid_t child : children) {
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    EXPECT_EQ(count(*opened()), 6);
    EXPECT_EQ(files().size(), 1u);
}

TEST_F(LevelsOnDisk, AKilledWriterLeavesNoWrongTile) {
    LevelKind kind = usual_kind();
    kind.size = {1100, 600};
    kind.side = 512;
    kind.maker = 0;
    for (int k = 1; k <= 10; ++k) {
        const pid_t child = ::fork();
        if (child == 0) {
            try {
                const auto levels = opened();
                for (; kind.maker < 40; ++kind.maker) put_all(*levels, kind);
            } catch (...) {}
            ::_exit(0);
        }
        const auto levels = opened();
        while (count(*levels, kind) == 0) ::usleep(1000);
        ::usleep(useconds_t(3000 * k));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        int found = 0;
        LevelKind each = kind;
        for (each.maker = 0; each.maker < 40; ++each.maker) found += count(*levels, each);  // each of them is right
        EXPECT_GT(found, 0);
        cache_.clear();
    }
}

}  // namespace
}  // namespace texelscope::test
