// Images from pipes, and output: what a killed program leaves, and the type of samples.

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/files/writing/image_writer.h"
#include "gpu/core/errors.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

// Images from pipes.

// Through a pipe, which holds less than large files have.
Image piped(const std::string& bytes, size_t at_most = most_piped_bytes) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::thread writer([&] {
        for (size_t at = 0; at < bytes.size();) {
            const ssize_t count = ::write(ends[1], bytes.data() + at, bytes.size() - at);
            if (count <= 0) break;
            at += size_t(count);
        }
        ::close(ends[1]);
    });
    struct Joined {
        std::thread& thread;
        int end;
        ~Joined() {
            thread.join();
            ::close(end);
        }
    } joined{writer, ends[0]};
    return read_image_from(ends[0], at_most);
}

std::string sentence_about(const std::string& bytes, size_t at_most = most_piped_bytes) try {
    piped(bytes, at_most);
    return "taken";
} catch (const Error& error) {
    return error.what();
}

std::string pgm(int side) {
    return "P5 " + std::to_string(side) + " " + std::to_string(side) + " 255\n" +
           std::string(size_t(side) * size_t(side), 'a');
}

TEST(StandardInput, AnImageLargerThanAPipe) {
    const Image image = piped(pgm(700));
    EXPECT_EQ(image.width(), 700);
    EXPECT_EQ(image.row_as<uint8_t>(699)[699], 'a');
}

TEST(StandardInput, WhatIsNoImageIsOneSentenceWithoutAPath) {
    EXPECT_EQ(sentence_about(""), "is empty");
    const std::vector<std::string> all = {sentence_about("hello, world\n"), sentence_about(pgm(700).substr(0, 1000)),
                                          sentence_about("\x89PNG\r\n\x1a\nxxxxxxxxxxxx")};
    for (const std::string& sentence : all) {
        EXPECT_NE(sentence, "taken");
        EXPECT_EQ(sentence.find("/proc"), std::string::npos) << sentence;
        EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    }
    EXPECT_NE(all[0].find("not an image file"), std::string::npos) << all[0];
}

TEST(StandardInput, MoreThanTheLimitIsRefused) {
    EXPECT_NE(sentence_about(pgm(300), 50000).find("is larger than"), std::string::npos);
    EXPECT_EQ(sentence_about(pgm(10), 200), "taken");
}

// What a killed program leaves beside its output goes when the next one writes there.

std::string name_of(pid_t process) { return ".texelscope-" + std::to_string(process) + "-3"; }

pid_t ended_process() {
    const pid_t process = ::fork();
    if (process == 0) ::_exit(0);
    ::waitpid(process, nullptr, 0);
    return process;
}

TEST(Leftovers, ThoseOfEndedProcessesAreRemovedByTheNextWrite) {
    const Folder folder;
    const auto write = [&](const std::string& name, bool old = true) {
        const auto path = folder.write(name, "half a picture");
        if (old)
            std::filesystem::last_write_time(path,
                                             std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
        return path;
    };
    const pid_t ended = ended_process();
    const auto orphan = write(name_of(ended)), running = write(name_of(::getpid())),
               fresh = write(name_of(ended) + "1", false), other = write(".texelscope-" + std::to_string(ended)),
               users = write("texelscope-" + std::to_string(ended) + "-3");
    write_text(folder / "new.txt", "new");
    EXPECT_FALSE(std::filesystem::exists(orphan));
    for (const auto& kept : {running, fresh, other, users}) EXPECT_TRUE(std::filesystem::exists(kept)) << kept;
    EXPECT_EQ(content_of(folder / "new.txt"), "new");
}

using ::testing::StartsWith;

// In which type a picture is written, and what is said of it.

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
