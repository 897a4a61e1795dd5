#pragma once
// The program, and its commands, one file each.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/method/spec.h"

namespace texelscope {

// Commands and their options: how they are declared, and as texts. CLI11, which parses them, takes seconds to compile:
// command_line.cpp is the only file that includes it.

// The commands and options as the command line declares them: what the manual page and the completions are made from.
struct OptionText {
    std::vector<std::string> names;  // "-o", "--output"; empty for a positional argument
    std::string value;               // "WxH"; the name of a positional argument; empty for a flag
    std::string description, group;  // group: the heading above it in the help text
    bool required = false, repeated = false;

    bool positional() const { return names.empty(); }
};

struct CommandText {
    std::string name, description, examples;  // examples: one a line
    std::vector<OptionText> options;
    std::vector<CommandText> commands;
};

// The values that shells complete for an option: "auto", "cuda" and "cpu" for "auto|cuda|cpu", all methods for a SPEC, all
// test images for an image. The list is empty if the value is a number, a new name or a file.
std::vector<std::string> words_for(const OptionText& option);

// The description up to its first detail, without a full stop.
std::string first_words(std::string_view description);

}  // namespace texelscope

namespace CLI {

class App;
class Option;

}  // namespace CLI

namespace texelscope {

// A declared option, for setting its properties.
class Option {
public:
    explicit Option(CLI::Option& option) : option_(&option) {}

    Option type_name(std::string name);  // shown for its value in the help text
    Option group(std::string name);      // the heading above it; "": not shown
    Option required();
    Option expected(int least, int most);  // number of values
    Option excludes(Option other);

private:
    CLI::Option* option_;
};

// A handle. Referenced variables must live until the command line is parsed.
class Command {
public:
    explicit Command(CLI::App& app) : app_(&app) {}

    Command add_subcommand(std::string name, std::string description);
    void require_subcommand(int least, int most);
    bool subcommand_given() const;
    CommandText text() const;  // with its subcommands, as declared so far

    // `name`: "--size", "-o,--output", or "IN" for a positional argument.
    Option add_option(std::string name, std::string& value, std::string description);
    Option add_option(std::string name, std::optional<std::string>& value, std::string description);
    Option add_option(std::string name, std::vector<std::string>& values, std::string description);
    Option add_option(std::string name, std::vector<int>& values, std::string description);  // "3,5", none below 0
    Option add_option(std::string name, std::function<void(const std::string&)> take, std::string description);
    Option add_flag(std::string name, bool& value, std::string description);
    void footer(std::string text);

    void callback(std::function<void()> run);        // if the command is given
    void final_callback(std::function<void()> run);  // after those of its subcommands

private:
    CLI::App* app_;
};

struct ViewerOptions;
using RunViewer = std::function<int(const ViewerOptions& options)>;
int run_viewer(const ViewerOptions& options);

// The whole program: viewer and commands. Exit status: 0 done, 1 failed, 2 wrong usage; errors go to stderr in one line.
// Tests run the viewer themselves.
int run_command_line(int argc, char** argv, const RunViewer& viewer = run_viewer);

// The commands of the command line, but for push, which is with the viewer. add_… declares a command's options; the
// callback it leaves behind does the work and throws Error.

// The viewer is run if no command is given; `status` becomes its exit status.
void add_viewer(Command app, int& status, RunViewer run);
void add_render(Command app);
void add_resize(Command app);
void add_sample(Command app);
void add_warp(Command app);
void add_compare(Command app);
void add_identify(Command app);
void add_explain(Command app);
void add_check(Command app);
void add_lesson(Command app);
void add_push(Command app);
void add_experiment(Command app);
void add_bench(Command app);
void add_methods(Command app);
void add_info(Command app);
void add_shell_texts(Command app);  // completion and manual

// A method as a page of text: its record, its weights, and how its taps become linear-filtered fetches.
std::string method_page(const MethodSpec& spec);

// What is written for shells and man(1).

// Scripts that complete commands, options and their values in a shell.
inline constexpr std::array<std::string_view, 3> completion_shells = {"bash", "zsh", "fish"};

// Throws UsageError for a shell that is not one of these.
std::string completion(const CommandText& program, std::string_view shell);

// The manual page, in roff as man(7) defines it.
std::string manual_page(const CommandText& program);

}  // namespace texelscope
