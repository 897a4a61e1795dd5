#include "app/cli/command.h"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/files/test_images/test_images.h"
#include "gpu/core/address.h"
#include "gpu/method/method_info.h"
#include "gpu/method/spec.h"

namespace texelscope {
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
