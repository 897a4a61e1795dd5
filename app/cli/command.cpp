#include "app/cli/command.h"

#include <utility>

#include <CLI/CLI.hpp>

namespace texelscope {

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
