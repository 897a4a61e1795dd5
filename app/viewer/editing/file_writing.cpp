// Requests to write a file: the folder, the question before a file is replaced, the message after a failure.

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/files/desktop/folders.h"
#include "app/state/messages.h"
#include "app/state/scene.h"
#include "app/viewer/editing/file_edits.h"

namespace texelscope {

namespace {

namespace fs = std::filesystem;

bool is_open_image(const Scene& scene, const fs::path& path) {
    std::error_code none;
    for (const Document& document : scene.documents)
        if (document.is_file() && fs::equivalent(file_of(document.source), path, none)) return true;
    return false;
}

// A new folder, or an empty one, replaces nothing.
bool would_replace(const fs::path& path) {
    std::error_code none;
    return fs::is_directory(path, none) ? !fs::is_empty(path, none) : fs::exists(path, none);
}

// All that is chosen in the dialog.
std::string typed(const UiState& ui, Dialog dialog) {
    const ExportUi& e = ui.exporting;
    if (dialog != Dialog::exporting)
        return fmt::format("{} {} {}×{}", ui.save_path, int(ui.saving), ui.save_size.value_or(Extent{}).width,
                           ui.save_size.value_or(Extent{}).height);
    return fmt::format("{} {} {} {}×{} {} {} {} {}", e.path, e.by_size, e.factor, e.size.width, e.size.height,
                       e.depth ? int(*e.depth) : -1, e.antialias, e.least_squares, e.linear);
}

// Tries to write again: why it failed before is no longer said.
void carry_out(AppState& state, Task task, std::optional<Dialog> closes) {
    if (const auto failed = std::exchange(state.ui.not_written, {})) withdraw(state.messages, failed->why);
    state.tasks.push_back(std::move(task));
    if (closes) state.ui.dialogs.close(*closes);
}

}  // namespace

void answer(AppState& state, bool yes) {
    const Question question = std::exchange(state.question, {});
    state.ui.dialogs.close(Dialog::question);
    if (yes) carry_out(state, question.task, question.closes);
}

fs::path folder_for_new_files(const AppState& state) {
    std::error_code none;
    const Document* document = state.scene.document();
    const char* const home = std::getenv("HOME");
    for (const fs::path& folder :
         {document && document->is_file() ? fs::absolute(file_of(document->source), none).parent_path() : fs::path(),
          fs::path(state.ui.saved_folder), fs::path(home ? home : "")})
        if (fs::is_directory(folder, none) && ::access(folder.c_str(), W_OK | X_OK) == 0) return folder;
    return fs::current_path(none);
}

void request_writing(AppState& state, const fs::path& path, Task task, std::optional<Dialog> closes) {
    std::error_code unknown;
    state.ui.saved_folder = fs::absolute(path, unknown).parent_path().string();
    if (!would_replace(path)) return carry_out(state, std::move(task), closes);
    Question question{
        .title = "Overwrite?", .details = "", .yes = "Overwrite", .task = std::move(task), .closes = closes};
    const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
    std::error_code none;
    if (is_open_image(state.scene, path)) {
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

void reopen_saving(UiState& ui, Dialog dialog, const std::string& why) {
    ui.dialogs.open(dialog);
    ui.not_written = NotWritten{dialog, typed(ui, dialog), why};
}

std::string why_not_written(const UiState& ui, Dialog dialog) {
    const auto& failed = ui.not_written;
    return failed && failed->dialog == dialog && failed->typed == typed(ui, dialog) ? failed->why : "";
}

}  // namespace texelscope
