// Actions of the File menu.

#include <filesystem>

#include <fmt/format.h>

#include "app/action_groups.h"
#include "app/readout_text.h"

namespace texelscope {
namespace {

void show_neighbour(AppState& state, int step) {
    const int count = int(state.scene.documents.size());
    state.requests.push_back(request::ShowDocument{(state.scene.current + step + count) % count});
}

bool several_documents(const AppState& state) { return state.scene.documents.size() > 1; }

// "photo.png" → "photo-view.png", beside the image; test images go to the working folder.
std::string default_save_path(const Document& document) {
    const std::filesystem::path path = document.is_file() ? document.source : document.source.substr(1);
    std::string stem = path.stem().string();
    for (char& c : stem)
        if (c == ':') c = '-';
    return (path.parent_path() / (stem + "-view.png")).string();
}

}  // namespace

std::vector<Action> file_actions() {
    return {
        {"file.open", "Open…", Menu::file, 0, shortcuts({"Ctrl+O"}),
         "Choose an image file. Dropping files on the window opens them too.",
         [](AppState& s) { s.ui.browser = !s.ui.browser; }},
        {"file.reload", "Reload", Menu::file, 1, shortcuts({"F5"}),
         "Read the image again; the view stays. A file that changes on disk reloads by itself.",
         [](AppState& s) { s.requests.push_back(request::Reload{}); }, has_document},
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
         "Close the image; the last one gives way to the default picture.",
         [](AppState& s) { s.requests.push_back(request::Close{}); }, has_document},
        {"file.save-view", "Save view…", Menu::file, 2, shortcuts({"Ctrl+S"}),
         "Write what the picture area shows to a file, a pixel for each of its pixels.",
         [](AppState& s) {
             s.ui.save = !s.ui.save;
             if (s.ui.save) s.ui.save_path = default_save_path(*s.scene.document());
         },
         has_document},
        {"file.copy-value", "Copy value", Menu::file, 2, shortcuts({"Ctrl+C"}),
         "Copy position, stored and interpolated value under the cursor as text.",
         [](AppState& s) { s.requests.push_back(request::CopyText{copied_text(s)}); },
         [](const AppState& s) { return s.report.readout.has_value(); }},
        {"file.quit", "Quit", Menu::file, 3, shortcuts({"Ctrl+Q"}), "Leave the program.",
         [](AppState& s) { s.requests.push_back(request::Quit{}); }},
    };
}

}  // namespace texelscope
