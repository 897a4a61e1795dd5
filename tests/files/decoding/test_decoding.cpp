// Decoders in a process of their own: whatever one does is one sentence about one file, and the next file opens.
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/parallel.h"
#include "tests/files/bytes.h"
#include "tests/files/decoding/misbehaviour.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

class Decoding : public testing::Test {
protected:
    void SetUp() override {
        if (!decodes_in_child()) GTEST_SKIP() << "this kernel cannot do it";
    }

    Image decoded(const std::string& name, const Reading& reading = {}, const DecodingLimits& limits = {},
                  int format = 0) {
        const Descriptor file(::open(folder_.write("file", "content").c_str(), O_RDONLY | O_CLOEXEC));
        return decode_in_child({format, "SGI", name, file.number(), 7}, reading, limits);
    }

    std::string refusal(const std::string& name, const DecodingLimits& limits = {}, int format = 0) {
        const std::string text = test::refusal([&] { decoded(name, {}, limits, format); });
        EXPECT_EQ(text.find('\n'), text.npos) << text;
        // The next one opens.
        EXPECT_EQ(decoded("!warn").value(0, 0, 0), 7 / 255.0f) << "after " << name;
        return text;
    }

    Folder folder_;
};

// What is said of a crash; the sanitizer's runtime turns signals into reports.
constexpr const char* of_crash = sanitized ? "ended with status 1" : "invalid memory access";

bool confined() { return decoding_facts().find("seccomp") != std::string::npos; }

TEST_F(Decoding, ADecoderGivesWayIfItsThreadDoes) {
    const auto niceness_of_decoder = [&] { return int(decoded("!niceness").row_as<uint8_t>(0)[0]); };
    EXPECT_EQ(niceness_of_decoder(), niceness());
    std::thread([&] {
        lower_priority();
        const int low = niceness();
        EXPECT_GT(low, 0);
        EXPECT_EQ(niceness_of_decoder(), low);
        lowest_priority();
        EXPECT_GT(niceness_of_decoder(), low);
    }).join();
}

// What a file says of itself is worth less than its picture.
TEST_F(Decoding, MetadataThatCannotBeReadLeaveTheFacts) {
    const auto facts = [&](const std::string& name) {
        const Descriptor file(::open(folder_.write("file", "content").c_str(), O_RDONLY | O_CLOEXEC));
        return facts_in_child({0, "SGI", name, file.number(), 7}, {});
    };
    const PictureFacts crashed = facts("!crash in metadata");
    EXPECT_EQ(crashed.shape, (PictureShape{1, 1, 1, SampleType::u8, Alpha::none}));
    ASSERT_EQ(crashed.metadata.size(), 1u);
    EXPECT_THAT(crashed.metadata[0].value, HasSubstr(of_crash));
    EXPECT_LE(facts("!metadata without end").metadata.size(), 5000u);
    const PictureFacts escaping = facts("!metadata that escape");
    ASSERT_EQ(escaping.metadata.size(), 1u);
    EXPECT_EQ(escaping.metadata[0].name, "a\\x1b[31m");
    EXPECT_EQ(escaping.metadata[0].value, "\\xff");
    EXPECT_EQ(facts("!metadata").metadata.size(), 0u);
}

TEST_F(Decoding, QuestionsAreAnsweredOrRefusedInASentence) {
    const auto asked = [](std::string_view question, std::chrono::milliseconds patience = 20s) {
        return std::string(text_of(compute_in_child(span_of(question), 64, patience)));
    };
    const auto refused = [&](std::string_view question, std::chrono::milliseconds patience = 20s) {
        return test::refusal([&] { asked(question, patience); });
    };
    EXPECT_EQ(asked("!echo this"), "!echo this");
    EXPECT_THAT(refused("!crash"), HasSubstr(of_crash));
    EXPECT_THAT(refused("!loop", 100ms), HasSubstr("0.1 seconds"));
    EXPECT_THAT(refused("!long"), HasSubstr("too long"));
    if (confined()) {
        EXPECT_EQ(refused("!open"), "Permission denied");
    }
    EXPECT_EQ(asked("!echo again"), "!echo again");
}

