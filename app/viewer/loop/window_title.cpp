#include "app/viewer/loop/window_title.h"

#include <filesystem>

#include <fmt/format.h>

#include "app/state/pane_images.h"
#include "app/state/pane_views.h"
#include "app/state/references.h"

namespace texelscope {

std::string window_title(const AppState& state) {
    const Document* document = state.scene.panes.empty() ? nullptr : document_of(state, state.scene.pane());
    if (!document) return "texelscope";
    const RecordingReport& recording = state.report.recording;
    const std::string file = std::filesystem::path(recording.path).filename().string();
    const int pane = state.scene.active;
    const FolderView& folder = state.folder;
    const bool placed = folder.is_placed() && document == state.scene.document();
    const std::string place = placed ? fmt::format(" ({}/{} in {})", folder.position + 1, folder.count(),
                                                   std::filesystem::path(folder.folder).filename().string())
                                     : "";
    return fmt::format("{}{}{} – {} – {}", recording.active ? "● REC " + file + " – " : "", document->title(), place,
                       shown_spec(state, pane).method->name, zoom_text(pane_view(state, pane).zoom()));
}

}  // namespace texelscope
