// Actions that save something: files, sessions, the clipboard, undo.

#include "app/state/history.h"
#include "app/state/readout_text.h"
#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/export_choice.h"
#include "app/viewer/editing/save_choice.h"

namespace texelscope {
namespace {

using Saving = UiState::Saving;

Action saving(std::string id, std::string title, std::string tip, Saving what) {
    const auto run = [what](AppState& s) { toggle_save_window(s, what); };
    return Action{std::move(id), std::move(title), Menu::file, 2, std::move(tip), run}
        .only_if([what](const AppState& s) { return can_save(s, what); })
        .opening(Dialog::save);
}

// A file that was moved to the trash after the last change comes back first.
void undo_latest(AppState& state) {
    settle_history(state);
    const bool file = !state.trashed.empty() && state.history.past.size() <= state.trashed.back().changes;
    if (file) state.tasks.push_back(task::Untrash{});
    else undo(state);
}

}  // namespace

std::vector<Action> keep_actions() {
    return {
        saving("file.save-view", "Save view…", "Save the active pane's picture to a file, at its size or any other.",
               Saving::view)
            .keys({"Ctrl+S"}),
        Action{"file.export", "Export…", Menu::file, 2,
               "Write the whole picture at any factor or size by the active pane's method, as texelscope resize does.",
               toggle_export}
            .only_if(has_document)
            .opening(Dialog::exporting)
            .found_by("resize, scale the whole image, enlarge, shrink, save as"),
        saving("file.save-sheet", "Save sheet…",
               "Save all panes with their labels, figures and legend as one picture, ready for a slide.", Saving::sheet)
            .keys({"Ctrl+Shift+E"}),
        saving("file.save-profile", "Save profile…", "Save the plotted profile as a table (.csv). Open the plot first.",
               Saving::profile),
        saving("file.save-session", "Save session…",
               "Save images, panes, views and settings to a .json file; texelscope FILE.json or Open… restores them.",
               Saving::session)
            .keys({"Ctrl+Shift+S"}),
        Action{
            "edit.undo", "Undo", Menu::edit, 0,
            "Undo the last change to panes, view, settings, plots or overlays, or bring back the file that was moved "
            "to the trash last.",
            undo_latest}
            .keys({"Ctrl+Z"})
            .only_if([](const AppState& s) { return can_undo(s) || !s.trashed.empty(); })
            .repeating(),
        Action{"edit.redo", "Redo", Menu::edit, 0, "Redo the change that was undone.", redo}
            .keys({"Ctrl+Shift+Z", "Ctrl+Y"})
            .only_if(can_redo)
            .repeating(),
        Action{"edit.copy-value", "Copy value", Menu::edit, 1,
               "Copy the position and the stored and interpolated values under the cursor as text.",
               [](AppState& s) { s.tasks.push_back(task::CopyText{copied_text(s)}); }}
            .keys({"Ctrl+C"})
            .only_if([](const AppState& s) { return !copied_text(s).empty(); }),
        Action{"edit.copy-picture", "Copy picture", Menu::edit, 1,
               "Copy the active pane's picture. Needs wl-copy or xclip.",
               [](AppState& s) { s.tasks.push_back(task::CopyPicture{}); }}
            .keys({"Ctrl+Shift+C"})
            .only_if(has_document),
    };
}

}  // namespace texelscope
