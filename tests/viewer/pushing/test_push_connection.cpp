// Messages are put together from whatever pieces arrive.

#include <cstring>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/viewer/pushing/push_connection.h"

namespace texelscope::test {
namespace {

const std::string header = R"({"texelscope":1,"do":"show","name":"x","width":3,"height":2})"
                           "\n",
                  in_memory = R"({"texelscope":1,"do":"show","name":"m","width":2,"height":2,"memory":true})"
                              "\n";

struct Received {
    std::vector<std::string> all;  // "x abcdef", or the files
    PushConnection connection{
        {[](const PushedImage&) {},
         [this](PushedThing thing) {
             if (const auto* files = std::get_if<PushedFiles>(&thing)) {
                 for (const auto& file : files->files) all.push_back(file);
                 return;
             }
             const auto& [name, image] = std::get<PushedFrame>(thing);
             all.push_back(name + " " + std::string(reinterpret_cast<const char*>(image->data()), image->size_bytes()));
         }}};

    void feed(const std::string& bytes, size_t piece) {
        for (size_t at = 0; at < bytes.size();) {
            const auto room = connection.room();
            const size_t count = std::min({piece, room.size(), bytes.size() - at});
            std::memcpy(room.data(), bytes.data() + at, count);
            connection.received(count);
            at += count;
        }
    }
};

TEST(PushConnection, PiecesOfAnySize) {
    const std::string open = "{\"texelscope\":1,\"do\":\"open\",\"files\":[\"/a\"]}\n";
    const std::string all = header + "abcdef" + open + header + "ghi\njk";
    for (const size_t piece : {1, 2, 3, 7, 61, 63, 66, 1000}) {
        Received received;
        received.feed(all, piece);
        EXPECT_EQ(received.all, (std::vector<std::string>{"x abcdef", "/a", "x ghi\njk"})) << piece;
        EXPECT_FALSE(received.connection.midway());
    }
}

TEST(PushConnection, SaysWhatIsMissing) {
    Received received;
    EXPECT_FALSE(received.connection.midway());
    received.feed(header.substr(0, 10), 100);
    EXPECT_TRUE(received.connection.midway());
    received.feed(header.substr(10) + "ab", 100);
    EXPECT_TRUE(received.connection.midway());
    EXPECT_EQ(received.connection.missing(), "2 of 6 bytes of x");
    EXPECT_TRUE(received.all.empty());
}

TEST(PushConnection, ALineWithoutEndIsRefused) {
    Received received;
    EXPECT_THROW(received.feed(std::string(size_t(80) << 10, ' '), 4096), Error);
}

TEST(PushConnection, AnImageIsRefusedByItsHeader) {
    Received received;
    received.connection.set_handlers({[](const PushedImage&) { throw Error("full"); }, [](PushedThing) {}});
    EXPECT_THROW(received.feed(header, 1000), Error);
}

int memory_with(const std::string& bytes) {
    const int descriptor = ::memfd_create("test", MFD_CLOEXEC);
    EXPECT_EQ(::write(descriptor, bytes.data(), bytes.size()), ssize_t(bytes.size()));
    return descriptor;
}

TEST(PushConnection, SamplesInSharedMemory) {
    Received received;
    const int memory = memory_with("abcd");
    received.connection.received_descriptor(::dup(memory));
    received.feed(in_memory, 1000);
    EXPECT_EQ(::pwrite(memory, "zzzz", 4, 0), 4);  // the picture has its own samples by now
    ::close(memory);
    EXPECT_EQ(received.all, std::vector<std::string>{"m abcd"});
}

TEST(PushConnection, WhatIsNotThatMemoryIsRefused) {
    Received none;
    EXPECT_THROW(none.feed(in_memory, 1000), Error);
    Received small;
    small.connection.received_descriptor(memory_with("abc"));
    EXPECT_THROW(small.feed(in_memory, 1000), Error);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[1]);
    Received pipe;
    pipe.connection.received_descriptor(ends[0]);
    EXPECT_THROW(pipe.feed(in_memory, 1000), Error);
}

}  // namespace
}  // namespace texelscope::test
