#include "app/viewer/editing/questions.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace texelscope {
namespace {

namespace fs = std::filesystem;

bool is_open_image(const AppState& state, const fs::path& path) {
    std::error_code none;
    for (const Document& document : state.scene.documents)
        if (document.is_file() && fs::equivalent(file_of(document.source), path, none)) return true;
    return false;
}

// A new folder, or an empty one, replaces nothing.
bool would_replace(const fs::path& path) {
    std::error_code none;
    return fs::is_directory(path, none) ? !fs::is_empty(path, none) : fs::exists(path, none);
}

void carry_out(AppState& state, Task task, std::optional<Dialog> closes) {
    state.tasks.push_back(std::move(task));
    if (closes) state.ui.dialogs.close(*closes);
}

}  // namespace

void answer(AppState& state, bool yes) {
    const Question question = std::exchange(state.question, {});
    state.ui.dialogs.close(Dialog::question);
    if (yes) carry_out(state, question.task, question.closes);
}

void request_writing(AppState& state, const fs::path& path, Task task, std::optional<Dialog> closes) {
    if (!would_replace(path)) return carry_out(state, std::move(task), closes);
    Question question{
        .title = "Overwrite?", .details = "", .yes = "Overwrite", .task = std::move(task), .closes = closes};
    const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
    std::error_code none;
    if (is_open_image(state, path)) {
        question.text = fmt::format("{} is the image you opened; overwrite it?", name);
        question.details = "The original would be lost. A new name keeps both.";
    } else if (fs::is_directory(path, none)) {
        question.text = fmt::format("The folder {} is not empty; write into it?", name);
        question.details = "Files of the same names in it would be replaced.";
        question.yes = "Write";
    } else {
        question.text = fmt::format("{} already exists; overwrite it?", name);
        question.details = "What is in it now would be lost.";
    }
    question.details += "\n" + path.string();
    ask(state, std::move(question));
}

}  // namespace texelscope
