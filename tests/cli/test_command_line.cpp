// The program from the command line: exit status, one clear sentence for each wrong input, nothing half-written, and
// the files it makes.

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "app/files/reading/image_files.h"
#include "app/files/reading/image_source.h"
#include "gpu/method/method_info.h"
#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class CommandLine : public Program {};

TEST_F(CommandLine, WrongUsageEndsWithStatus2AndSaysWhatWouldBeRight) {
    const std::string out = path("out.png");
    const auto render = [&](std::vector<std::string> more) {
        std::vector<std::string> all = {"render", "@step:16", "-o", out};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    expect_error(2, {"render"}, {"IN"});
    expect_error(2, {"render", "@step:16"}, {"--output"});
    expect_error(2, {"render", "@nosuch", "-o", out}, {"@nosuch", "zone-plate"});
    expect_error(2, {"render", "@step:0", "-o", out}, {"@step"});
    expect_error(2, render({"--frobnicate"}), {"--frobnicate"});
    expect_error(2, render({"--method", "cubic"}), {"cubic", "catmull-rom"});
    expect_error(2, render({"--method", "bspline:speed=3"}), {"speed", "prefilter"});
    expect_error(2, render({"--path", "gpu"}), {"gpu", "hardware"});
    expect_error(2, render({"--address", "reflect"}), {"reflect", "mirror"});
    expect_error(2, render({"--address", "clamp,clamp,clamp"}), {"MODE,MODE"});
    for (const char* prefilter : {"fir4", "fir1", "fir33", "exact"})
        expect_error(2, render({"--prefilter", prefilter}), {prefilter, "iir"});
    for (const char* scale : {"0", "-1", "nan", "inf", "1e999", "two", ""})
        expect_error(2, render({"--scale", scale}), {"--scale"});
    expect_error(2, render({"--scale", "2", "--zoom", "2"}), {"--scale", "--zoom"});
    expect_error(2, render({"--translate", "5"}), {"TX,TY"});
    for (const char* size : {"0x4", "4", "4x", "-4x4", "99999999999x1", "4x4x4"})
        expect_error(2, render({"--size", size}), {"--size", size});
    expect_error(2, render({"--backend", "opencl"}), {"opencl", "cpu"});
    expect_error(2, render({"--outside", "mirror"}), {"extend", "background"});
    expect_error(2, {"render", "@step:16", "-o", path("out.frob")}, {".frob", ".png"});
}

TEST_F(CommandLine, WordsBeforeTheCommandAreRefused) {
    const std::vector<std::string> render = {"render", "@step:16", "-o", path("out.png")};
    for (std::vector<std::string> words : {std::vector<std::string>{"--zoom", "4"}, {"@noise"}, {"--linear-light"}}) {
        const std::string first = words[0].starts_with('-') ? words[0] : "IMAGE";
        words.insert(words.end(), render.begin(), render.end());
        expect_error(2, words, {first, "render", "after the command name"});
    }
}

TEST_F(CommandLine, AMistypedCommandIsNoImage) {
    const std::string sentence = "'rendr' is neither a command nor a file; texelscope --help lists the commands";
    expect_error(2, {"rendr"}, {sentence});
    expect_error(2, {"rendr", "@step:16", "-o", path("out.png")}, {sentence});
}

TEST_F(CommandLine, FailuresEndWithStatus1AndNameTheFile) {
    const std::string out = path("out.png");
    write("empty.png", "");
    write("text.txt", "hello\n");
    write("huge.pgm", "P5\n2000000000 2000000000\n255\nabc");
    ASSERT_EQ(run({"render", "@dead-leaves:64", "-o", path("whole.png")}).status, 0);
    const std::string bytes = content("whole.png");
    write("cut.png", bytes.substr(0, bytes.size() / 2));
    expect_error(1, {"render", path("missing.png"), "-o", out}, {"missing.png", "no such file"});
    expect_error(1, {"render", path("empty.png"), "-o", out}, {"empty.png", "empty"});
    expect_error(1, {"render", path("text.txt"), "-o", out}, {"text.txt"});
    expect_error(1, {"render", path("huge.pgm"), "-o", out}, {"huge.pgm", "2000000000"});
    expect_error(1, {"render", path("cut.png"), "-o", out},
                 {"cut.png: the file ends early; ", " % of the rows are there", "--partial"});
    expect_error(1, {"render", folder_.string(), "-o", out}, {"folder"});
    expect_error(1, {"render", "@step:16", "-o", path("no/such/out.png")}, {"no/such"});
    expect_error(1, {"render", "@step:16", "-o", out, "--size", "16000000x16000000"}, {"too large"});
    expect_error(launch({}), 1, {}, {"display"});
}

TEST_F(CommandLine, AnExistingOutputSurvivesAFailure) {
    write("out.npy", "precious");
    EXPECT_EQ(run({"render", path("missing.png"), "-o", path("out.npy")}).status, 1);
    EXPECT_EQ(content("out.npy"), "precious");
}

TEST_F(CommandLine, SlopesThatAFormatCutsOffAreNoted) {
    for (const auto& [name, noted] : {std::pair{"slope.pgm", true}, {"slope.npy", false}, {"slope.pfm", false}}) {
        const Result result = run({"render", "@step:16", "-o", path(name), "--derivative", "x"});
        EXPECT_EQ(result.status, 0) << name;
        ASSERT_EQ(result.errors.size(), noted ? 2u : 0u) << name;  // the first says how many values were clamped
        if (noted) {
            EXPECT_NE(result.errors[1].find("negative slopes are clipped"), std::string::npos);
        }
        EXPECT_TRUE(fs::exists(path(name)));
    }
}

// As the viewer reads it.
TEST_F(CommandLine, ATableIsASignalWhereverAnImageIsNamed) {
    SignalGrid grid;
    const Image signal = load_image(write("signal.csv", "x,v\n10,1\n10.5,-2\n11,4\n"), &grid);
    EXPECT_TRUE(signal.one_dimensional());
    EXPECT_EQ(signal.width(), 3);
    EXPECT_EQ(signal.value(1, 0, 0), -2);
    EXPECT_EQ(grid.origin, 10);
    EXPECT_EQ(grid.spacing, 0.5);
}

TEST_F(CommandLine, TheIdentityViewGivesTheImageBitForBit) {
    for (const char* source : {"@dead-leaves:61x47", "@noise:33x70", "@complex-chirp:20x30"}) {
        const bool floats = std::string(source).find("complex") != std::string::npos;
        const std::string name = path(floats ? "in.npy" : "in.pam");
        ASSERT_EQ(run({"render", source, "-o", name, "--method", "nearest"}).status, 0);
        const Image image = read_image(name);
        for (const MethodInfo* method : all_methods()) {
            if (!method->interpolating) continue;
            if (floats && method->has_prefilter()) continue;  // to 2e-6 only; test_identity.cpp
            const std::string out = path(floats ? "out.npy" : "out.pam");
            ASSERT_EQ(run({"render", name, "-o", out, "--method", std::string(method->id)}).status, 0);
            const Image result = read_image(out);
            ASSERT_EQ(result.type(), image.type()) << source << " " << method->id;
            ASSERT_EQ(result.size_bytes(), image.size_bytes());
            EXPECT_EQ(0, std::memcmp(result.data(), image.data(), image.size_bytes())) << source << " " << method->id;
        }
    }
}

TEST_F(CommandLine, MethodsAndInfoAreJsonOnDemand) {
    const auto json_of = [&](const char* command) { return nlohmann::json::parse(printed({command, "--json"})); };
    const auto methods = json_of("methods");
    ASSERT_EQ(methods.size(), all_methods().size());
    for (size_t i = 0; i < methods.size(); ++i) EXPECT_EQ(methods[i].at("id"), all_methods()[i]->id);
    const auto info = json_of("info");
    EXPECT_TRUE(info.at("backend") == "cpu" || info.at("backend") == "cuda");
    EXPECT_TRUE(info.contains("viewer_shows_through"));
    if (info.at("backend") == "cpu") {
        EXPECT_FALSE(std::string(info.at("why_not_cuda")).empty());
    }
}

TEST_F(CommandLine, TheProgramItselfEndsWithTheStatusAndPrintsToTheStreams) {
    const Result done = launch({"--version"});
    EXPECT_EQ(done.status, 0);
    EXPECT_EQ(done.output, printed({"--version"}));
    EXPECT_TRUE(done.errors.empty());
    expect_error(launch({"render"}), 2, {"render"}, {"IN"});
    expect_error(launch({"render", path("missing.png"), "-o", path("out.png")}), 1, {"render"},
                 {"missing.png", "no such file"});
}

TEST_F(CommandLine, HelpAndVersionEndWithStatus0) {
    EXPECT_NE(printed({"--version"}).find("texelscope "), std::string::npos);
    EXPECT_NE(printed({"--help"}).find("--warp"), std::string::npos);
    for (const char* command : {"render", "resize", "sample", "warp", "methods", "info"})
        EXPECT_NE(printed({command, "--help"}).find(std::string("texelscope ") + command), std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
