// docs/experiments.md names every experiment with its options and their defaults, and nothing else.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/studies/experiments/experiment.h"
#include "tests/docs/markdown.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

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

}  // namespace
}  // namespace texelscope::test
