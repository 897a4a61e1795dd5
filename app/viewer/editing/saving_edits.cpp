#include "app/viewer/editing/saving_edits.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/state/derived_sources.h"
#include "app/state/pane_images.h"
#include "app/viewer/editing/actions.h"
#include "gpu/prefilter/projection.h"

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

Task task_of(const UiState& ui, const std::string& path) {
    switch (ui.saving) {
        case Saving::sheet: return task::SaveSheet{path};
        case Saving::profile: return task::SaveProfile{path};
        case Saving::session: return task::SaveSession{path};
        case Saving::view: break;
    }
    return task::SaveView{path, ui.save_size};
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

std::string default_save_path(const Scene& scene, Saving what) {
    return path_beside(scene.document(), ending_of(what));
}

void toggle_save_window(const Scene& scene, UiState& ui, Saving what) {
    if (ui.dialogs.has(Dialog::save) && ui.saving == what) return ui.dialogs.close(Dialog::save);
    ui.dialogs.open(Dialog::save);
    ui.not_written.reset();
    ui.saving = what;
    ui.save_path = default_save_path(scene, what);
    ui.save_size = {};
}

void save_something_else(const Scene& scene, UiState& ui, Saving what) {
    const std::filesystem::path folder = std::filesystem::path(ui.save_path).parent_path();
    const std::filesystem::path name = std::filesystem::path(default_save_path(scene, what)).filename();
    ui.saving = what;
    ui.save_path = (folder / name).string();
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
    request_writing(state, path, task_of(state.ui, path), Dialog::save);
}

bool can_save(const Scene& scene, const Report& report, Saving what) {
    return what == Saving::profile ? report.findings.profile.channels > 0 : has_document(scene);
}

void toggle_export(AppState& state) {
    if (state.ui.dialogs.has(Dialog::exporting)) return state.ui.dialogs.close(Dialog::exporting);
    ExportUi& choice = state.ui.exporting;
    state.ui.dialogs.open(Dialog::exporting);
    state.ui.not_written.reset();
    choice.path = path_beside(document_of(state.scene, state.scene.pane()), "-resized.png");
    choice.size = image_extent(state, state.scene.active);
    choice.linear = state.scene.light == Light::linear;
    // Widened weights come from a table, so a texture path would have no effect.
    const FetchPath path = state.scene.spec().path;
    choice.antialias = path != FetchPath::lookup && path != FetchPath::hardware;
}

WholePicture exported_picture(const Scene& scene, const ExportUi& choice) {
    WholePicture picture{.spec = scene.spec()};
    if (choice.by_size) picture.size = choice.size;
    else if (!(choice.factor >= least_export_factor && choice.factor <= most_export_factor))
        throw UsageError(fmt::format("The factor {:g} makes no picture: choose one from {:g} to {:g}.", choice.factor,
                                     least_export_factor, most_export_factor));
    picture.factor = {choice.factor, choice.factor};
    picture.antialias = choice.antialias;
    picture.least_squares = choice.antialias && choice.least_squares && has_least_squares(*picture.spec.method);
    return picture;
}

std::string export_path(const ExportUi& choice) {
    const std::string& path = choice.path;
    return path.empty() || std::filesystem::path(path).has_extension() ? path : path + ".png";
}

bool has_metadata(const Scene& scene, const FileReport& file) {
    const Document* document = document_of(scene, scene.pane());
    if (!document || file.source != document->source) return false;
    constexpr std::array<std::string_view, 4> groups = {"EXIF", "GPS", "IPTC", "XMP"};
    const auto& rows = file.facts.metadata;
    return std::any_of(rows.begin(), rows.end(), [&](const MetadataRow& row) {
        return std::find(groups.begin(), groups.end(), row.group) != groups.end();
    });
}

void request_export(AppState& state) {
    const std::string path = export_path(state.ui.exporting);
    if (path.empty()) return;
    request_writing(state, path, task::Export{path}, Dialog::exporting);
}

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

const std::string& typed_path(const UiState& ui, Dialog dialog) {
    return dialog == Dialog::exporting ? ui.exporting.path : ui.save_path;
}

void carry_out(UiState& ui, Tasks& tasks, Task task, std::optional<Dialog> closes) {
    ui.not_written.reset();
    tasks.push_back(std::move(task));
    if (closes) ui.dialogs.close(*closes);
}

}  // namespace

void answer(AppState& state, bool yes) {
    const Question question = std::exchange(state.question, {});
    state.ui.dialogs.close(Dialog::question);
    if (yes) carry_out(state.ui, state.tasks, question.task, question.closes);
}

void request_writing(AppState& state, const fs::path& path, Task task, std::optional<Dialog> closes) {
    if (!would_replace(path)) return carry_out(state.ui, state.tasks, std::move(task), closes);
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
    ui.not_written = NotWritten{dialog, typed_path(ui, dialog), why};
}

std::string why_not_written(const UiState& ui, Dialog dialog) {
    const auto& failed = ui.not_written;
    return failed && failed->dialog == dialog && failed->path == typed_path(ui, dialog) ? failed->why : "";
}

}  // namespace texelscope
