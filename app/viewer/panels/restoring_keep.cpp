// Beside the figures: the pictures of the worst spot, and the row that saves.

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/viewer/editing/questions.h"
#include "app/viewer/editing/restoring_edits.h"
#include "app/viewer/editing/save_choice.h"
#include "app/viewer/panels/restoring.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {

void restoring_pictures(const AppState& state) {
    const auto& spots = state.report.restoring.spots;
    if (spots.empty()) return;
    const float gap = gui::px(12), room = ImGui::GetContentRegionAvail().x;
    const auto pixels = float(spots.front().picture.width);
    // Whole multiples of framebuffer pixels, so that nothing interpolates the interpolations.
    const float ratio = gui::theme().pixel_ratio;
    const int across =
        std::clamp(int((room + gap) / (std::max(gui::px(200), pixels / ratio) + gap)), 1, int(spots.size()));
    const float times = std::max(1.0f, std::floor((room - gap * float(across - 1)) / float(across) * ratio / pixels));
    if (!ImGui::BeginTable("##spots", across, ImGuiTableFlags_NoSavedSettings)) return;
    for (const RestoringReport::Spot& spot : spots) {
        ImGui::TableNextColumn();
        ImGui::Image(reinterpret_cast<ImTextureID>(uintptr_t(spot.picture.name)),
                     {float(spot.picture.width) * times / ratio, float(spot.picture.height) * times / ratio});
        gui::note("restoring:spot");
        ImGui::PushTextWrapPos(0);
        ImGui::TextUnformatted(spot.title.c_str());
        ImGui::PopTextWrapPos();
        gui::remark(spot.caption, false);
        ImGui::Dummy({0, gui::px(6)});
    }
    ImGui::EndTable();
}

void restoring_save_row(AppState& state) {
    struct Form {
        const char *text, *extension, *tip;
    };
    constexpr std::array forms = {
        Form{"Report", ".html", "One page with the answer, the table, the plot and the pictures of the worst spot."},
        Form{"Sheet", ".png",
             "One picture, ready for a slide: the worst spot in the original and restored by the best."},
        Form{"JSON", ".json", "All figures with all their digits, for programs."},
        Form{"CSV", ".csv", "The table, for a spreadsheet."}};
    std::string& path = state.ui.restoring.path;
    if (path.empty()) path = path_beside(restored_document(state), "-best.html");
    std::array<gui::Segment, forms.size()> segments;
    int chosen = -1;
    for (size_t k = 0; k < forms.size(); ++k) {
        segments[k] = {forms[k].text, forms[k].tip};
        if (path.ends_with(forms[k].extension)) chosen = int(k);
    }
    const float save = gui::px(96);
    ImGui::BeginChild("##forms", {gui::px(280), ImGui::GetFrameHeight()});
    const int clicked = gui::segmented("restoring:form", segments, chosen);
    ImGui::EndChild();
    if (clicked >= 0) path = std::filesystem::path(path).replace_extension(forms[size_t(clicked)].extension).string();
    ImGui::SameLine();
    ImGui::SetNextItemWidth(std::max(ImGui::GetContentRegionAvail().x - save - gui::px(8), gui::px(80)));
    ImGui::InputText("##restoring-path", &path, ImGuiInputTextFlags_AutoSelectAll);
    gui::tooltip(
        "Path of the new file; its extension chooses the form: html, png, json or csv. A name without extension is "
        "a folder with everything.");
    gui::note("restoring:path");
    ImGui::SameLine();
    ImGui::BeginDisabled(path.empty());
    if (ImGui::Button("Save", {save, 0})) request_writing(state, path, task::SaveRestoring{path});
    ImGui::EndDisabled();
    gui::tooltip("Save it. An existing file is replaced only if you agree, and once the new one is complete.");
    gui::note("restoring:save");
}

}  // namespace texelscope::panels
