#include "app/cli/manual_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace texelscope {
namespace {

// Text as roff prints it: a hyphen is a minus sign that can be copied, and no line is a request by accident.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool line_begins = out.empty() || out.back() == '\n';
        if (line_begins && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\') out += "\\e";
        else if (c == '-') out += "\\-";
        else out += c;
    }
    return out;
}

std::string title_of(const OptionText& option) {
    std::string title;
    for (const std::string& name : option.names)
        title += fmt::format("{}\\fB{}\\fR", title.empty() ? "" : ", ", roff(name));
    if (!option.value.empty()) title += fmt::format("{}\\fI{}\\fR", title.empty() ? "" : " ", roff(option.value));
    return title + (option.positional() && option.repeated ? " …" : "");
}

std::string synopsis(std::string_view name, const CommandText& command) {
    std::string line = fmt::format("\\fB{}\\fR", roff(name));
    for (const OptionText& option : command.options)
        if (option.required && !option.positional()) line += " " + title_of(option);
    line += " [\\fIOPTIONS\\fR]";
    for (const OptionText& option : command.options)
        if (option.positional())
            line += option.required ? " " + title_of(option) : fmt::format(" [{}]", title_of(option));
    return line;
}

std::string options_of(const CommandText& command) {
    std::string text, group;
    for (const OptionText& option : command.options) {
        if (option.group != group && !option.positional() && option.group != "Options")
            text += fmt::format(".PP\n\\fI{}\\fR\n", roff(option.group));
        if (!option.positional()) group = option.group;
        text += fmt::format(".TP\n{}\n{}\n", title_of(option), roff(option.description));
    }
    return text;
}

std::string examples_of(const CommandText& command) {
    if (command.examples.empty()) return "";
    return fmt::format(".PP\nExamples:\n.PP\n.nf\n.RS\n{}\n.RE\n.fi\n", roff(command.examples));
}

}  // namespace

std::string manual_page(const CommandText& program) {
    std::string page = fmt::format(
        ".TH TEXELSCOPE 1 \"\" \"texelscope {}\" \"User Commands\"\n"
        ".SH NAME\ntexelscope \\- see, compare and teach image interpolation\n"
        ".SH SYNOPSIS\n{}\n.br\n",
        TEXELSCOPE_VERSION, synopsis(program.name, program));
    for (const CommandText& command : program.commands)
        page += synopsis(program.name + " " + command.name, command) + "\n.br\n";
    page += fmt::format(".SH DESCRIPTION\n{}\n.SH OPTIONS OF THE VIEWER\n{}{}.SH COMMANDS\n", roff(program.description),
                        options_of(program), examples_of(program));
    for (const CommandText& command : program.commands)
        page += fmt::format(".SS {}\n{}.\n{}{}", roff(command.name), roff(command.description), options_of(command),
                            examples_of(command));
    page +=
        ".SH EXIT STATUS\n0 if all is done, 1 if something failed, 2 for wrong usage.\n"
        ".SH FILES\n.TP\n\\fI$XDG_CONFIG_HOME/texelscope/settings.json\\fR\n"
        "Settings and recent files of the viewer; by default in ~/.config.\n";
    return page;
}

}  // namespace texelscope
