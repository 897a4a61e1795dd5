#pragma once
// The answers to questions, and what asks them.

#include <filesystem>

#include "app/state/app_state.h"

namespace texelscope {

// The user's answer to the open question: closes it; yes: also requests its task.
void answer(AppState& state, bool yes);

// Requests the task, which writes this file or folder; if that would replace something, asks first. `closes`: the dialog
// to close once it is requested.
void request_writing(AppState& state, const std::filesystem::path& path, Task task, std::optional<Dialog> closes = {});

}  // namespace texelscope
