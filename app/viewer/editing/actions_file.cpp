// Actions of the File menu.

#include "app/viewer/editing/action_groups.h"

namespace texelscope {
namespace {

void show_neighbour(AppState& state, int step) {
    const int count = int(state.scene.documents.size());
    state.tasks.push_back(task::ShowDocument{(state.scene.current + step + count) % count});
}

bool several_documents(const AppState& state) { return state.scene.documents.size() > 1; }

}  // namespace

std::vector<Action> file_actions() {
    return {
        Action{"file.open", "Open…", Menu::file, 0,
               "Choose an image or a session file. Dropping files on the window also opens them.",
               [](AppState& s) { s.ui.dialogs.toggle(Dialog::browser); }}
            .keys({"Ctrl+O"})
            .opening(Dialog::browser),
        Action{"file.reload", "Reload", Menu::file, 1,
               "Reload the image and keep the view. A file that changes on disk is reloaded automatically.",
               [](AppState& s) { s.tasks.push_back(task::Reload{}); }}
            .keys({"F5"})
            .only_if(has_document),
        Action{"file.previous", "Previous image", Menu::file, 1,
               "Show the image opened before this one; each keeps its view.",
               [](AppState& s) { show_neighbour(s, -1); }}
            .keys({"PgUp"})
            .only_if(several_documents)
            .repeating(),
        Action{"file.next", "Next image", Menu::file, 1, "Show the image opened after this one; each keeps its view.",
               [](AppState& s) { show_neighbour(s, +1); }}
            .keys({"PgDn"})
            .only_if(several_documents)
            .repeating(),
        Action{"file.close", "Close", Menu::file, 1,
               "Close the image. After the last one, the default picture is shown.",
               [](AppState& s) { s.tasks.push_back(task::Close{}); }}
            .keys({"Ctrl+W"})
            .only_if(has_document),
        Action{"file.quit", "Quit", Menu::file, 3, "Quit the program.",
               [](AppState& s) { s.tasks.push_back(task::Quit{}); }}
            .keys({"Ctrl+Q"}),
    };
}

}  // namespace texelscope