// As a profile would that takes over Little CMS: colours are shown as stored, and a sentence says why.
TEST_F(Decoding, AHostileProfileIsNoMoreThanAProfileThatCannotBeUsed) {
    for (const auto& [words, why] : {std::pair{"!crash", of_crash}, {"!lie", "made no sense"}}) {
        ColourProfile profile;
        const ByteSpan bytes = span_of(words);
        profile.icc.assign(bytes.begin(), bytes.end());
        const ProfileConversion made = ask_conversion(profile, 3, {});
        EXPECT_THAT(made.problem, AllOf(HasSubstr("The colour profile cannot be used"), HasSubstr(why)));
        EXPECT_EQ(made.conversion.kind, ColourConversion::Kind::none);
        EXPECT_TRUE(made.values.empty());
    }
}

TEST_F(Decoding, APictureArrivesWithItsProgress) {
    std::vector<int> rows;
    const Image image = decoded("!gradient", {[&](const Image& so_far, int done) {
                                    EXPECT_EQ(so_far.width(), 1024);
                                    if (done > 0) {
                                        EXPECT_EQ(so_far.row_as<uint8_t>(done - 1)[9], uint8_t(63 + done - 1));
                                    }
                                    rows.push_back(done);
                                }});
    ASSERT_EQ(image.height(), 2048);
    for (int y = 0; y < 2048; ++y)
        for (int x = 0; x < 1024; ++x) ASSERT_EQ(image.row_as<uint8_t>(y)[x], uint8_t(x * 7 + y));
    EXPECT_GE(rows.size(), 4u);
    EXPECT_EQ(rows.front(), 0);
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    Image copy = image;  // the memory is this process's own
    copy.data()[0] = std::byte(200);
    EXPECT_EQ(image.data()[0], std::byte(0));
}

// The frame is known with the header, the missing part only at the end.
TEST_F(Decoding, FrameAndMissingPartArriveWithThePicture) {
    const SampleRegion frame{-3, -2, 10, 8};
    Reading reading;
    PictureFacts told;
    reading.told = [&](const PictureFacts& facts) { told = facts; };
    const Image image = decoded("!frame", reading);
    EXPECT_EQ(told.frame, frame);
    EXPECT_TRUE(told.missing.empty());
    EXPECT_EQ(image.frame(), frame);
    EXPECT_EQ(image.missing(), (SampleRegion{0, 3, 4, 1}));
    EXPECT_EQ(image.value(0, 0, 0), -70000.0f);
    EXPECT_TRUE(decoded("!warn").missing().empty());
    EXPECT_FALSE(decoded("!warn").frame());
}

TEST_F(Decoding, CrashesAreNamed) {
    const std::string beginning = "the SGI is damaged, or its decoder is at fault: it ";
    EXPECT_EQ(refusal("!exit"), beginning + "ended with status 3");
    if (sanitized) return;
    EXPECT_EQ(refusal("!abort"), beginning + "gave up (abort)");
    EXPECT_EQ(refusal("!segfault"), beginning + "crashed (an invalid memory access)");
    EXPECT_EQ(refusal("!divide"), beginning + "crashed (a division by zero)");
}

TEST_F(Decoding, WithoutProgressItIsStopped) {
    EXPECT_EQ(refusal("!loop", {200ms}), "its decoder was stopped: it made no progress for 0.2 seconds");
}

TEST_F(Decoding, MemoryIsLimited) {
    if (sanitized) GTEST_SKIP() << "the sanitizer needs more than any limit";
    EXPECT_EQ(refusal("!allocate", {20s, size_t(32) << 20}),
              "reading it takes more memory than such a picture should need");
}

