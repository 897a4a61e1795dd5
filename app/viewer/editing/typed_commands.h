#pragma once
// Commands with a number: "zoom 400", "rotate 15".

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "app/state/app_state.h"

namespace texelscope {

struct TypedCommand {
    std::string title;    // what it does: "Zoom to 400 % (4:1)"
    std::string problem;  // or why it does nothing, as a sentence; then `run` is empty
    std::function<void(AppState&)> run;
};

// The command that begins with this word, or a part of it, and a number; empty if the text is no such thing.
std::optional<TypedCommand> typed_command(const AppState& state, std::string_view text);

// The zoom as a percentage, "400" or "400 %", or as a factor, "4x", "x4" or "4:1".
TypedCommand zoom_command(std::string_view number);

}  // namespace texelscope
