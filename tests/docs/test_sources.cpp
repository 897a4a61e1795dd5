// docs/sources.md cannot rot: every block marked ```sh run is run, in the order of the page, in one scratch folder and
// with the program that was built; a block ```text output after it is the expected output.

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/docs/markdown.h"
#include "tests/support/process.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

// Values are printed from float32, by any backend, after up to five passes over a picture.
constexpr double value_tolerance = 1e-5;

bool is_number(const std::string& word, double& value) {
    char* end = nullptr;
    value = std::strtod(word.c_str(), &end);
    return !word.empty() && *end == '\0';
}

bool same_word(const std::string& a, const std::string& b) {
    double x = 0, y = 0;
    if (!is_number(a, x) || !is_number(b, y)) return a == b;
    return std::abs(x - y) <= value_tolerance || x == y || (std::isnan(x) && std::isnan(y));
}

// Words are separated by white space and commas.
std::vector<std::string> words(std::string text) {
    for (char& c : text)
        if (c == ',') c = ' ';
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

void expect_same_text(const std::string& wanted, const std::string& got, int line) {
    const auto a = words(wanted), b = words(got);
    bool same = a.size() == b.size();
    for (size_t i = 0; same && i < a.size(); ++i) same = same_word(a[i], b[i]);
    EXPECT_TRUE(same) << "the output at line " << line << " of docs/sources.md is\n" << got;
}

class Scratch {
public:
    Scratch() : folder_(fs::path(testing::TempDir()) / "texelscope_sources") {
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "bin");
        fs::create_directories(folder_ / "work");
        fs::create_symlink(TEXELSCOPE_PROGRAM, folder_ / "bin" / "texelscope");
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    // Exit status of the lines, each of which must succeed; stdout into `output`.
    int run(const std::string& lines, std::string& output) const {
        std::ofstream(folder_ / "script") << "set -eu\nPATH='" << (folder_ / "bin").string() << "':$PATH\ncd '"
                                          << (folder_ / "work").string() << "'\nexec >../stdout\n"
                                          << lines;
        const int status = test::run({"sh", (folder_ / "script").string()}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
        output = read_text(folder_ / "stdout");
        return status;
    }

private:
    fs::path folder_;
};

TEST(SlowSources, EveryCommandOnThePageRunsAndPrintsWhatThePageSays) {
    const Scratch scratch;
    const auto blocks = test::blocks(read_text(docs_folder() / "sources.md"));
    int commands = 0;
    std::string output;
    for (const Block& block : blocks) {
        if (block.kind == "sh run") {
            ++commands;
            ASSERT_EQ(scratch.run(block.text, output), 0) << "at line " << block.line << " of docs/sources.md:\n"
                                                          << block.text;
        } else if (block.kind == "text output") {
            expect_same_text(block.text, output, block.line);
        }
    }
    EXPECT_GT(commands, 10);
}

// A command that is shown but not run would be free to rot.
TEST(Sources, NoCommandIsLeftUnmarked) {
    for (const Block& block : blocks(read_text(docs_folder() / "sources.md"))) {
        EXPECT_TRUE(block.kind == "sh run" || block.kind == "text output")
            << "line " << block.line << " begins a block '" << block.kind << "'";
    }
}

}  // namespace
}  // namespace texelscope::test
