#include "app/viewer/editing/export_choice.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "app/state/pane_images.h"
#include "app/viewer/editing/questions.h"
#include "app/viewer/editing/save_choice.h"
#include "gpu/prefilter/projection.h"

namespace texelscope {

void toggle_export(AppState& state) {
    if (state.ui.dialogs.has(Dialog::exporting)) return state.ui.dialogs.close(Dialog::exporting);
    ExportUi& choice = state.ui.exporting;
    state.ui.dialogs.open(Dialog::exporting);
    choice.path = path_beside(document_of(state, state.scene.pane()), "-resized.png");
    choice.size = image_extent(state, state.scene.active);
    choice.linear = state.scene.light == Light::linear;
    // Widened weights come from a table, so a texture path would have no effect.
    const FetchPath path = state.scene.spec().path;
    choice.antialias = path != FetchPath::lookup && path != FetchPath::hardware;
}

WholePicture exported_picture(const AppState& state) {
    const ExportUi& choice = state.ui.exporting;
    WholePicture picture{.spec = state.scene.spec()};
    if (choice.by_size) picture.size = choice.size;
    else if (!(choice.factor >= least_export_factor && choice.factor <= most_export_factor))
        throw UsageError(fmt::format("The factor {:g} makes no picture: choose one from {:g} to {:g}.", choice.factor,
                                     least_export_factor, most_export_factor));
    picture.factor = {choice.factor, choice.factor};
    picture.antialias = choice.antialias;
    picture.least_squares = choice.antialias && choice.least_squares && has_least_squares(*picture.spec.method);
    return picture;
}

std::string export_path(const AppState& state) {
    const std::string& path = state.ui.exporting.path;
    return path.empty() || std::filesystem::path(path).has_extension() ? path : path + ".png";
}

bool has_metadata(const AppState& state) {
    const Document* document = document_of(state, state.scene.pane());
    if (!document || state.report.file.source != document->source) return false;
    constexpr std::array<std::string_view, 4> groups = {"EXIF", "GPS", "IPTC", "XMP"};
    const auto& rows = state.report.file.facts.metadata;
    return std::any_of(rows.begin(), rows.end(), [&](const MetadataRow& row) {
        return std::find(groups.begin(), groups.end(), row.group) != groups.end();
    });
}

void request_export(AppState& state) {
    const std::string path = export_path(state);
    if (path.empty()) return;
    request_writing(state, path, task::Export{path}, Dialog::exporting);
}

}  // namespace texelscope
