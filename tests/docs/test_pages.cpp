// Pages that say what the program's tables say.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/methods_page/methods_page.h"
#include "app/studies/recipes/recipe_study.h"
#include "app/text/glossary.h"
#include "app/viewer/lessons/lesson.h"
#include "gpu/backend/backend.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"
#include "gpu/method/spec.h"
#include "tests/docs/markdown.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

// docs/methods.md matches the registry, and shows every method.

constexpr const char* remedy = "; build make_methods_page and run it from the project's root";
constexpr uintmax_t largest_picture = 31'000, largest_folder = 1'500'000;  // bytes

std::set<std::string> file_names(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
    return names;
}

// Decoded, since encoders differ; by at most one level, since rounding may.
void expect_same_picture(const fs::path& kept, const fs::path& fresh) {
    const Image a = read_image(kept), b = read_image(fresh);
    ASSERT_EQ(describe(a), describe(b)) << kept << remedy;
    int worst = 0;
    for (size_t i = 0; i < a.size_bytes(); ++i) worst = std::max(worst, std::abs(int(a.data()[i]) - int(b.data()[i])));
    EXPECT_LE(worst, 1) << kept << " is stale" << remedy;
}

TEST(MethodsPage, IsWhatTheRegistrySaysNow) {
    const Folder fresh;
    write_methods_page(fresh);
    // Not compared by EXPECT_EQ, which would print both.
    EXPECT_TRUE(read_text(docs_folder() / "methods.md") == read_text(fresh / "methods.md"))
        << "methods.md is stale" << remedy;
    EXPECT_EQ(file_names(docs_folder() / "methods"), file_names(fresh / "methods")) << remedy;
    for (const std::string& name : file_names(fresh / "methods")) {
        const fs::path kept = docs_folder() / "methods" / name, made = fresh / "methods" / name;
        if (!fs::exists(kept)) continue;
        if (kept.extension() == ".png") expect_same_picture(kept, made);
        else EXPECT_TRUE(read_text(kept) == read_text(made)) << kept << " is stale" << remedy;
    }
}

TEST(MethodsPage, HasASectionAndThreePicturesForEveryMethod) {
    const std::string page = read_text(docs_folder() / "methods.md");
    for (const MethodInfo* method : all_methods()) {
        EXPECT_THAT(page, testing::HasSubstr(fmt::format("<a id=\"{}\"></a>\n\n## {}\n", method->id, method->name)));
        EXPECT_THAT(page, testing::HasSubstr(fmt::format("| [{}](#{}) |", method->name, method->id)));
        EXPECT_THAT(page, testing::HasSubstr(std::string(method->paper)));
        for (const char* picture : {"weight.svg", "spectrum.svg", "plate.png"}) {
            EXPECT_THAT(page, testing::HasSubstr(fmt::format("src=\"methods/{}-{}\"", method->id, picture)));
            EXPECT_TRUE(fs::exists(docs_folder() / "methods" / fmt::format("{}-{}", method->id, picture)));
        }
        for (const ParameterInfo& parameter : method->parameters)
            EXPECT_THAT(page, testing::HasSubstr(fmt::format("| `{}` | {} |", parameter.id, parameter.name)));
    }
}

TEST(MethodsPage, PicturesAreSmall) {
    uintmax_t sum = 0;
    for (const auto& entry : fs::directory_iterator(docs_folder() / "methods")) {
        sum += entry.file_size();
        if (entry.path().extension() == ".png") {
            EXPECT_LE(entry.file_size(), largest_picture) << entry.path();
        }
    }
    EXPECT_LE(sum, largest_folder);
}

TEST(Docs, EveryLinkLeadsSomewhere) {
    for (const fs::path& folder : {docs_folder(), docs_folder() / "labs", fs::path(TEXELSCOPE_SOURCE_DIR)})
        for (const auto& entry : fs::directory_iterator(folder))
            if (entry.path().extension() == ".md") {
                EXPECT_THAT(broken_links(entry.path()), testing::IsEmpty()) << entry.path();
            }
}

// Counts that texts give in figures, so that they can be compared.

// The number before `what`, wherever the text has one.
std::set<size_t> counts_before(const std::string& text, const std::string& what) {
    const std::regex pattern("(\\d+)\\s+" + what);
    std::set<size_t> counts;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        counts.insert(std::stoul((*match)[1]));
    return counts;
}

TEST(Docs, CountsOfMethodsAndLessonsAreThoseOfTheProgram) {
    const fs::path root = TEXELSCOPE_SOURCE_DIR;
    const auto says = [&](const char* file, const char* what, size_t count) {
        EXPECT_EQ(counts_before(read_text(root / file), what), std::set<size_t>{count}) << file;
    };
    const size_t methods = all_methods().size(), lessons = all_lessons().size();
    for (const std::string_view text : texts_with_method_count)
        says(text.data(), "(?:interpolation )?methods", methods);
    says("README.md", "lessons", lessons);
    says("docs/README.md", "lessons", lessons);
    says("assets/desktop/org.texelscope.texelscope.metainfo.xml", "lessons", lessons);
}

