// texelscope push IN: shows an image in the running window.

#include <filesystem>

#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/files_options.h"
#include "app/state/derived_sources.h"
#include "app/viewer/pushing/push_messages.h"
#include "app/viewer/pushing/push_sockets.h"

namespace texelscope {
namespace {

struct PushCommand {
    InputOptions input;
    std::optional<std::string> name;

    std::string shown_name() const {
        if (name) return *name;
        if (file_of(input.name()) == "-") return std::string(standard_input_name);
        return input.name().starts_with('@') ? input.name().substr(1)
                                             : std::filesystem::path(input.name()).filename().string();
    }

    void check_name() const try {
        parse_push_request(to_line(PushedImage{.name = shown_name(), .width = 1, .height = 1}));
    } catch (const Error&) {
        throw UsageError(
            fmt::format("--name must be a text of 1 to {} bytes without control characters", most_push_name_bytes));
    }

    void run() const {
        input.check(Light::stored);
        check_name();
        const PushPlace place = push_place();
        if (!place.problem.empty()) throw Error("windows cannot be found: " + place.problem);
        auto window = PushClient::connect(place.folder);
        if (!window) throw Error("no texelscope window is open to push into; start texelscope first");
        const Input in = input.load();
        window->show(shown_name(), in.image);
    }
};

}  // namespace

void add_push(Command app) {
    Command command = app.add_subcommand("push", "Show an image in the running window, or replace one there");
    auto options = std::make_shared<PushCommand>();
    options->input.add_to(command);
    command
        .add_option("--name", options->name,
                    "Name of the image in the window: an open one of this name is replaced under the same view; "
                    "default: the file's name")
        .type_name("NAME");
    command.footer(
        "Examples:\n"
        "  texelscope push frame.npy --name simulation\n"
        "  convert photo.png -blur 0x2 png:- | texelscope push - --name blurred");
    command.callback([options] { options->run(); });
}

}  // namespace texelscope
