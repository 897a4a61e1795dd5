// What is written for shells and for man(1): complete, and completing as a user's Tab key does.

#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "app/cli/command_line.h"
#include "gpu/method/method_info.h"
#include "gpu/method/spec.h"
#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> words_in(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

class ShellTexts : public Program {
protected:
    // "--size", "-o", … of a help text.
    std::set<std::string> options_in_help(const std::vector<std::string>& arguments) const {
        const std::string help = printed(arguments);
        static const std::regex line("(?:^|\n)  (-[-a-z,]+)");
        std::set<std::string> names;
        for (std::sregex_iterator at(help.begin(), help.end(), line), end; at != end; ++at) {
            std::string name;
            for (std::istringstream list((*at)[1]); std::getline(list, name, ',');) names.insert(name);
        }
        return names;
    }

    bool has(const std::string& shell) const {
        return test::run({"sh", "-c", "command -v " + shell + " >/dev/null"}, {}) == 0;
    }

    // What bash offers for the last word of `line`.
    std::vector<std::string> bash_offers(const std::string& line) const {
        write("completion.bash", printed({"completion", "bash"}));
        const std::string last = line.substr(line.find_last_of(' ') + 1);
        const int status =
            test::run({"bash", "-c",
                       ". \"$SCRIPT\"; COMP_LINE=$LINE COMP_POINT=${#LINE}; _texelscope texelscope \"$LAST\" x;"
                       "printf '%s\\n' \"${COMPREPLY[@]}\" >\"$OUT\""},
                      {{"SCRIPT", path("completion.bash")}, {"LINE", line}, {"LAST", last}, {"OUT", path("offers")}});
        EXPECT_EQ(status, 0) << line;
        return words_in(content("offers"));
    }
};

TEST_F(ShellTexts, TheManualHasEveryCommandAndOption) {
    const std::string manual = printed({"manual"});
    const auto written = [](std::string name) { return std::regex_replace(name, std::regex("-"), "\\-"); };
    for (const char* command :
         {"render", "resize", "sample", "warp", "compare", "experiment", "bench", "methods", "info"}) {
        const size_t begin = manual.find(".SS " + std::string(command) + "\n");
        ASSERT_NE(begin, std::string::npos) << command;
        const std::string section = manual.substr(begin, manual.find("\n.S", begin + 1) - begin);
        const std::set<std::string> options = options_in_help({command, "--help"});
        EXPECT_THAT(options, Contains("--help")) << command;
        for (const std::string& option : options)
            EXPECT_THAT(section, HasSubstr("\\fB" + written(option) + "\\fR")) << command;
    }
}

TEST_F(ShellTexts, BashCompletesCommandsOptionsAndValues) {
    EXPECT_THAT(bash_offers("texelscope re"), ElementsAre("render", "resize"));
    EXPECT_THAT(bash_offers("texelscope render in.png --meth"), ElementsAre("--method", "--method-file"));
    EXPECT_THAT(bash_offers("texelscope render in.png --backend "), ElementsAre("auto", "cuda", "cpu"));
    EXPECT_THAT(bash_offers("texelscope compare --reference tr"), ElementsAre("truth"));
    EXPECT_THAT(bash_offers("texelscope resize @zone-plate-c"), ElementsAre("@zone-plate-corner"));
    EXPECT_THAT(bash_offers("texelscope render --size "), IsEmpty());  // then bash offers files
    const std::vector<std::string> methods = bash_offers("texelscope render in.png --method ");
    ASSERT_EQ(methods.size(), all_methods().size() + std::size(method_forms));
    for (const MethodInfo* method : all_methods()) EXPECT_THAT(methods, Contains(std::string(method->id)));
    EXPECT_THAT(bash_offers("texelscope render in.png --method cus"), ElementsAre("custom:file="));
    EXPECT_THAT(bash_offers("texelscope methods ker"), ElementsAre("kernel:file="));
    EXPECT_THAT(bash_offers("texelscope render in.png --method custom:file=my"), IsEmpty());  // then files
}

TEST_F(ShellTexts, FishCompletesCommandsOptionsAndValues) {
    if (!has("fish")) GTEST_SKIP() << "fish is not installed";
    write("completion.fish", printed({"completion", "fish"}));
    const auto offers = [&](const std::string& line) {
        EXPECT_EQ(
            test::run(
                {"fish", "-c", "source $SCRIPT; complete -C $LINE | cut -f1 >$OUT"},
                {{"SCRIPT", path("completion.fish")}, {"LINE", line}, {"OUT", path("offers")}, {"HOME", path("")}}),
            0);
        return words_in(content("offers"));
    };
    EXPECT_THAT(offers("texelscope rend"), ElementsAre("render"));
    EXPECT_THAT(offers("texelscope render --method catm"), ElementsAre("catmull-rom"));
    EXPECT_THAT(offers("texelscope compare x.png --rest"), ElementsAre("--restore"));
    EXPECT_THAT(offers("texelscope render --method kern"), ElementsAre("kernel:file="));
}

TEST_F(ShellTexts, EveryShellUnderstandsItsScript) {
    for (const std::string_view shell : completion_shells) {
        const std::string script = write("script", printed({"completion", std::string(shell)}));
        if (!has(std::string(shell))) continue;
        EXPECT_EQ(test::run({std::string(shell), "-n", script}, {}), 0) << shell;
    }
}

TEST_F(ShellTexts, AnUnknownShellIsRefused) {
    expect_error(2, {"completion", "tcsh"}, {"'tcsh'", "bash, zsh, fish"});
    expect_error(2, {"completion"}, {"SHELL"});
}

}  // namespace
}  // namespace texelscope::test
