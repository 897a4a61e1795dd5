#pragma once
// Commands and their options: how they are declared, and as texts. CLI11, which parses them, takes seconds to compile:
// command.cpp and command_line.cpp are the only files that include it.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

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

}  // namespace texelscope
