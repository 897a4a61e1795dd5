// Messages between the window and programs that push images.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "app/viewer/pushing/pushing.h"

namespace texelscope::test {
namespace {

// Messages are put together from whatever pieces arrive.

const std::string header = R"({"texelscope":1,"do":"show","name":"x","width":3,"height":2})"
                           "\n",
                  in_memory = R"({"texelscope":1,"do":"show","name":"m","width":2,"height":2,"memory":true})"
                              "\n";

struct Received {
    std::vector<std::string> all;  // "x abcdef", the files, or "close x"
    PushConnection connection{
        {[](const PushedImage&) {},
         [this](PushedThing thing) {
             if (const auto* files = std::get_if<PushedFiles>(&thing)) {
                 for (const auto& file : files->files) all.push_back(file);
                 return;
             }
             if (const auto* close = std::get_if<PushedClose>(&thing)) return all.push_back("close " + close->name);
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
    const std::string close = "{\"texelscope\":1,\"do\":\"close\",\"name\":\"y\"}\n";
    const std::string all = header + "abcdef" + open + close + header + "ghi\njk";
    for (const size_t piece : {1, 2, 3, 7, 61, 63, 66, 1000}) {
        Received received;
        received.feed(all, piece);
        EXPECT_EQ(received.all, (std::vector<std::string>{"x abcdef", "/a", "close y", "x ghi\njk"})) << piece;
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

// The lines that programs send, and the answers.

TEST(PushRequest, AsItIsDocumented) {
    const PushRequest request = parse_push_request(
        R"({"texelscope": 1, "do": "show", "name": "wave", "width": 640, "height": 480, "channels": 4,)"
        R"( "type": "f16", "alpha": "straight", "memory": true, "later": 5})");
    const auto& image = std::get<PushedImage>(request);
    EXPECT_EQ(image.name, "wave");
    EXPECT_EQ(image.width, 640);
    EXPECT_EQ(image.height, 480);
    EXPECT_EQ(image.channels, 4);
    EXPECT_EQ(image.type, SampleType::f16);
    EXPECT_EQ(image.alpha, Alpha::straight);
    EXPECT_TRUE(image.memory);
    EXPECT_FALSE(image.signal);
    EXPECT_EQ(bytes_of(image), size_t(640 * 480 * 4 * 2));

    const auto least =
        std::get<PushedImage>(parse_push_request(R"({"texelscope":1,"do":"show","name":"x","width":2,"height":3})"));
    EXPECT_EQ(least.channels, 1);
    EXPECT_EQ(least.type, SampleType::u8);
    EXPECT_EQ(least.alpha, Alpha::none);

    const auto files =
        std::get<PushedFiles>(parse_push_request(R"({"texelscope":1,"do":"open","files":["/a b.png","@step:8"]})"));
    EXPECT_EQ(files.files, (std::vector<std::string>{"/a b.png", "@step:8"}));
}

TEST(PushRequest, WhatIsWrittenIsReadAgain) {
    for (const Alpha alpha : {Alpha::none, Alpha::straight, Alpha::premultiplied}) {
        const PushedImage image{"Wörter \"x\"", 7, 1, 2, SampleType::u16, alpha, true, true};
        std::string line = to_line(image);
        ASSERT_EQ(line.back(), '\n');
        line.pop_back();
        const auto again = std::get<PushedImage>(parse_push_request(line));
        EXPECT_EQ(again.name, image.name);
        EXPECT_EQ(again.width, 7);
        EXPECT_EQ(again.type, SampleType::u16);
        EXPECT_EQ(again.alpha, alpha);
        EXPECT_TRUE(again.signal && again.memory);
    }
}

TEST(PushRequest, ClosingIsOfAName) {
    std::string line = to_line(PushedClose{"Wörter \"x\""});
    ASSERT_EQ(line.back(), '\n');
    line.pop_back();
    EXPECT_EQ(std::get<PushedClose>(parse_push_request(line)).name, "Wörter \"x\"");
    EXPECT_EQ(std::get<PushedClose>(parse_push_request(R"({"texelscope": 1, "do": "close", "name": "wave"})")).name,
              "wave");
}

TEST(PushRequest, EveryTypeOfSamples) {
    for (const SampleType type : all_sample_types) {
        std::string line = to_line(PushedImage{"x", 3, 2, 1, type, Alpha::none, false, false});
        line.pop_back();
        const auto again = std::get<PushedImage>(parse_push_request(line));
        EXPECT_EQ(again.type, type);
        EXPECT_EQ(bytes_of(again), size_t(6 * bytes_per_sample(type)));
    }
}

struct Wrong {
    std::string line, word;  // of the sentence
};

TEST(PushRequest, NonsenseIsOneSentence) {
    const std::string show = R"({"texelscope":1,"do":"show","name":"x",)";
    const std::vector<Wrong> all = {
        {"", "not a line of JSON"},
        {"hello", "not a line of JSON"},
        {"[1, 2]", "not a line of JSON"},
        {"\xff\xfe{}", "not a line of JSON"},
        {std::string(60000, '['), "not a line of JSON"},
        {"{}", "\"texelscope\": 1"},
        {R"({"texelscope":2,"do":"show"})", "\"texelscope\": 1"},
        {R"({"texelscope":1})", "show, open or close"},
        {R"({"texelscope":1,"do":"close"})", "\"name\""},
        {R"({"texelscope":1,"do":"close","name":""})", "\"name\""},
        {R"({"texelscope":1,"do":3})", "\"do\""},
        {R"({"texelscope":1,"do":"show","width":1,"height":1})", "\"name\""},
        {R"({"texelscope":1,"do":"show","name":"a\nb","width":1,"height":1})", "\"name\""},
        {R"({"texelscope":1,"do":"show","name":")" + std::string(101, 'n') + R"(","width":1,"height":1})", "\"name\""},
        {show + R"("width":1})", "\"height\""},
        {show + R"("width":-1,"height":1})", "\"width\""},
        {show + R"("width":1.5,"height":1})", "\"width\""},
        {show + R"("width":1e30,"height":1})", "\"width\""},
        {show + R"("width":99999999999999999999,"height":1})", "\"width\""},
        {show + R"("width":0,"height":1})", "0×1"},
        {show + R"("width":1,"height":1,"channels":5})", "channels"},
        {show + R"("width":1,"height":1,"channels":0})", "channels"},
        {show + R"("width":1,"height":1,"type":"f128"})", "u8, u16, f16 or f32"},
        {show + R"("width":1,"height":1,"alpha":"straight"})", "alpha"},
        {show + R"("width":1,"height":1,"channels":4,"alpha":"yes"})", "\"alpha\""},
        {show + R"("width":1,"height":2,"signal":true})", "one row"},
        {show + R"("width":1,"height":1,"memory":1})", "\"memory\""},
        {show + R"("width":200000,"height":200000,"channels":1,"type":"f32"})", "64 GiB"},  // 149 GiB
        {R"({"texelscope":1,"do":"open"})", "\"files\""},
        {R"({"texelscope":1,"do":"open","files":["relative.png"]})", "absolute"},
        {R"({"texelscope":1,"do":"open","files":[7]})", "absolute"},
        {R"({"texelscope":1,"do":"open","files":["/a\u0000b"]})", "absolute"},
    };
    for (const Wrong& wrong : all) try {
            parse_push_request(wrong.line);
            ADD_FAILURE() << "taken: " << wrong.line.substr(0, 200);
        } catch (const Error& error) {
            const std::string sentence = error.what();
            EXPECT_NE(sentence.find(wrong.word), std::string::npos) << sentence;
            EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
        }
}

TEST(PushRequest, AnswersSayWhy) {
    EXPECT_NO_THROW(check_reply(accepted_line()));
    try {
        check_reply(refused_line("there is \"no\" room"));
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "there is \"no\" room");
    }
    for (const char* odd : {"", "{}", "5", "{\"ok\":false}", "{\"error\":3}"}) EXPECT_THROW(check_reply(odd), Error);
}

}  // namespace
}  // namespace texelscope::test
