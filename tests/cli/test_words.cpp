// Words that are nearly right are answered with those that were meant; numbers beyond their range with the range.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "app/cli/command_line.h"
#include "gpu/method/method_info.h"
#include "gpu/method/spec.h"
#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

class WrongWords : public Program {
protected:
    std::vector<std::string> render(std::vector<std::string> more) const {
        more.insert(more.begin(), {"render", "@step:16", "-o", path("out.png"), "--backend", "cpu"});
        return more;
    }
    void expect_without(const Result& result, const std::string& words) const {
        ASSERT_EQ(result.errors.size(), 1u);
        EXPECT_EQ(result.errors[0].find(words), std::string::npos) << result.errors[0];
    }
};

TEST_F(WrongWords, MethodsAndTheirSettings) {
    expect_error(2, render({"--method", "bsplin"}), {"unknown method 'bsplin' (did you mean bspline?): choose one of"});
    expect_error(2, render({"--method", "custm"}), {"'custm' (did you mean custom?)", "custom:file=FILE"});
    expect_error(2, render({"--method", "bspline:prefiltr=iir"}), {"'prefiltr' of bspline (did you mean prefilter?)"});
    expect_error(2, render({"--address", "mirrr"}), {"'mirrr' (did you mean mirror?)"});
    expect_error(2, {"compare", "@step:16", "--panes", "bspline; catmullrom"},
                 {"pane B", "(did you mean catmull-rom?)"});
    expect_without(run(render({"--method", "qqqqqqqq"})), "did you mean");
}

TEST_F(WrongWords, Options) {
    expect_error(2, render({"--metod", "bspline"}),
                 {"texelscope render has no option --metod (did you mean --method?); see texelscope render --help"});
    expect_error(2, render({"--siez=8x8"}), {"no option --siez (did you mean --size?)"});
    expect_error(2, {"--zom", "4"}, {"texelscope has no option --zom (did you mean --zoom?); see texelscope --help"});
    expect_error(2, {"experiment", "rotation", "--metods", "bspline"},
                 {"texelscope experiment rotation has no option --metods (did you mean --methods?)",
                  "see texelscope experiment rotation --help"});
    expect_error(2, render({"--size"}), {"--size needs WxH"});
    expect_error(2, render({"--zoom", "2", "--zoom", "3"}), {"--zoom can be given only once"});
    // Rather than that --output is missing, which follows from it.
    expect_error(2, {"render", "@step:16", "--outptu", path("out.png")}, {"--outptu (did you mean --output?)"});
    expect_without(run(render({"--frobnicate"})), "did you mean");
    expect_error(2, {"render", "--", "@step:16"}, {"--output is required"});  // no option that is unknown
}

TEST_F(WrongWords, WordsWithoutAPlaceAreNamedInTheirOrder) {
    expect_error(2, {"sample", "@step:16", "--size", "10x10", "--at", path("points.csv")},
                 {"texelscope sample has no option --size; see"});
    expect_error(2, render({"first", "second"}), {"texelscope render has no place for 'first second'; see"});
    expect_error(2, render({"-5"}), {"no place for '-5'"});
}

TEST_F(WrongWords, CommandsExperimentsAndLessons) {
    expect_error(2, {"resiz", "@step:16"}, {"'resiz' is neither a command nor a file (did you mean resize?)"});
    expect_error(2, {"experiment", "minificaton"}, {"'minificaton' (did you mean minification?)"});
    expect_error(2, {"--lesson", "half-texl"}, {"'half-texl' (did you mean half-texel?)"});
}

TEST_F(WrongWords, FilesOfTheSameFolder) {
    ASSERT_EQ(run(render({})).status, 0);
    std::filesystem::rename(path("out.png"), path("photo.png"));
    const std::string meant = "no such file (did you mean " + path("photo.png") + "?)";
    expect_error(1, {"render", path("phtoo.png"), "-o", path("out.png")}, {path("phtoo.png") + ": " + meant});
    expect_error(1, {"info", path("Photo.png")}, {meant});
    expect_without(run({"info", path("meadow.png")}), "did you mean");
    write("my.weights", "");
    for (const std::vector<std::string>& method : {std::vector<std::string>{"--method-file", path("my.weight")},
                                                   {"--method", "custom:file=" + path("my.weight")},
                                                   {"--method", "kernel:file=" + path("my.weight")}})
        expect_error(1, render(method), {"my.weight: no such file (did you mean " + path("my.weights") + "?)"});
    expect_error(1, render({"--method-file", folder_.string()}), {"is a folder, not a file"});
}

TEST_F(WrongWords, ViewsHaveRanges) {
    for (const char* option : {"--zoom", "--scale"})
        for (const char* value : {"1e30", "1e-30", "-1", "0", "16777217", "5e-8"})
            expect_error(2, render({option, value}),
                         {std::string(option) + " must be from 1/16777216 to 16777216, not '" + value + "'"});
    for (const char* value : {"1e30,0", "0,-1e30", "16777217,0"})
        expect_error(2, render({"--translate", value}),
                     {"--translate must be from -16777216 to 16777216 samples", std::string("'") + value + "'"});
    for (const auto& [option, value] : {std::pair("--zoom", "16777216"),
                                        {"--zoom", "6e-8"},
                                        {"--scale", "16777216"},
                                        {"--translate", "-16777216,16777216"}})
        EXPECT_EQ(run(render({option, value})).status, 0) << option << ' ' << value;
}

TEST_F(WrongWords, InfoDescribesTheFilesThatItCan) {
    ASSERT_EQ(run(render({"--size", "9x7"})).status, 0);
    std::filesystem::rename(path("out.png"), path("good.png"));
    const std::string good = path("good.png"), missing = path("missing.png"), text = write("text.txt", "hello\n");
    const std::string alone = printed({"info", good});
    EXPECT_NE(alone.find("9 × 7 pixels"), std::string::npos) << alone;
    const Result some = run({"info", missing, good, text});
    EXPECT_EQ(some.status, 1);
    EXPECT_EQ(some.output, alone);
    ASSERT_EQ(some.errors.size(), 2u);
    EXPECT_NE(some.errors[0].find("texelscope: " + missing + ": no such file"), std::string::npos) << some.errors[0];
    EXPECT_NE(some.errors[1].find("texelscope: " + text + ": "), std::string::npos) << some.errors[1];
    const Result json = run({"info", "--json", good, missing});
    EXPECT_EQ(json.status, 1);
    const auto list = nlohmann::json::parse(json.output);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].at("width"), 9);
    const Result none = run({"info", missing, text});
    EXPECT_EQ(none.status, 1);
    EXPECT_EQ(none.output, "");
    EXPECT_EQ(none.errors.size(), 2u);
}

}  // namespace

// What is written for shells and for man(1): complete, and completing as a user's Tab key does.

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
