// Actions that save something: files, sessions, the clipboard, undo.

#include "app/state/history.h"
#include "app/state/readout_text.h"
#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/save_choice.h"

namespace texelscope {
namespace {

using Saving = UiState::Saving;

Action saving(std::string id, std::string title, std::vector<Shortcut> keys, std::string tip, Saving what) {
    return {std::move(id),
            std::move(title),
            Menu::file,
            2,
            std::move(keys),
            std::move(tip),
            [what](AppState& s) { toggle_save_window(s, what); },
            [what](const AppState& s) { return can_save(s, what); }};
}

}  // namespace

std::vector<Action> keep_actions() {
    return {
        saving("file.save-view", "Save view…", shortcuts({"Ctrl+S"}),
               "Save the active pane's picture to a file, at its size or any other.", Saving::view),
        saving("file.save-sheet", "Save sheet…", shortcuts({"Ctrl+Shift+E"}),
               "Save all panes with their labels, figures and legend as one picture, ready for a slide.",
               Saving::sheet),
        saving("file.save-profile", "Save profile…", {},
               "Save the plotted profile as a table (.csv). Open the plot first.", Saving::profile),
        saving("file.save-session", "Save session…", shortcuts({"Ctrl+Shift+S"}),
               "Save images, panes, views and settings to a .json file; texelscope FILE.json or Open… restores them.",
               Saving::session),
        {"edit.undo",
         "Undo",
         Menu::edit,
         0,
         shortcuts({"Ctrl+Z"}),
         "Undo the last change to panes, view or settings.",
         undo,
         can_undo,
         {},
         true},
        {"edit.redo",
         "Redo",
         Menu::edit,
         0,
         shortcuts({"Ctrl+Shift+Z", "Ctrl+Y"}),
         "Redo the change that was undone.",
         redo,
         can_redo,
         {},
         true},
        {"edit.copy-value", "Copy value", Menu::edit, 1, shortcuts({"Ctrl+C"}),
         "Copy the position and the stored and interpolated values under the cursor as text.",
         [](AppState& s) { s.tasks.push_back(task::CopyText{copied_text(s)}); },
         [](const AppState& s) { return !copied_text(s).empty(); }},
        {"edit.copy-picture", "Copy picture", Menu::edit, 1, shortcuts({"Ctrl+Shift+C"}),
         "Copy the active pane's picture. Needs wl-copy or xclip.",
         [](AppState& s) { s.tasks.push_back(task::CopyPicture{}); }, has_document},
    };
}

}  // namespace texelscope
