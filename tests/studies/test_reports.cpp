// Reports in all their forms, through the program itself.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/wait.h>

#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/restoring.h"
#include "tests/cli/program.h"
#include "tests/studies/experiments/run.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

using ExperimentProgram = Program;

// One method twice: its files must not overwrite each other.
const std::vector<std::string> small_rotation = {
    "experiment", "rotation", "--image", "@natural:64", "--turns",
    "4",          "--angle",  "90",      "--methods",   "nearest; bspline; nearest",
    "--backend",  "cpu"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

TEST_F(ExperimentProgram, AreListedWithALineEach) {
    const std::string list = printed({"experiment"});
    EXPECT_EQ(size_t(std::count(list.begin(), list.end(), '\n')), all_experiments().size());
    for (const Experiment& experiment : all_experiments()) {
        EXPECT_THAT(list, HasSubstr(std::string(experiment.name)));
        EXPECT_THAT(list, HasSubstr(std::string(experiment.question)));
        const std::string help = printed({"experiment", std::string(experiment.name), "--help"});
        for (const ExperimentOption& option : experiment.options)
            EXPECT_THAT(help, HasSubstr("--" + std::string(option.name))) << experiment.name;
    }
}

TEST_F(ExperimentProgram, AFolderHoldsEverythingOnce) {
    for (const std::vector<std::string>& arguments : {small_rotation,
                                                      {"experiment", "weights", "--methods", "bilinear"},
                                                      {"experiment", "minification", "--size", "128"}}) {
        const std::string folder = path("out-" + arguments[1]);
        printed(with(arguments, {"-o", folder}));
        EXPECT_EQ(
            test::run({TEXELSCOPE_PYTHON, TEXELSCOPE_SOURCE_DIR "/tests/studies/experiments/check_report.py", folder}),
            0)
            << arguments[1];
    }
}

TEST_F(ExperimentProgram, SingleFilesAreThoseOfTheFolder) {
    const std::string folder = path("all");
    printed(with(small_rotation, {"-o", folder}));
    printed(with(small_rotation, {"--csv", path("t.csv"), "--plot", path("p.svg"), "--report", path("r.html")}));
    EXPECT_EQ(content("t.csv"), content("all/table-after-4-turns-of-90.csv"));
    EXPECT_EQ(content("p.svg"), content("all/plot-rms-error-by-turn.svg"));
    const std::string page = content("r.html");
    EXPECT_THAT(page, HasSubstr("<title>Repeated rotation – texelscope</title>"));
    EXPECT_THAT(printed(with(small_rotation, {"--json", "-"})),
                testing::StartsWith("{\n \"experiment\": \"rotation\""));
}

TEST_F(ExperimentProgram, RefuseWhatCannotBe) {
    expect_error(2, {"experiment", "rotations"}, {"there is no experiment 'rotations'", "rotation, fir-taps"});
    expect_error(2, {"experiment", "rotation", "--turns", "0"}, {"--turns must be from 1 to 1000"});
    expect_error(2, {"experiment", "fir-taps", "--from", "15", "--to", "11"}, {"--to must be above --from"});
    expect_error(1, {"experiment", "rotation", "--image", path("none.png")}, {"none.png"});
    expect_error(1, {"experiment", "rotation", "--image", "@natural:8"}, {"too small to be rotated", "16×16"});
    expect_error(1, with(small_rotation, {"--report", path("no/where.html")}), {"there is no folder"});
    expect_error(2, with(small_rotation, {"--plot", path("plot.doc")}), {"cannot write .doc"});
    expect_error(2, with(small_rotation, {"--plot", path("plot.doc")}), {"--plot", ".png", ".svg"});
    expect_error(2, with(small_rotation, {"--report", path("r.html"), "--csv", path("./r.html")}),
                 {"--report and --csv both name", "r.html"});
    EXPECT_FALSE(fs::exists(path("r.html")));
    expect_error(2, {"experiment", "rotation", "rotation"}, {"has no place for", "rotation"});
    expect_error(2, {"experiment", "weights", "rotation"}, {"has no place for", "rotation"});
    expect_error(2, {"experiment", "weights", "--methods", "bilinear; bspline:path=global", "--backend", "cpu"},
                 {"always uses the hardware path", "path=global", "bspline"});
    write("file", "x");
    expect_error(1, with(small_rotation, {"-o", path("file")}), {"-o needs a folder"});
}

// On an image without detail nearest loses nothing, which is not as expected.
TEST_F(ExperimentProgram, AreStrictOnDemand) {
    EXPECT_EQ(run({"experiment", "weights", "--strict", "--backend", "cpu"}).status, 0);
    const std::vector<std::string> blank = {"experiment", "rotation",          "--image",   "@constant:64",
                                            "--methods",  "nearest; bilinear", "--backend", "cpu"};
    EXPECT_THAT(printed(blank), HasSubstr("\ndiffers "));
    EXPECT_EQ(run(with(blank, {"--strict"})).status, 1);
}

// Whether a process has its own handler for Ctrl+C, and computes: while a program is being started, the system shows the
// handlers of the one that starts it.
bool catches_interrupt(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    bool computes = false;
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("Threads:")) computes = std::stoi(line.substr(8)) > 1;
        if (line.starts_with("SigCgt:"))
            return computes && (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1) & 1);
    }
    return false;
}

