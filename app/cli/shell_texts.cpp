#include "app/cli/command_line.h"

#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<std::string> option_names(const CommandText& command) {
    std::vector<std::string> names;
    for (const OptionText& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

std::vector<std::string> command_names(const CommandText& program) {
    std::vector<std::string> names;
    for (const CommandText& command : program.commands) names.push_back(command.name);
    return names;
}

std::vector<std::string> positional_words(const CommandText& command) {
    for (const OptionText& option : command.options)
        if (option.positional()) return words_for(option);
    return {};
}

// In single quotes, as all three shells read them.
std::string quoted(std::string_view text, std::string_view inner_quote) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') out += inner_quote;
        else out += c;
    }
    return out + "'";
}

// bash: case branches "command option" → words; whatever else falls to file names.
std::string bash_cases(const CommandText& command, std::string_view name) {
    std::string text;
    for (const OptionText& option : command.options) {
        if (option.positional() || option.value.empty()) continue;
        std::vector<std::string> patterns;
        for (const std::string& option_name : option.names)
            patterns.push_back(fmt::format("'{} {}'", name, option_name));
        text +=
            fmt::format("        {}) words='{}'; value=yes ;;\n", fmt::join(patterns, "|"), joined(words_for(option)));
    }
    return text;
}

std::string bash(const CommandText& program) {
    std::string cases = bash_cases(program, "");
    std::string words = fmt::format("            '') options='{}'; words='{} {}' ;;\n", joined(option_names(program)),
                                    joined(command_names(program)), joined(positional_words(program)));
    for (const CommandText& command : program.commands) {
        cases += bash_cases(command, command.name);
        words += fmt::format("            '{}') options='{}'; words='{}' ;;\n", command.name,
                             joined(option_names(command)), joined(positional_words(command)));
    }
    return fmt::format(
        R"(# bash completion for texelscope, written by "texelscope completion bash"
_texelscope() {{
    # The word as typed; bash may replace only its end, $2, which begins after a colon or an equals sign.
    local line=${{COMP_LINE:0:COMP_POINT}} word before command='' words='' options='' value='' typed
    word=${{line##*[[:space:]]}}
    typed=(${{line%"$word"}})
    before=${{typed[${{#typed[@]}} - 1]}}
    case " {commands} " in *" ${{typed[1]:-}} "*) command=${{typed[1]:-}} ;; esac
    case "$command $before" in
{cases}    esac
    if [ -z "$value" ]; then
        case $command in
{words}        esac
        case $word in -*) words=$options ;; esac
    fi
    local kept=${{word%"$2"}}
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    COMPREPLY=("${{COMPREPLY[@]#"$kept"}}")
    # Behind custom:file= follows the name of a file.
    if [ "${{#COMPREPLY[@]}}" = 1 ]; then case $COMPREPLY in *=) compopt -o nospace 2>/dev/null ;; esac; fi
}}
complete -o default -F _texelscope texelscope
)",
        fmt::arg("commands", joined(command_names(program))), fmt::arg("cases", cases), fmt::arg("words", words));
}

// zsh: a specification for _arguments.
std::string zsh_options(const CommandText& command, bool with_positionals) {
    const auto escaped = [](std::string_view text) {
        std::string out;
        for (const char c : text) {
            if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
            out += c;
        }
        return out;
    };
    std::string text;
    for (const OptionText& option : command.options) {
        const std::vector<std::string> words = words_for(option);
        std::string action = words.empty() ? "_files" : fmt::format("({})", escaped(joined(words)));
        if (option.positional()) {
            if (!words.empty() && words.front().starts_with('@')) action = "_texelscope_images";
            if (with_positionals)
                text +=
                    " \\\n        " +
                    quoted(fmt::format("{}:{}:{}", option.repeated ? "*" : "", escaped(option.value), action), "'\\''");
            continue;
        }
        for (const std::string& name : option.names) {
            std::string spec = fmt::format("{}[{}]", name, escaped(first_words(option.description)));
            if (!option.value.empty()) spec += fmt::format(":{}:{}", escaped(option.value), action);
            text += " \\\n        " + quoted(spec, "'\\''");
        }
    }
    return text;
}

std::string zsh(const CommandText& program) {
    std::string cases, list;
    for (const CommandText& command : program.commands) {
        cases += fmt::format("    {}) shift words; (( CURRENT-- )); _arguments{} ;;\n", command.name,
                             zsh_options(command, true));
        list += " " + quoted(fmt::format("{}:{}", command.name, command.description), "'\\''");
    }
    return fmt::format(
        R"(#compdef texelscope
# zsh completion for texelscope, written by "texelscope completion zsh"
_texelscope_images() {{
    _alternative 'images:test image:({images})' 'files:file:_files'
}}
_texelscope_first() {{
    local -a commands=({list})
    (( CURRENT == 2 )) && _describe -t commands command commands
    _texelscope_images
}}
_texelscope() {{
    case ${{words[2]}} in
{cases}    *) _arguments{options} \
        '*:image:_texelscope_first' ;;
    esac
}}
_texelscope "$@"
)",
        fmt::arg("list", list), fmt::arg("images", joined(positional_words(program))), fmt::arg("cases", cases),
        fmt::arg("options", zsh_options(program, false)));
}

std::string fish_options(const CommandText& command, std::string_view condition) {
    std::string text;
    for (const OptionText& option : command.options) {
        std::string line = fmt::format("complete -c texelscope -n '{}'", condition);
        const std::vector<std::string> words = words_for(option);
        const bool of_images = option.positional() && !words.empty() && words.front().starts_with('@');
        if (option.positional()) {
            if (words.empty()) continue;
            line += " -a " + quoted(joined(words), "\\'");
        }
        for (const std::string& name : option.names)
            line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (!option.positional() && !option.value.empty())
            line += words.empty() ? " -r -F" : " -x -a " + quoted(joined(words), "\\'");
        text += line + " -d " + quoted(of_images ? "test image" : first_words(option.description), "\\'") + "\n";
    }
    return text;
}

std::string fish(const CommandText& program) {
    std::string text = "# fish completion for texelscope, written by \"texelscope completion fish\"\n";
    for (const CommandText& command : program.commands)
        text += fmt::format("complete -c texelscope -n __fish_is_first_arg -a {} -d {}\n", command.name,
                            quoted(command.description, "\\'"));
    const std::string names = joined(command_names(program));
    text += fish_options(program, "not __fish_seen_subcommand_from " + names);
    for (const CommandText& command : program.commands)
        text += fish_options(command, "__fish_seen_subcommand_from " + command.name);
    return text;
}

}  // namespace

std::string completion(const CommandText& program, std::string_view shell) {
    if (shell == "bash") return bash(program);
    if (shell == "zsh") return zsh(program);
    if (shell == "fish") return fish(program);
    throw UsageError(fmt::format("'{}' is no shell that can be completed for; there are {}", shell,
                                 fmt::join(completion_shells, ", ")));
}

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

// texelscope completion SHELL and texelscope manual: for shells and for man(1), from the commands as they are declared.
void add_shell_texts(Command app) {
    auto shell = std::make_shared<std::string>();
    Command completing = app.add_subcommand("completion", "Print a script that completes commands in a shell");
    completing.add_option("SHELL", *shell, "Shell to complete for")
        .type_name(fmt::format("{}", fmt::join(completion_shells, "|")))
        .required();
    completing.footer(
        "Examples:\n"
        "  source <(texelscope completion bash)\n"
        "  texelscope completion fish | source");
    completing.callback([app, shell] { fmt::print("{}", completion(app.text(), *shell)); });

    Command manual = app.add_subcommand("manual", "Print the manual page");
    manual.footer("Examples:\n  texelscope manual | man -l -");
    manual.callback([app] { fmt::print("{}", manual_page(app.text())); });
}

}  // namespace texelscope