// libpng takes two rows of 16 MiB before it knows the first one; it reports by a jump that they cannot be had.
TEST_F(Decoding, MemoryIsLimitedForLibrariesThatJump) {
    if (sanitized) GTEST_SKIP() << "the sanitizer needs more than any limit";
    constexpr uint32_t width = 1 << 23;
    const std::string row(1 + 2 * size_t(width), '\0');
    std::string packed(compressBound(row.size()), '\0');
    uLongf size = packed.size();
    ASSERT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(row.data()),
                       row.size()),
              Z_OK);
    packed.resize(size);
    const std::string header = big32(width) + big32(1) + std::string("\x10\0\0\0\0", 5);
    const std::string bytes = "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", packed) + chunk("IEND", "");
    const Descriptor file(::open(folder_.write("a.png", bytes).c_str(), O_RDONLY | O_CLOEXEC));
    const int format = place_of(*codec_of_extension("a.png"));
    const EncodedFile png{format, "PNG", "a.png", file.number(), bytes.size()};
    EXPECT_EQ(test::refusal([&] { decode_in_child(png, {}, {20s, size_t(4) << 20}); }), "not enough memory to read it");
    EXPECT_EQ(decode_in_child(png, {}).width(), int(width));
}

TEST_F(Decoding, ItCannotReachOut) {
    if (!confined()) GTEST_SKIP() << "built without libseccomp";
    const std::string stopped = "it was stopped, since it tried what reading a picture does not need";
    const std::string target = (folder_ / "target").string();
    EXPECT_THAT(refusal("!write:" + target), HasSubstr(stopped));
    EXPECT_FALSE(std::filesystem::exists(target + ".new"));
    for (const char* name : {"!socket", "!start", "!kill"}) EXPECT_THAT(refusal(name), HasSubstr(stopped)) << name;
    EXPECT_EQ(refusal("!open"), "Permission denied");
    EXPECT_EQ(refusal("!open itself"), "its own file cannot be opened");
    EXPECT_EQ(decoded("!thread").width(), 1);
}

TEST_F(Decoding, ALibraryThatWantsANameGetsThisFileOnly) {
    if (decoding_facts().find("Landlock") == std::string::npos) GTEST_SKIP() << "the kernel has no Landlock";
    EXPECT_EQ(refusal("!open itself", {}, 1000), "Permission denied");  // of the other file
}

TEST_F(Decoding, ItOpensTheCompanionsOfTheFileAndNothingElseBesideIt) {
    if (decoding_facts().find("Landlock") == std::string::npos) GTEST_SKIP() << "the kernel has no Landlock";
    std::filesystem::create_directories(folder_ / "a/below");
    for (const char* name : {"a.x", "a_map", "ab", "b", "a/0", "a/b", "a/below/0"}) folder_.write(name, "content");
    for (const char* name : {"a_link", "a/link"}) std::filesystem::create_symlink(folder_ / "b", folder_ / name);
    const auto opened = [&](const std::string& name, Beside kind, int format = 1000) {
        const Descriptor file(::open((folder_ / "a.x").c_str(), O_RDONLY | O_CLOEXEC));
        EncodedFile asked{format, "SGI", "!open beside:" + name, file.number(), 7};
        asked.companions = companions_of(file.number(), kind);
        return test::refusal([&] { decode_in_child(asked, {}); });
    };
    const std::string denied = "Permission denied";
    for (const char* name : {"a.x", "a_map", "ab"}) EXPECT_EQ(opened(name, Beside::files), "") << name;
    for (const char* name : {"b", ".", "..", "a", "a/0", "a_link", "/etc/passwd"})
        EXPECT_EQ(opened(name, Beside::files), denied) << name;
    for (const char* name : {"a.x", "a/0", "a/b"}) EXPECT_EQ(opened(name, Beside::folder), "") << name;
    for (const char* name : {"b", ".", "a", "a_map", "a/below", "a/below/0", "a/link", "a/../b", "/etc/passwd"})
        EXPECT_EQ(opened(name, Beside::folder), denied) << name;
    EXPECT_EQ(opened("a_map", Beside::files, 0), denied);  // of a format whose reader needs no name
}