TEST_F(ExperimentProgram, AreEndedByCtrlCAndLeaveNothing) {
    const std::string errors = path("errors"), folder = path("out");
    const std::vector<std::string> words = {TEXELSCOPE_PROGRAM,  "experiment", "rotation", "--turns", "1000",
                                            "--angle",           "0.36",       "-o",       folder,    "--report",
                                            path("report.html"), "--backend",  "cpu"};
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errors.c_str(), O_CREAT | O_WRONLY, 0600);
    pid_t pid = 0;
    const int spawned = ::posix_spawn(&pid, TEXELSCOPE_PROGRAM, &files, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    ASSERT_EQ(spawned, 0);
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!catches_interrupt(pid) && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ::kill(pid, SIGINT);
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    ASSERT_TRUE(WIFEXITED(status)) << "it was killed";
    EXPECT_EQ(WEXITSTATUS(status), 1);
    EXPECT_THAT(content("errors"), HasSubstr("cancelled; nothing was written"));
    EXPECT_FALSE(fs::exists(folder));
    for (const auto& entry : fs::directory_iterator(folder_))
        EXPECT_EQ(entry.path().filename(), "errors") << "left behind";
}

TEST(Results, NumbersArePrintedWithTheirDigits) {
    EXPECT_EQ(number_text(7.1894, 3), "7.19");
    EXPECT_EQ(number_text(22.26, 3), "22.3");
    EXPECT_EQ(number_text(1234.5, 3), "1234");  // ties to even, as everywhere in C++
    EXPECT_EQ(number_text(0.001953, 3), "0.00195");
    EXPECT_EQ(number_text(-0.0651, 2), "-0.065");
    EXPECT_EQ(number_text(6.51e-5, 3), "6.51e-05");
    EXPECT_EQ(number_text(257, 0), "257");
    EXPECT_EQ(number_text(1.5, 0), "1.5");
    EXPECT_EQ(number_text(0, 3), "0");
    EXPECT_EQ(number_text(std::nan(""), 3), "–");
}

TEST(Results, FileNamesKeepLettersAndNothingElse) {
    EXPECT_EQ(file_stem("Moiré by scale"), "moiré-by-scale");
    EXPECT_EQ(file_stem("After 4 turns of 90°"), "after-4-turns-of-90");
    EXPECT_EQ(file_stem("Its two directions at 8×8"), "its-two-directions-at-8-8");
    EXPECT_EQ(file_stem("Catmull–Rom · ½ Å"), "catmull-rom-Å");
    EXPECT_EQ(file_stem("cut \xc3"), "cut");
}

}  // namespace

}  // namespace texelscope::test