using testing::HasSubstr;

// docs/experiments.md names every experiment with its options and their defaults, and nothing else.

// The text below the heading of an experiment.
std::string part_about(const std::string& page, std::string_view name) {
    const std::string heading = fmt::format("\n### {}\n", name);
    const size_t begin = page.find(heading);
    if (begin == std::string::npos) return "";
    return page.substr(begin, page.find("\n### ", begin + 1) - begin);
}

TEST(ExperimentsPage, TellsOfEveryExperimentAndOption) {
    const std::string page = read_text(docs_folder() / "experiments.md");
    size_t headings = 0;
    for (size_t at = page.find("\n### "); at != std::string::npos; at = page.find("\n### ", at + 1)) ++headings;
    EXPECT_EQ(headings, all_experiments().size());
    for (const Experiment& experiment : all_experiments()) {
        const std::string part = part_about(page, experiment.name);
        EXPECT_THAT(part, HasSubstr("xpected")) << experiment.name;
        for (const ExperimentOption& option : experiment.options) {
            EXPECT_THAT(part, HasSubstr(fmt::format("`--{}`", option.name))) << experiment.name;
            if (option.kind != ExperimentOption::Kind::methods && option.kind != ExperimentOption::Kind::image) {
                EXPECT_TRUE(part.find(fmt::format("({})", option.standard)) != std::string::npos ||
                            part.find(fmt::format("| {} |", option.standard)) != std::string::npos ||
                            part.find("as above") != std::string::npos)
                    << experiment.name << " --" << option.name;
            }
        }
    }
}

TEST(ExperimentsPage, HasNoBrokenLinks) {
    EXPECT_THAT(broken_links(docs_folder() / "experiments.md"), testing::IsEmpty());
}

// docs/files.md says of each format what its codec says.

TEST(FormatsTable, IsWhatTheCodecsSay) {
    const std::string page = read_text(docs_folder() / "files.md");
    EXPECT_TRUE(page == with_formats_table(page))
        << "the table of formats in files.md is stale; build make_methods_page and run it from the project's root";
}

// docs/libraries.md says of each recipe what its record does.

TEST(LibrariesPage, IsWhatTheRecipesSay) {
    EXPECT_TRUE(read_text(docs_folder() / "libraries.md") == libraries_page())
        << "libraries.md is stale; build make_methods_page and run it from the project's root";
}

// The words of the window are explained, in the program and in docs/glossary.md alike.

TEST(Glossary, PageIsWhatTheProgramSays) {
    EXPECT_TRUE(read_text(docs_folder() / "glossary.md") == glossary_page())
        << "glossary.md is stale; build make_methods_page and run it from the project's root";
}

TEST(Glossary, TermsAreInOrderAndSaidInWholeSentences) {
    std::string before;
    for (const GlossaryEntry& entry : glossary()) {
        const std::string term = lower_case(std::string(entry.term));
        EXPECT_LT(before, term);
        before = term;
        EXPECT_TRUE(entry.meaning.ends_with('.')) << term;
        EXPECT_EQ(find_term(entry.term), &entry) << term << " is found as another";
    }
}

TEST(Glossary, HasTheWordsThatLabelsAndTablesUse) {
    for (const char* word : {"prefilter", "taps",         "fetches",    "path",
                             "iir",       "fir",          "RMSE",       "PSNR (dB)",
                             "SSIM",      "ΔE",           "ΔE2000",     "Reference",
                             "antialias", "address mode", "Nyquist",    "weight function",
                             "kernel",    "Coefficients", "code value", "linear light"})
        EXPECT_NE(find_term(word), nullptr) << word;
    for (const FetchPath path : all_fetch_paths) EXPECT_NE(find_term(name_of(path)), nullptr) << name_of(path);
    for (const AddressMode mode : all_address_modes) EXPECT_NE(find_term(name_of(mode)), nullptr) << name_of(mode);
    EXPECT_EQ(find_term("PSNR"), find_term("psnr (dB)"));
    EXPECT_EQ(find_term("bicubix"), nullptr);
    EXPECT_EQ(find_term(""), nullptr);
}

TEST(Glossary, ATooltipIsFollowedByWhatItsWordsMean) {
    const std::string tip = with_terms("Prefer this.", {"tap", "fetch"});
    EXPECT_TRUE(tip.starts_with("Prefer this.\n\ntap: One sample"));
    EXPECT_NE(tip.find("\n\nfetch: One read"), tip.npos);
    EXPECT_THROW(with_terms("", {"bicubix"}), Error);
}

}  // namespace

// docs/sources.md cannot rot: every block marked ```sh run is run, in the order of the page, in one scratch folder and
// with the program that was built; a block ```text output after it is the expected output.

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
    Scratch() {
        fs::create_directories(folder_ / "bin");
        fs::create_directories(folder_ / "work");
        fs::create_symlink(TEXELSCOPE_PROGRAM, folder_ / "bin" / "texelscope");
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
    const Folder folder_{testing::TempDir()};
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
