// The program from the command line: exit status, one clear sentence for each wrong input, nothing half-written.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstring>
#include <filesystem>

#include "app/files/reading/image_files.h"
#include "gpu/method/method_info.h"
#include "tests/cli/program.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

// The program from the command line: exit status, one clear sentence for each wrong input, nothing half-written, and
// the files it makes.

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
    const std::string sentence =
        "'rendr' is neither a command nor a file (did you mean render?); texelscope --help lists the commands";
    expect_error(2, {"rendr"}, {sentence});
    expect_error(2, {"rendr", "@step:16", "-o", path("out.png")}, {sentence});
    expect_error(2, {"unlikely"}, {"'unlikely' is neither a command nor a file; texelscope --help"});
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
            if (floats && method->has_prefilter()) continue;  // to 2e-6 only; test_interpolation.cpp
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

// sample and the shared options: each wrong input is reported in one sentence that names it, and leaves nothing behind.

class Refusal : public Program {
protected:
    std::vector<std::string> sample(const std::string& in, const std::string& at,
                                    std::vector<std::string> more = {}) const {
        std::vector<std::string> all = {"sample", in, "--at", at, "-o", path("out.csv")};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    static std::string floats(const std::string& shape, size_t count, const std::string& descr = "<f4") {
        return npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }",
                   std::string(4 * count, '\0'));
    }
};

TEST_F(Refusal, WrongOptionsOfSample) {
    const std::string at = write("p.csv", "0 0\n");
    expect_error(2, {"sample", "@step:8"}, {"--at"});
    expect_error(2, {"sample", "--at", at}, {"IN"});
    expect_error(2, {"sample", "@step:8", "--at", at, "-o", path("out.png")}, {"out.png", ".npy"});
    expect_error(2, sample("@step:8", at, {"--outside", "background"}), {"--outside", "extend or nan"});
    expect_error(2, sample("@step:8", at, {"--spacing", "0"}), {"--spacing", "0"});
    expect_error(2, sample("@step:8", at, {"--spacing", "1,0"}), {"--spacing", "0"});
    expect_error(2, sample("@step:8", at, {"--spacing", "wide"}), {"--spacing", "wide"});
    expect_error(2, sample("@step:8", at, {"--origin", "1,2,3"}), {"--origin"});
    expect_error(2, sample("@step:8", at, {"--antialias", "on"}), {"--antialias", "off"});
    expect_error(2, sample("@step:8", at, {"--derivative", "z"}), {"--derivative", "x or y"});
    expect_error(2, sample("@step:8", at, {"--derivative", "x", "--method", "bilinear"}), {"bilinear", "bspline"});
    const std::string x = write("x.csv", "0\n");
    expect_error(2, sample(write("signal.csv", "1\n2\n"), x, {"--derivative", "y"}),
                 {"--derivative y", "one-dimensional"});
    expect_error(2, {"render", "@step:8", "-o", path("out.png"), "--derivative", "x", "--antialias", "on"},
                 {"--derivative", "--antialias"});
}

