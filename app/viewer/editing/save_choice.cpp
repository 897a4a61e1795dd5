#include "app/viewer/editing/save_choice.h"

#include <filesystem>

#include "app/viewer/editing/action_groups.h"

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

}  // namespace

std::string default_save_path(const AppState& state, Saving what) {
    const Document* document = state.scene.document();
    std::filesystem::path path = "texelscope";
    if (document) path = document->is_file() ? document->source : document->source.substr(1);
    std::string stem = path.stem().string();
    for (char& c : stem)
        if (c == ':') c = '-';
    return (path.parent_path() / (stem + ending_of(what))).string();
}

void toggle_save_window(AppState& state, Saving what) {
    UiState& ui = state.ui;
    ui.save = !(ui.save && ui.saving == what);
    if (!ui.save) return;
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
    switch (state.ui.saving) {
        case Saving::view: state.tasks.push_back(task::SaveView{path, state.ui.save_size}); break;
        case Saving::sheet: state.tasks.push_back(task::SaveSheet{path}); break;
        case Saving::profile: state.tasks.push_back(task::SaveProfile{path}); break;
        case Saving::session: state.tasks.push_back(task::SaveSession{path}); break;
    }
    state.ui.save = false;
}

bool can_save(const AppState& state, Saving what) {
    return what == Saving::profile ? state.report.findings.profile.channels > 0 : has_document(state);
}

}  // namespace texelscope
