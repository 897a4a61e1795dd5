#pragma once
// The commands and options as the command line declares them: what the manual page and the completions are made from.

#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

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

// What can stand for the value of an option, as far as there is a list: "auto", "cuda", "cpu" for "auto|cuda|cpu"; the
// methods for a SPEC; the test images for an image. Empty: a number, a name of one's own or a file.
std::vector<std::string> words_for(const OptionText& option);

// The description up to its first detail, without a full stop.
std::string first_words(std::string_view description);

}  // namespace texelscope
