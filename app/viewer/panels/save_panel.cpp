// The window that saves: view, sheet, profile, session.

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

namespace fs = std::filesystem;
using Saving = UiState::Saving;

constexpr std::array saving_kinds = {Saving::view, Saving::sheet, Saving::profile, Saving::session};

void saved_kind_row(AppState& state) {
    const auto enabled = [&](Saving what) { return can_save(state.scene, state.report, what); };
    const std::array<gui::Segment, 4> segments = {{
        {"View", "The active pane's picture.", enabled(Saving::view)},
        {"Sheet", "All panes with labels, figures and legend.", enabled(Saving::sheet)},
        {"Profile", "The plot's values as a table. Open the profile (I) first.", enabled(Saving::profile)},
        {"Session", "Images, panes, views and settings, to continue later.", enabled(Saving::session)},
    }};
    const int chosen = int(std::find(saving_kinds.begin(), saving_kinds.end(), state.ui.saving) - saving_kinds.begin());
    const int clicked = gui::segmented("save:kind", segments, chosen);
    if (clicked >= 0) save_something_else(state.scene, state.ui, saving_kinds[size_t(clicked)]);
}

fs::path folder_of(const std::string& path) {
    std::error_code error;
    const fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? fs::current_path(error) : folder;
}

void browse_button(UiState& ui) {
    auto& browse = ui.memory.save_files;
    if (ImGui::Button(browse.shown ? "Hide files" : "Browse…")) {
        browse.shown = !browse.shown;
        browse.list.folder.clear();
    }
    gui::tooltip("Show the folders and files there: a click chooses one.");
    gui::note("save:browse");
}

// A folder is entered by a click, a file gives its name.
void files_row(UiState& ui) {
    FileList& list = ui.memory.save_files.list;
    std::string& path = ui.save_path;
    const fs::path folder = folder_of(path);
    if (folder.lexically_normal() != list.folder) read_folder(list, folder);
    ImGui::AlignTextToFramePadding();
    if (ImGui::Button("Up") && folder.has_parent_path())
        path = (list.folder.parent_path() / fs::path(path).filename()).string();
    gui::tooltip("Parent folder.");
    ImGui::SameLine();
    gui::elided(list.folder.string(), ImGui::GetContentRegionAvail().x);
    const float below = 4 * ImGui::GetFrameHeightWithSpacing();
    const float height =
        std::clamp(ImGui::GetIO().DisplaySize.y - ImGui::GetCursorScreenPos().y - below, gui::px(96), gui::px(240));
    if (!file_list(ui, Dialog::save, list, height).clicked) return;
    const FolderEntry& entry = list.chosen();
    path = entry.folder ? (list.folder / entry.name / fs::path(path).filename()).string()
                        : (list.folder / entry.name).string();
}

// True if Enter was pressed.
bool path_row(UiState& ui) {
    const bool picture = ui.saving == Saving::view || ui.saving == Saving::sheet;
    const std::string tip = picture
                                ? "Path of the new file; its extension chooses the format: png, jpg, tif, exr, npy, …"
                            : ui.saving == Saving::profile ? "Path of the new file, a table ending in .csv."
                                                           : "Path of the new file, ending in .json.";
    gui::label("File", tip);
    focus_here(ui, Dialog::save);
    const float button = ImGui::CalcTextSize("Hide files").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
    const bool entered = ImGui::InputText("##path", &ui.save_path, ImGuiInputTextFlags_EnterReturnsTrue);
    gui::tooltip(tip);
    gui::note("save:path");
    ImGui::SameLine();
    browse_button(ui);
    if (ui.memory.save_files.shown) files_row(ui);
    if (picture) format_row(ui.save_path, "save:format");
    return entered;
}

void size_row(AppState& state) {
    const Extent pane = output_extent(state, state.scene.active);
    Extent& size = state.ui.save_size;
    gui::label("Size", "Size of the file in pixels. Its width covers the same part of the image as the pane's width.");
    Extent edited = size.empty() ? pane : size;
    pixels_field("##save:width", edited.width, "Width in pixels, 1 … 65536.");
    ImGui::SameLine();
    ImGui::TextUnformatted("×");
    ImGui::SameLine();
    pixels_field("##save:height", edited.height, "Height in pixels, 1 … 65536.");
    for (const int times : {1, 2, 4}) {
        ImGui::SameLine();
        const std::string text = times == 1 ? "pane" : fmt::format("× {}", times);
        if (ImGui::Button(text.c_str())) edited = {pane.width * times, pane.height * times};
        gui::tooltip(fmt::format("{}×{}: {} of the pane.", pane.width * times, pane.height * times,
                                 times == 1 ? "the size" : fmt::format("{} times the size", times)));
        gui::note(fmt::format("save:times-{}", times));
    }
    size = edited == pane ? Extent{} : edited;
}

std::string what_is_written(const AppState& state) {
    const Scene& scene = state.scene;
    switch (state.ui.saving) {
        case Saving::view: {
            const int pane = scene.active;
            const Extent size = state.ui.save_size.empty() ? output_extent(state, pane) : state.ui.save_size;
            const bool difference = shows_difference(state, pane);
            return fmt::format("Pane {}: {}×{} pixels, {}{}", pane_name(pane), size.width, size.height,
                               difference ? "the difference of " : "", shown_in_plain_words(state, pane));
        }
        case Saving::sheet:
            return fmt::format("A picture of {} with label, errors against the reference, time and fetches",
                               scene.panes.size() == 1 ? "the pane" : fmt::format("all {} panes", scene.panes.size()));
        case Saving::profile: return "A table: position, stored sample, and each pane's value";
        case Saving::session:
            return fmt::format("{} {}, {} {}, views and settings; pictures are named, not copied",
                               scene.documents.size(), scene.documents.size() == 1 ? "image" : "images",
                               scene.panes.size(), scene.panes.size() == 1 ? "pane" : "panes");
    }
    return "";
}

}  // namespace

void save(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::save)) return;
    saved_kind_row(state);
    ImGui::Dummy({0, gui::px(4)});
    const bool entered = path_row(state.ui);
    if (state.ui.saving == Saving::view) size_row(state);
    gui::remark(what_is_written(state));
    failure_row(state.ui, Dialog::save);
    ImGui::Dummy({0, gui::px(4)});
    const bool able = can_save(state.scene, state.report, state.ui.saving);
    ImGui::BeginDisabled(!able);
    const bool pressed = gui::primary_row_button(
        "Save", 2, "Write the file. An existing file is replaced only if you agree, and once the new one is complete.");
    gui::note("save:save");
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (gui::row_button("Cancel", 2, "Close the dialog and change nothing (Esc)."))
        state.ui.dialogs.close(Dialog::save);
    if ((entered || pressed) && able) request_saving(state);
    end_dialog();
}

}  // namespace texelscope::panels
