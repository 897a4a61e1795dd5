#include "app/viewer/loop/program_pictures.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/files/tiles/open_tiles.h"
#include "app/studies/restoring/outside_methods.h"
#include "app/text/text.h"
#include "app/viewer/loop/settings.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

std::string document_title(const std::string& source) {
    Document document;
    document.source = source;
    return document.title();
}

}  // namespace

bool is_allowed(const AppState& state, const std::string& command) {
    const auto& allowed = state.ui.allowed_commands;
    return state.every_command || std::find(allowed.begin(), allowed.end(), command) != allowed.end();
}

void allow(AppState& state, const std::string& command) {
    if (is_allowed(state, command)) return;
    auto& allowed = state.ui.allowed_commands;
    allowed.push_back(command);
    if (allowed.size() > max_allowed_commands) allowed.erase(allowed.begin());
}

void ask_about(AppState& state, const ProgramSource& source) {
    if (state.ui.dialogs.has(Dialog::question)) return;
    ask(state,
        {.title = "Run this program?",
         .text = "A picture is to be made by a command that has not run on this machine yet:",
         .details = fmt::format("{}\n\nIt would enlarge {} {:g} times, with your rights: it may read and change your "
                                "files. It is asked once for each text.",
                                source.command, document_title(source.original), source.factor),
         .yes = "Run it",
         .task = task::AllowCommand{source.command}});
}

std::shared_ptr<const Image> program_picture(const ProgramSource& source, const std::stop_token& stop) {
    if (source.original.starts_with(pushed_prefix))
        throw Error("another program gets a picture that is in a file: save this one first");
    const Image original = open_image(source.original);
    if (!original.in_memory()) throw Error("another program gets whole pictures, and this one is too large for memory");
    return enlarged_by_program(original, source.command, source.factor, [stop] {
        if (stop.stop_requested()) throw Cancelled("the program was ended");
    });
}

std::string words_of_run(const ProgramSource& source) {
    const double ms = ms_of_program(source.command);
    return ms > 0 ? fmt::format("{} took {}, files included", command_name(source.command), time_text(ms)) : "";
}

}  // namespace texelscope
