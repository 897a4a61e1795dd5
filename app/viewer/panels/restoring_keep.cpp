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

namespace {

// How many pictures stand side by side, how many framebuffer pixels each of theirs takes, and the room for each.
struct Grid {
    int across = 1;
    float times = 1;
    ImVec2 cell = {};
};

// The largest whole multiple, so that nothing interpolates the interpolations; of equal ones the fewest rows. `words`:
// the height below each picture. For a larger one, up to a quarter of each side may be cut off.
Grid grid_for(int count, ImVec2 pixels, ImVec2 room, float gap, float words) {
    constexpr float least_shown = 0.75f;
    Grid best;
    best.times = 0;
    for (int across = count; across >= 1; --across) {
        const auto rows = float((count + across - 1) / across);
        const ImVec2 cell{(room.x - gap * float(across - 1)) / float(across), room.y / rows - words};
        const float times = std::floor(std::min(cell.x / pixels.x, cell.y / pixels.y) / least_shown);
        if (times > best.times) best = {across, times, cell};
    }
    if (best.times * pixels.x >= gui::px(160)) return best;
    // Rather than so small, they scroll.
    const int across = std::clamp(int((room.x + gap) / (std::max(gui::px(200), pixels.x) + gap)), 1, count);
    const float width = (room.x - gap * float(across - 1)) / float(across);
    return {across, std::max(1.0f, std::floor(width / pixels.x)), {width, FLT_MAX}};
}

// Of `side` pixels, the part that is shown: as many as the room takes, around `middle`.
struct Shown {
    float first = 0, count = 0;
};
Shown shown_part(int side, float room, double middle) {
    const float count = std::clamp(std::floor(room), 1.0f, float(side));
    return {std::clamp(std::round(float(middle) - count / 2), 0.0f, float(side) - count), count};
}

}  // namespace

void restoring_pictures(const AppState& state, float height) {
    const RestoringReport& report = state.report.restoring;
    if (report.spots.empty()) return;
    const float ratio = gui::theme().pixel_ratio, gap = 2 * ImGui::GetStyle().CellPadding.x,
                words = 4 * ImGui::GetTextLineHeightWithSpacing();
    const ImVec2 room{ImGui::GetContentRegionAvail().x - gap, height};
    const InterfacePicture& first = report.spots.front().picture;
    const Grid grid =
        grid_for(int(report.spots.size()), {float(first.width) / ratio, float(first.height) / ratio}, room, gap, words);
    const float pixel = grid.times / ratio;  // window coordinates of one
    const Shown x = shown_part(first.width, grid.cell.x / pixel, report.spot_middle.x),
                y = shown_part(first.height, grid.cell.y / pixel, report.spot_middle.y);
    const auto part = [](float at, int side) { return at / float(side); };
    const ImVec2 low{part(x.first, first.width), part(y.first, first.height)},
        high{part(x.first + x.count, first.width), part(y.first + y.count, first.height)};
    if (!ImGui::BeginTable("##spots", grid.across, ImGuiTableFlags_NoSavedSettings)) return;
    for (const RestoringReport::Spot& spot : report.spots) {
        ImGui::TableNextColumn();
        ImGui::Image(reinterpret_cast<ImTextureID>(uintptr_t(spot.picture.name)), {x.count * pixel, y.count * pixel},
                     low, high);
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
    const bool entered = ImGui::InputText("##restoring-path", &path,
                                          ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue);
    gui::tooltip(
        "Path of the new file; its extension chooses the form: html, png, json or csv. A name without extension is "
        "a folder with everything.");
    gui::note("restoring:path");
    ImGui::SameLine();
    ImGui::BeginDisabled(path.empty());
    const bool pressed = ImGui::Button("Save", {save, 0});
    ImGui::EndDisabled();
    gui::tooltip("Save it. An existing file is replaced only if you agree, and once the new one is complete.");
    gui::note("restoring:save");
    if ((entered || pressed) && !path.empty()) request_writing(state, path, task::SaveRestoring{path});
}

}  // namespace texelscope::panels