TEST_F(Refusal, BorderValuesThatCannotBeMeant) {
    const auto render = [&](std::vector<std::string> more) {
        std::vector<std::string> all = {"render", "@step:8", "-o", path("out.png"), "--backend", "cpu"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    expect_error(2, render({"--border", "0.5"}), {"0.5", "address=border"});
    expect_error(2, render({"--border", "0.5", "--address", "wrap"}), {"0.5", "address=border"});
    expect_error(2, render({"--address", "border", "--border", "nan"}), {"nan", "finite"});
    expect_error(2, render({"--address", "border", "--border", "1:2:3:4:5"}), {"5 numbers"});
    expect_error(2, render({"--address", "border", "--border", "0.1:0.2:0.3"}), {"3 numbers", "1 channel"});
    expect_error(2, render({"--method", "nearest:border=0.5"}), {"0.5", "address=border"});
    const std::string at = write("p.csv", "0 0\n");
    expect_error(2, sample("@step:8", at, {"--address", "border", "--border", "0.1:0.2"}), {"2 numbers", "1 channel"});
    expect_error(
        2, {"resize", "@step:8", "-o", path("out.png"), "--factor", "2", "--address", "border", "--border", "1:2"},
        {"2 numbers"});
    expect_error(
        2, {"warp", "@step:8", "-o", path("out.png"), "--map", "@swirl", "--address", "border", "--border", "1:2"},
        {"2 numbers"});
    expect_error(2, {"compare", "@step:8", "--panes", "bspline; nearest:address=border,border=1:2"}, {"2 numbers"});
    expect_error(2, {"compare", "@step:8", "--panes", "bspline:border=1"}, {"pane A", "address=border"});
}

TEST_F(Refusal, PointsThatCannotBeMeant) {
    const auto refuse = [&](const std::string& name, const std::string& bytes, const std::vector<std::string>& words) {
        std::vector<std::string> all = words;
        all.push_back(name);
        expect_error(1, sample("@step:8", write(name, bytes)), all);
    };
    expect_error(1, sample("@step:8", path("missing.csv")), {"missing.csv", "no such file"});
    expect_error(1, sample("@step:8", folder_.string()), {"folder"});
    refuse("empty.csv", "", {"empty"});
    refuse("comments.csv", "# nothing\n\n", {"no numbers"});
    refuse("header.csv", "x,y\n", {"no numbers"});
    refuse("words.csv", "0 0\n1 one\n", {"line 2", "'one' is not a number"});
    refuse("ragged.csv", "x y\n0 0\n1\n", {"line 3", "1 of the 2 numbers"});
    refuse("hole.csv", "0,0\n1,\n", {"line 2", "missing"});
    refuse("wide.csv", "0 0 0\n", {"line 1", "3 columns", "at most 2"});
    refuse("one.csv", "0\n", {"two coordinates"});
    refuse("one.npy", floats("(4,)", 4), {"two coordinates"});
    refuse("three.npy", floats("(4, 3)", 12), {"(4, 3)", "axis of 2"});
    refuse("none.npy", floats("(0, 2)", 0), {"empty"});
    refuse("cut.npy", floats("(9, 2)", 3), {"truncated"});
    refuse("complex.npy", floats("(1, 2)", 4, "<c8"), {"<c8", "float32"});
    refuse("scalar.npy", floats("()", 1), {"()"});
    expect_error(1, sample(write("signal.csv", "1\n2\n"), write("p.csv", "0 0\n")), {"p.csv", "one coordinate"});
}

TEST_F(Refusal, CoordinateArraysThatDoNotAgree) {
    const std::string x = write("x.csv", "0\n1\n2\n"), y = write("y.csv", "0\n1\n");
    expect_error(1, {"sample", "@step:8", "--at", x, y, "-o", path("out.csv")}, {"x.csv", "3", "y.csv", "2"});
    const std::string a = write("a.npy", floats("(2, 3)", 6)), b = write("b.npy", floats("(3, 2)", 6));
    expect_error(1, {"sample", "@step:8", "--at", a, b, "-o", path("out.csv")}, {"(2, 3)", "(3, 2)"});
    expect_error(1, {"sample", "@step:8", "--at", write("p.csv", "0 0\n"), y, "-o", path("out.csv")},
                 {"p.csv", "line 1", "2 columns"});
    expect_error(1, {"sample", write("s.npy", floats("(3,)", 3)), "--at", y, y, "-o", path("out.csv")},
                 {"one coordinate"});
}

TEST_F(Refusal, SignalsThatAreNotUniform) {
    const std::string at = write("x.csv", "0\n");
    const auto refuse = [&](const std::string& bytes, const std::vector<std::string>& words) {
        std::vector<std::string> all = words;
        all.push_back("signal.csv");
        expect_error(1, sample(write("signal.csv", bytes), at), all);
    };
    refuse("x y\n0 1\n1 2\n2.1 3\n", {"line 3", "uniform"});
    refuse("0 1\n1 2\n1 3\n", {"line 3", "twice"});
    refuse("0 1\n2 2\n1 3\n", {"line 3", "decreases"});
    refuse("3 1\n2 2\n1 3\n", {"line 2", "decreases"});
    refuse("0 1\nnan 2\n2 3\n", {"line 2", "finite"});
    refuse("0 1\n", {"single row", "two or more"});
    refuse("0 1 2 3\n", {"4 columns", "at most 3"});
    refuse("# no signal\n", {"no numbers"});
    expect_error(1, sample(write("dates.npy", floats("(2,)", 4, "<M8")), at), {"dates.npy", "<M8"});
}

TEST_F(Refusal, WarpsOfASignal) {
    const std::string signal = write("signal.csv", "1\n2\n3\n");
    for (const std::string& map : {std::string("@swirl"), write("map.npy", floats("(1, 2, 2)", 4))})
        expect_error(1, {"warp", signal, "--map", map, "-o", path("out.npy")}, {"one-dimensional signal", "sample"});
}

// No message: a signal leaves no time for one.
TEST_F(Refusal, AnInterruptedRunLeavesNothingBehind) {
    const size_t points = size_t(1) << 22;
    const std::string at =
        write("p.npy", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (" + std::to_string(points) + ", 2), }",
                           std::string(2 * points, '\5')));
    const auto temporary = [&] {
        for (const auto& entry : std::filesystem::directory_iterator(folder_))
            if (entry.path().filename().string().starts_with(".texelscope-")) return true;
        return false;
    };
    Process process({TEXELSCOPE_PROGRAM, "sample", "@noise:64", "--at", at, "-o", path("out.csv"), "--method",
                     "lanczos3", "--backend", "cpu"},
                    {});
    while (process.running() && !temporary()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(temporary());
    process.terminate();
    EXPECT_EQ(process.wait(30), 128 + SIGTERM);
    EXPECT_FALSE(temporary());
    EXPECT_FALSE(std::filesystem::exists(path("out.csv")));
}

TEST_F(Refusal, AnExistingOutputSurvives) {
    write("out.npy", "precious");
    EXPECT_EQ(run({"sample", "@step:8", "--at", path("missing.csv"), "-o", path("out.npy")}).status, 1);
    EXPECT_EQ(run({"warp", "@step:8", "--map", path("missing.npy"), "-o", path("out.npy")}).status, 1);
    EXPECT_EQ(content("out.npy"), "precious");
}

TEST_F(Refusal, AStdoutThatIsFull) {
    const std::string at = write("p.csv", "0 0\n");
    const std::string command =
        std::string(TEXELSCOPE_PROGRAM) + " sample @step:8 --at " + at + " >/dev/full 2>" + path("errors");
    EXPECT_EQ(test::run({"sh", "-c", command}), 1);
    EXPECT_NE(content("errors").find("standard output: cannot be written"), std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
