#include "app/cli/command_line.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <stdio_ext.h>
#include <CLI/CLI.hpp>

#include "app/files/bytes/file_io.h"
#include "app/files/test_images/test_images.h"
#include "app/text/text.h"
#include "gpu/core/address.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"
#include "gpu/method/method_info.h"
#include "gpu/method/spec.h"

namespace texelscope {
namespace {

enum ExitStatus { done = 0, failed = 1, wrong_usage = 2 };

int complain(ExitStatus status, std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::fprintf(stderr, "texelscope: %s\n", text.c_str());
    return status;
}

// Handles a failure of standard output; no message if a reader has left the pipe, nor after another failure.
int end_of_output(int error, int status = done) {
    __fpurge(stdout);
    std::clearerr(stdout);
    if (status != done || error == EPIPE) return status != done ? status : failed;
    return complain(failed, "standard output: cannot be written: " + words_of_error(error));
}

// Flushes standard output, whose text may still be in memory, and returns the exit status.
int printed(int status) { return std::fflush(stdout) == 0 ? status : end_of_output(errno, status); }

int print_help(const CLI::App& app, const CLI::ParseError& asked) {
    std::ostringstream text;
    const int status = app.exit(asked, text);
    const std::string words = text.str();
    return std::fwrite(words.data(), 1, words.size(), stdout) == words.size() ? status : end_of_output(errno);
}

// Descriptions wrapped to fit a terminal beside the column of names.
class HelpFormatter : public CLI::Formatter {
public:
    HelpFormatter() { label("TEXT", ""); }

