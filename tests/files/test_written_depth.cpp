// In which type a picture is written, and what is said of it.

#include "app/files/writing/written_depth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"

namespace texelscope::test {
namespace {

using ::testing::StartsWith;

// What the dialog says and what the file then has, for every format that this build writes.
TEST(WrittenDepth, SaysTheDepthThatIsWritten) {
    const std::string folder = testing::TempDir();
    for (const std::string& extension : writable_extensions())
        for (const SampleType stored : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32}) {
            const std::string path = folder + "export-depth." + extension;
            const WrittenDepth depth = written_depth(path, stored, {});
            write_image(Image(8, 8, 1, SampleType::f32), path, options_for(path, stored, {}));
            const SampleType read = read_image(path).type();
            std::filesystem::remove(path);
            EXPECT_EQ(read, depth.type) << path;
            EXPECT_EQ(depth.less, depth.words.find(": ") != std::string::npos) << depth.words;
            const bool integers = depth.type == SampleType::u8 || depth.type == SampleType::u16;
            const std::string type = !integers ? "floats" : depth.type == SampleType::u8 ? "8 bits" : "16 bits";
            EXPECT_THAT(depth.words, StartsWith(type));
            EXPECT_EQ(depth.less, integers && stored > depth.type) << path << ", " << name_of(stored);
        }
}

TEST(WrittenDepth, SaysWhyTheFileHasLessThanTheImage) {
    EXPECT_EQ(written_depth("a.jpg", SampleType::u16, {}).words, "8 bits: JPEG has no more");
    EXPECT_EQ(written_depth("a.png", SampleType::u8, {}).words, "8 bits");
    EXPECT_EQ(written_depth("a.ppm", SampleType::u16, {}).words, "16 bits");
    EXPECT_EQ(written_depth("a.pam", SampleType::f32, {}).words, "8 bits: PAM has no floats");
    EXPECT_EQ(written_depth("a.png", SampleType::u16, SampleType::u8).words, "8 bits") << "as chosen";
    EXPECT_EQ(written_depth("a.png", SampleType::u16, {}).words, "16 bits");
    EXPECT_EQ(written_depth("a.png", SampleType::f32, {}).words, "8 bits: PNG has no floats");
    EXPECT_THROW(written_depth("a.jpg", SampleType::u16, SampleType::u16), UsageError);
}

}  // namespace
}  // namespace texelscope::test
