#include "app/viewer/editing/save_choice.h"

#include <algorithm>
#include <filesystem>

#include "app/state/pushed_source.h"
#include "app/state/shrunk_source.h"
#include "app/viewer/editing/action_groups.h"
#include "app/viewer/editing/questions.h"

namespace texelscope {
namespace {

using Saving = UiState::Saving;

const char* ending_of(Saving what) {
    switch (what) {
        case Saving::view: return "-view.png";
        case Saving::sheet: return "-sheet.png";
        case Saving::profile: return "-profile.csv";
        case Saving::session: return "-session.json";
    }
    return "";
}

Task task_of(const AppState& state, const std::string& path) {
    switch (state.ui.saving) {
        case Saving::sheet: return task::SaveSheet{path};
        case Saving::profile: return task::SaveProfile{path};
        case Saving::session: return task::SaveSession{path};
        case Saving::view: break;
    }
    return task::SaveView{path, state.ui.save_size};
}

}  // namespace

std::string path_beside(const Document* document, const std::string& ending) {
    std::filesystem::path path = "texelscope";
    if (document) {
        const auto shrunk = parse_shrunk_source(document->source);
        const std::string source = shrunk ? shrunk->original : document->source;
        path = source.starts_with('@') ? source.substr(1) : file_of(source);
        if (auto name = pushed_name(source)) {
            std::replace(name->begin(), name->end(), '/', '-');
            path = *name;
        }
    }
    std::string stem = path.stem().string();
    for (char& c : stem)
        if (c == ':') c = '-';
    return (path.parent_path() / (stem + ending)).string();
}

std::string default_save_path(const AppState& state, Saving what) {
    return path_beside(state.scene.document(), ending_of(what));
}

void toggle_save_window(AppState& state, Saving what) {
    UiState& ui = state.ui;
    if (ui.dialogs.has(Dialog::save) && ui.saving == what) return ui.dialogs.close(Dialog::save);
    ui.dialogs.open(Dialog::save);
    ui.saving = what;
    ui.save_path = default_save_path(state, what);
    ui.save_size = {};
}

void save_something_else(AppState& state, Saving what) {
    const std::filesystem::path folder = std::filesystem::path(state.ui.save_path).parent_path();
    const std::filesystem::path name = std::filesystem::path(default_save_path(state, what)).filename();
    state.ui.saving = what;
    state.ui.save_path = (folder / name).string();
}

void request_saving(AppState& state) {
    std::string path = state.ui.save_path;
    if (path.empty()) return;
    // The suffixes by which they are recognised.
    const std::filesystem::path typed = path;
    if (state.ui.saving == Saving::session && typed.extension() != ".json") path += ".json";
    if (state.ui.saving == Saving::profile && !typed.has_extension()) path += ".csv";
    const bool picture = state.ui.saving == Saving::view || state.ui.saving == Saving::sheet;
    if (picture && !typed.has_extension() && typed.has_filename()) path += ".png";
    request_writing(state, path, task_of(state, path), Dialog::save);
}

bool can_save(const AppState& state, Saving what) {
    return what == Saving::profile ? state.report.findings.profile.channels > 0 : has_document(state);
}

}  // namespace texelscope