    std::string make_option_desc(const CLI::Option* option) const override {
        constexpr size_t columns = 70;
        std::istringstream words(option->get_description());
        std::string text;
        size_t used = 0;
        for (std::string word; words >> word;) {
            const size_t length = columns_of(word);
            const bool wrap = used > 0 && used + 1 + length > columns;
            if (used > 0) text += wrap ? '\n' : ' ';
            text += word;
            used = (wrap || used == 0 ? 0 : used + 1) + length;
        }
        return text;
    }
};

// Refuses a first word that looks like a command but is not one. Otherwise the viewer would open a window only to say
// that there is no such file.
void refuse_mistyped_command(const CLI::App& app, const std::string& word) {
    const bool command_like = !word.empty() && !word.starts_with('-') && word.find_first_of("@./") == word.npos;
    const auto commands = app.get_subcommands([&](const CLI::App* command) { return command->get_name() == word; });
    std::error_code ignored;
    if (!command_like || !commands.empty() || std::filesystem::exists(word, ignored)) return;
    std::vector<std::string_view> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    std::string hint = did_you_mean(word, names);
    if (hint.empty()) hint = did_you_mean_file(word);
    throw UsageError(
        fmt::format("'{}' is neither a command nor a file{}; texelscope --help lists the commands", word, hint));
}

// The viewer's own options have no effect on a command.
void refuse_words_before_command(const CLI::App& app) {
    const auto commands = app.get_subcommands();
    if (commands.empty()) return;
    for (const CLI::Option* option : app.get_options())
        if (option->count() > 0)
            throw UsageError(option->get_name() + " comes before the command " + commands.front()->get_name() +
                             "; put files and options after the command name");
}

// The command that is given, or the whole program, with the words that name it.
std::pair<const CLI::App*, std::string> given_command(const CLI::App& app) {
    std::pair<const CLI::App*, std::string> given = {&app, app.get_name()};
    for (auto commands = app.get_subcommands(); !commands.empty(); commands = given.first->get_subcommands())
        given = {commands.back(), given.second + " " + commands.back()->get_name()};
    return given;
}

// Not a negative number, nor the "--" before words that are no options.
bool is_option_like(const std::string& word) {
    const size_t name = word.find_first_not_of('-');
    return name != 0 && name != word.npos && word[name] != '.' && !(word[name] >= '0' && word[name] <= '9');
}

// " (did you mean --zoom?)": the long names of options are compared without their dashes.
std::string like_option(const CLI::App& command, const std::string& option) {
    std::vector<std::string_view> names;
    for (const CLI::Option* known : command.get_options())
        if (!known->get_group().empty())
            names.insert(names.end(), known->get_lnames().begin(), known->get_lnames().end());
    const std::string_view near = nearest_name(option.substr(option.find_first_not_of('-')), names);
    return near.empty() ? "" : fmt::format(" (did you mean --{}?)", near);
}

// An option that is there too often, or without what belongs to it.
std::string words_of_mismatch(const CLI::App& command, const std::string& what) {
    for (const CLI::Option* option : command.get_options()) {
        if (!what.starts_with(option->get_name() + ":")) continue;
        const bool too_often = option->results().size() > size_t(option->get_items_expected_max());
        return option->get_name() + (too_often ? " can be given only once" : " needs " + option->get_type_name());
    }
    return what;
}

// What is wrong with the words that no option and no argument has taken. An unknown option comes before all that follows
// from it, such as that a required one is missing.
std::string words_of_usage(const CLI::App& app, const CLI::ParseError& error) {
    const auto [command, name] = given_command(app);
    std::vector<std::string> left = app.remaining(true);
    std::erase(left, "--");
    const auto option = std::find_if(left.begin(), left.end(), is_option_like);
    if (option != left.end()) {
        const std::string typed = option->substr(0, option->find('='));
        return fmt::format("{} has no option {}{}", name, typed, like_option(*command, typed));
    }
    if (error.get_exit_code() == int(CLI::ExitCodes::ArgumentMismatch))
        return words_of_mismatch(*command, error.what());
    if (error.get_exit_code() != int(CLI::ExitCodes::ExtrasError) || left.empty()) return error.what();
    return fmt::format("{} has no place for '{}'", name, fmt::join(left, " "));
}

// Runs the command and returns the exit status; printed text may still be in memory.
int carried_out(int argc, char** argv, const RunViewer& viewer) {
    CLI::App app{
        "texelscope shows what image interpolation really does.\n"
        "Without a command, it opens the viewer.",
        "texelscope"};
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_version_flag("--version", "texelscope " TEXELSCOPE_VERSION);
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.failure_message([](const CLI::App*, const CLI::Error& error) { return std::string(error.what()); });
    int status = done;
    const Command root(app);
    add_viewer(root, status, viewer);
    add_render(root);
    add_resize(root);
    add_sample(root);
    add_warp(root);
    add_compare(root);
    add_identify(root);
    add_explain(root);
    add_check(root);
    add_lesson(root);
    add_push(root);
    add_experiment(root);
    add_bench(root);
    add_methods(root);
    add_info(root);
    add_shell_texts(root);
    app.parse_complete_callback([&app] { refuse_words_before_command(app); });
    try {
        if (argc > 1) refuse_mistyped_command(app, argv[1]);
        app.parse(argc, argv);
        return status;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == int(CLI::ExitCodes::Success)) return print_help(app, error);
        return complain(wrong_usage,
                        fmt::format("{}; see {} --help", words_of_usage(app, error), given_command(app).second));
    } catch (const UsageError& error) {
        return complain(wrong_usage, error.what());
    } catch (const Error& error) {
        return complain(failed, error.what());
    } catch (const std::bad_alloc&) {
        return complain(failed, "not enough memory");
    } catch (const std::system_error& error) {
        return std::ferror(stdout) ? end_of_output(error.code().value()) : complain(failed, error.what());
    }
}

}  // namespace

int run_command_line(int argc, char** argv, const RunViewer& viewer) {
    return printed(carried_out(argc, argv, viewer));
}

namespace {

bool plain_word(std::string_view text) {
    return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == text.npos;
}

}  // namespace

std::vector<std::string> words_for(const OptionText& option) {
    std::vector<std::string> words;
    if (option.value == "PATH") {
        for (const FetchPath path : all_fetch_paths) words.emplace_back(name_of(path));
    } else if (option.value == "MODE[,MODE]") {
        for (const AddressMode mode : all_address_modes) words.emplace_back(name_of(mode));
    } else if (option.value == "IMAGE" || option.value == "IN") {
        for (const TestImage& image : test_images()) words.push_back("@" + std::string(image.id));
    } else {
        std::string_view rest = option.value;
        const bool several = rest.find('|') != rest.npos;
        while (!rest.empty()) {
            const std::string_view word = rest.substr(0, rest.find('|'));
            rest.remove_prefix(std::min(rest.size(), word.size() + 1));
            if (word.starts_with("SPEC")) {
                for (const MethodInfo* method : all_methods()) words.emplace_back(method->id);
                for (const MethodForm& form : method_forms) words.emplace_back(form.prefix);
            } else if (several && plain_word(word)) words.emplace_back(word);
        }
    }
    return words;
}

