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
        {"file.open", "Open…", Menu::file, 0, shortcuts({"Ctrl+O"}),
         "Choose an image or a session file. Dropping files on the window also opens them.",
         [](AppState& s) { s.ui.browser = !s.ui.browser; }},
        {"file.reload", "Reload", Menu::file, 1, shortcuts({"F5"}),
         "Reload the image and keep the view. A file that changes on disk is reloaded automatically.",
         [](AppState& s) { s.tasks.push_back(task::Reload{}); }, has_document},
        {"file.previous",
         "Previous image",
         Menu::file,
         1,
         shortcuts({"PgUp"}),
         "Show the image opened before this one; each keeps its view.",
         [](AppState& s) { show_neighbour(s, -1); },
         several_documents,
         {},
         true},
        {"file.next",
         "Next image",
         Menu::file,
         1,
         shortcuts({"PgDn"}),
         "Show the image opened after this one; each keeps its view.",
         [](AppState& s) { show_neighbour(s, +1); },
         several_documents,
         {},
         true},
        {"file.close", "Close", Menu::file, 1, shortcuts({"Ctrl+W"}),
         "Close the image. After the last one, the default picture is shown.",
         [](AppState& s) { s.tasks.push_back(task::Close{}); }, has_document},
        {"file.quit", "Quit", Menu::file, 3, shortcuts({"Ctrl+Q"}), "Quit the program.",
         [](AppState& s) { s.tasks.push_back(task::Quit{}); }},
    };
}

}  // namespace texelscope