TEST_F(Decoding, NothingThatItSaysIsTrusted) {
    const std::string nonsense = "its decoder was stopped: what it said made no sense";
    for (const char* name : {"!nothing", "!unknown type", "!twice", "!nonsense", "!missing elsewhere", "!impossible"})
        EXPECT_EQ(refusal(name), nonsense);
    EXPECT_THAT(refusal("!huge"), AnyOf(HasSubstr("too large"), HasSubstr("no memory")));
    EXPECT_EQ(refusal("!escape"), "bad \\x1b[31mred");
    EXPECT_EQ(refusal("!quote"), "the header says \\xff\\u202e");
    EXPECT_EQ(refusal("!hang up"), "its decoder was killed, perhaps because the system ran out of memory");
    const Image image = decoded("!shrink");
    EXPECT_EQ(image.data()[image.size_bytes() - 1], std::byte(9));
}

TEST_F(Decoding, WhatALibraryPrintsIsDamageUnlessItIsAWarning) {
    EXPECT_EQ(refusal("!complain"), "the SGI is damaged (ZIPDecode: Decoding error at scanline 0)");
    EXPECT_EQ(decoded("!warn").width(), 1);
    EXPECT_EQ(decoded("!chatter").width(), 1);
}

TEST_F(Decoding, CancellingTakesEffectAtOnce) {
    auto best = 1000ms;
    for (int attempt = 0; attempt < 50 && best >= 50ms;
         ++attempt) {  // what else a busy machine does takes longer at times
        std::stop_source source;
        std::chrono::steady_clock::time_point asked;
        std::jthread canceller([&] {
            std::this_thread::sleep_for(30ms);
            asked = std::chrono::steady_clock::now();
            source.request_stop();
        });
        EXPECT_THROW(decoded("!loop", {{}, source.get_token()}), Cancelled);
        const auto now = std::chrono::steady_clock::now();
        canceller.join();
        best = std::min(best, std::chrono::ceil<std::chrono::milliseconds>(now - asked));
    }
    EXPECT_LT(best, 50ms);
}

TEST_F(Decoding, ACallbackMayEndIt) {
    const Reading reading{[](const Image&, int) { throw Cancelled("enough"); }};
    EXPECT_THROW(decoded("!loop after a row", reading), Cancelled);
}

TEST_F(Decoding, ManyThreadsReadAtOnce) {
    std::vector<std::jthread> threads;
    std::atomic<int> right = 0;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&, i] {
            for (int n = 0; n < 5; ++n)
                if (i == 0) right += test::refusal([&] { decoded("!exit"); }).empty() ? 0 : 1;
                else right += decoded("!warn").value(0, 0, 0) == 7 / 255.0f;
        });
    threads.clear();
    EXPECT_EQ(right, 20);
}

bool runs(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    return status >> number >> name >> state && state != "Z" && state != "X";
}

TEST_F(Decoding, ADecoderEndsWithTheProgram) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t program = ::fork();
    if (program == 0) {
        start_decoding(0, nullptr, misbehaving_decoder());
        const Reading reading{[&](const Image&, int rows) {
            if (rows > 0 && ::write(ends[1], &rows, sizeof rows) < 0) ::_exit(1);
        }};
        decoded("!loop after a row", reading);
        ::_exit(1);
    }
    int decoder = 0;  // it says its own number
    ASSERT_EQ(::read(ends[0], &decoder, sizeof decoder), ssize_t(sizeof decoder));
    EXPECT_TRUE(runs(decoder));
    ::kill(program, SIGKILL);
    ::waitpid(program, nullptr, 0);
    for (int i = 0; i < 3000 && runs(decoder); ++i) std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(runs(decoder));
    for (const int end : ends) ::close(end);
}

// The process below this one that hands out decoders, by its name; 0 if there is none.
pid_t host() {
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream status(entry.path() / "stat");
        std::string number, name, state;
        pid_t parent = 0;
        if (status >> number >> name >> state >> parent && parent == ::getpid() && name == "(texelscope-host)")
            return std::stoi(number);
    }
    return 0;
}

TEST_F(Decoding, AHostThatWasKilledIsReplaced) {
    const pid_t first = host();
    ASSERT_GT(first, 0);
    ::kill(first, SIGKILL);
    EXPECT_EQ(decoded("!warn").value(0, 0, 0), 7 / 255.0f);
    EXPECT_GT(host(), 0);
    EXPECT_NE(host(), first);
}

}  // namespace
}  // namespace texelscope::test
