// Decoders that stay and serve regions: whatever one does is one sentence about one region, and the next one is read.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>

#include "app/files/decoding/decoder.h"
#include "tests/files/bytes.h"
#include "tests/files/decoding/misbehaviour.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

using namespace std::chrono_literals;
using testing::AnyOf;
using testing::HasSubstr;

class Regions : public testing::Test {
protected:
    void SetUp() override {
        if (!decodes_in_child()) GTEST_SKIP() << "this kernel cannot do it";
        file_ = Descriptor(::open(folder_.write("file", "content").c_str(), O_RDONLY | O_CLOEXEC));
    }

    std::unique_ptr<const TileSource> opened(const std::string& name) {
        return regions_in_child({0, "SGI", name, file_.number(), 7}, limits_);
    }
    // A region of one sample at x, which misbehaves if x is one of a few.
    static std::string error_at(const TileSource& source, int x) {
        const std::string text = refusal([&] {
            std::byte sample{};
            source.read(0, {x, 5, 1, 1}, &sample, 1);
        });
        EXPECT_EQ(text.find('\n'), text.npos) << text;
        return text;
    }
    static void expect_right(const TileSource& source, int level, const SampleRegion& region) {
        std::vector<std::byte> samples(size_t(region.width) * size_t(region.height));
        source.read(level, region, samples.data(), size_t(region.width));
        size_t wrong = 0;
        for (int y = 0; y < region.height; ++y)
            for (int x = 0; x < region.width; ++x)
                wrong += samples[size_t(y) * size_t(region.width) + size_t(x)] !=
                         region_sample(level, region.x + x, region.y + y);
        EXPECT_EQ(wrong, 0u);
    }

    Folder folder_;
    Descriptor file_;
    DecodingLimits limits_;
};

TEST_F(Regions, OfEveryLevel) {
    const auto source = opened("!regions");
    EXPECT_EQ(source->info().width, 1000);
    EXPECT_EQ(source->tile(), 64);
    ASSERT_EQ(source->levels(), 2);
    EXPECT_EQ(source->level_extent(1), (Extent{500, 400}));
    expect_right(*source, 0, {0, 0, 1000, 800});
    expect_right(*source, 1, {499, 399, 1, 1});
    expect_right(*source, 1, {3, 70, 200, 100});
}

TEST_F(Regions, WhateverHappensToOneTheNextIsRead) {
    limits_.patience = 1000ms;
    limits_.memory = size_t(64) << 20;
    const auto source = opened("!regions");
    std::vector<std::pair<int, testing::Matcher<std::string>>> regions = {
        {13, AnyOf(HasSubstr("invalid memory access"), HasSubstr("ended with status"))},
        {14, HasSubstr("made no progress for 1 seconds")},
        {15, HasSubstr("bad")},
        {16, HasSubstr("ZIPDecode: Decoding error")},
        {18, HasSubstr("made no sense")},
        {19, HasSubstr("ended")},
    };
    if (!sanitized) regions.emplace_back(17, HasSubstr("memory"));  // the sanitizer needs more than any limit
    for (const auto& [x, expected] : regions) {
        SCOPED_TRACE(x);
        EXPECT_THAT(error_at(*source, x), expected);
        expect_right(*source, 0, {x, 5, 2, 2});
    }
}

TEST_F(Regions, AfterTooManyDeathsItGivesUp) {
    const auto source = opened("!regions");
    for (int i = 0; i < 20; ++i) EXPECT_NE(error_at(*source, 13), "");
    EXPECT_NE(error_at(*source, 40), "");
}

// Killed from outside: the region that is asked for next is read by another decoder, and no one is told.
TEST_F(Regions, AKilledDecoderIsReplaced) {
    const auto source = opened("!process");
    const auto process = [&] {
        float number = 0;
        source->read(0, {50, 50, 1, 1}, reinterpret_cast<std::byte*>(&number), sizeof number);
        return pid_t(number);
    };
    const pid_t first = process();
    EXPECT_EQ(process(), first);
    ::kill(first, SIGKILL);
    EXPECT_NE(process(), first);
}

TEST_F(Regions, ThreadsHaveDecodersOfTheirOwn) {
    const auto source = opened("!process");
    std::vector<std::vector<pid_t>> seen(8);
    {
        std::vector<std::jthread> threads;
        for (auto& mine : seen)
            threads.emplace_back([&] {
                std::vector<float> numbers(1000 * 100);
                for (int i = 0; i < 20; ++i) {
                    source->read(0, {0, 0, 1000, 100}, reinterpret_cast<std::byte*>(numbers.data()), 4000);
                    EXPECT_EQ(numbers.front(), numbers.back());
                    mine.push_back(pid_t(numbers.front()));
                }
            });
    }
    std::vector<pid_t> all;
    for (const auto& mine : seen) all.insert(all.end(), mine.begin(), mine.end());
    std::sort(all.begin(), all.end());
    EXPECT_LE(std::unique(all.begin(), all.end()) - all.begin(), most_decoders);
}

TEST_F(Regions, WhatMakesNoSenseIsRefused) {
    for (const char* name :
         {"!regions of another type", "!regions without tiles", "!regions without end", "!regions of no size"})
        EXPECT_THAT(refusal([&] { opened(name); }), HasSubstr("made no sense")) << name;
    EXPECT_NE(refusal([&] { opened("!crash"); }), "");
    EXPECT_THROW(opened("!in one piece"), NotInParts);
    EXPECT_THAT(refusal([&] { opened("!in one piece"); }), HasSubstr("it is in one piece"));
}

}  // namespace
}  // namespace texelscope::test