std::string first_words(std::string_view description) {
    const size_t end = std::min({description.find(';'), description.find(": "), description.find(". "),
                                 description.find(" ("), description.find(", as ")});
    std::string words(description.substr(0, end));
    if (words.ends_with('.')) words.pop_back();
    return words;
}

namespace {

OptionText text_of(const CLI::Option& option) {
    OptionText text;
    text.description = option.get_description();
    text.group = option.get_group();
    text.required = option.get_required();
    text.repeated = option.get_items_expected_max() > 1;
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    if (text.names.empty()) text.value = option.get_name(true);
    if (!text.names.empty() && option.get_items_expected_max() > 0) text.value = option.get_type_name();
    return text;
}

// Without its heading.
std::string examples_in(std::string_view footer) {
    constexpr std::string_view heading = "Examples:\n";
    if (!footer.starts_with(heading)) return "";
    std::string lines;
    for (const char c : footer.substr(heading.size()))
        if (c != ' ' || (!lines.empty() && lines.back() != '\n')) lines += c;
    return lines;
}

CommandText text_of(const CLI::App& app) {
    CommandText text{app.get_name(), app.get_description(), examples_in(app.get_footer()), {}, {}};
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty()) text.options.push_back(text_of(*option));
    std::stable_partition(text.options.begin(), text.options.end(), [](const OptionText& o) { return o.positional(); });
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (!command->get_group().empty()) text.commands.push_back(text_of(*command));
    return text;
}

}  // namespace

Option Option::type_name(std::string name) {
    option_->type_name(std::move(name));
    return *this;
}

Option Option::group(std::string name) {
    option_->group(name);
    return *this;
}

Option Option::required() {
    option_->required();
    return *this;
}

Option Option::expected(int least, int most) {
    option_->expected(least, most);
    return *this;
}

Option Option::excludes(Option other) {
    option_->excludes(other.option_);
    return *this;
}

Command Command::add_subcommand(std::string name, std::string description) {
    return Command(*app_->add_subcommand(std::move(name), std::move(description)));
}

void Command::require_subcommand(int least, int most) { app_->require_subcommand(size_t(least), size_t(most)); }

bool Command::subcommand_given() const { return !app_->get_subcommands().empty(); }

CommandText Command::text() const { return text_of(*app_); }

Option Command::add_option(std::string name, std::string& value, std::string description) {
    return Option(*app_->add_option(std::move(name), value, std::move(description)));
}

Option Command::add_option(std::string name, std::optional<std::string>& value, std::string description) {
    return Option(*app_->add_option(std::move(name), value, std::move(description)));
}

Option Command::add_option(std::string name, std::vector<std::string>& values, std::string description) {
    return Option(*app_->add_option(std::move(name), values, std::move(description)));
}

Option Command::add_option(std::string name, std::vector<int>& values, std::string description) {
    CLI::Option* option = app_->add_option(std::move(name), values, std::move(description));
    return Option(*option->delimiter(',')->check(CLI::NonNegativeNumber));
}

Option Command::add_option(std::string name, std::function<void(const std::string&)> take, std::string description) {
    return Option(*app_->add_option_function<std::string>(std::move(name), take, std::move(description)));
}

Option Command::add_flag(std::string name, bool& value, std::string description) {
    return Option(*app_->add_flag(std::move(name), value, std::move(description)));
}

void Command::footer(std::string text) { app_->footer(std::move(text)); }

void Command::callback(std::function<void()> run) { app_->callback(std::move(run)); }

void Command::final_callback(std::function<void()> run) { app_->final_callback(std::move(run)); }

}  // namespace texelscope
