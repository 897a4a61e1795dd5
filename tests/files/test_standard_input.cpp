// Images from pipes.

#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/files/reading/standard_input.h"
#include "gpu/core/errors.h"

namespace texelscope::test {
namespace {

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

}  // namespace
}  // namespace texelscope::test
