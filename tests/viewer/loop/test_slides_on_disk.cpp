// Slides of several files: a change of any of them is a change of the open picture.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "app/files/codecs/codecs.h"
#include "app/viewer/loop/documents.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class SlidesOnDisk : public testing::Test {
protected:
    void SetUp() override {
        if (files_beside("a.mrxs") == Beside::nothing) GTEST_SKIP() << "built without OpenSlide";
    }
    static void write(const fs::path& path, const std::string& text) {
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    // As if it had been read just now.
    void show(const fs::path& path) {
        Document document;
        document.source = path.string();
        document.image = std::make_shared<const Image>(4, 4, 3, SampleType::u8);
        document.loaded = document.seen = stamp_of(document.source);
        state_.scene.documents = {document};
        state_.scene.current = 0;
    }
    // Once it has settled.
    bool changes() {
        const bool at_once = change_has_settled(state_);
        EXPECT_FALSE(at_once) << "it may still be written";
        return change_has_settled(state_);
    }
    Folder folder_;
    AppState state_;
};

TEST_F(SlidesOnDisk, AChangeInTheFolderOfASlideIsNoticed) {
    const fs::path slide = folder_ / "a.mrxs", data = folder_ / "a" / "Data0000.dat";
    write(slide, "slide");
    write(data, "tiles");
    show(slide);
    EXPECT_FALSE(changes());
    write(data, "more tiles");
    EXPECT_TRUE(changes());
    EXPECT_FALSE(changes());
    fs::last_write_time(data, fs::last_write_time(data) + std::chrono::seconds(3));
    EXPECT_TRUE(changes()) << "of the same length";
    write(folder_ / "a" / "Data0001.dat", "tiles");
    EXPECT_TRUE(changes()) << "one came";
    fs::remove(data);
    EXPECT_TRUE(changes()) << "one went";
    write(slide, "another slide");
    EXPECT_TRUE(changes());
    write(folder_ / "b" / "Data0000.dat", "of another slide");
    EXPECT_FALSE(changes());
}

TEST_F(SlidesOnDisk, AChangeOfAnImageBesideASlideIsNoticed) {
    for (const char* name : {"a.vms", "a.vmu"}) {
        const fs::path slide = folder_ / name, image = folder_ / "a(1,0).jpg";
        write(slide, "slide");
        write(image, "image");
        show(slide);
        write(image, "another image");
        EXPECT_TRUE(changes()) << name;
        write(folder_ / "b.jpg", name);
        EXPECT_FALSE(changes()) << name;
    }
}

TEST_F(SlidesOnDisk, ThoseOfALinkLieWhereItLeads) {
    write(folder_ / "far/a.mrxs", "slide");
    write(folder_ / "far/a/Data0000.dat", "tiles");
    fs::create_symlink(folder_ / "far/a.mrxs", folder_ / "link.mrxs");
    show(folder_ / "link.mrxs");
    write(folder_ / "far/a/Data0000.dat", "more tiles");
    EXPECT_TRUE(changes());
}

}  // namespace
}  // namespace texelscope::test
