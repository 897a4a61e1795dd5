#include "app/viewer/widgets/menu_columns.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>
#include <imgui_internal.h>  // PushItemFlag

#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {
namespace {

// From the bar to the lower edge of the window.
float space_below_bar() { return ImGui::GetIO().DisplaySize.y - ImGui::GetFontSize() - px(10) - px(4); }

float entry_height() { return ImGui::GetFontSize() + ImGui::GetStyle().ItemSpacing.y; }
float line_height() { return ImGui::GetStyle().ItemSpacing.y + 1; }
float room() { return space_below_bar() - 2 * ImGui::GetStyle().WindowPadding.y; }
float height_of(int entries, int lines) { return float(entries) * entry_height() + float(lines) * line_height(); }

}  // namespace

bool begin_menu(const char* title, bool enabled) {
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, space_below_bar()});
    if (!ImGui::BeginMenu(title, enabled)) return false;
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID x = ImGui::GetID("##mouse-x"), y = ImGui::GetID("##mouse-y");
    const ImVec2 mouse = ImGui::GetIO().MousePos, low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (ImGui::IsWindowAppearing()) {
        kept.SetFloat(x, mouse.x);
        kept.SetFloat(y, mouse.y);
    }
    const bool moved = std::hypot(mouse.x - kept.GetFloat(x), mouse.y - kept.GetFloat(y)) > px(4),
               below = mouse.x >= low.x && mouse.y >= low.y && mouse.x < low.x + size.x && mouse.y < low.y + size.y;
    if (moved) kept.SetFloat(x, -FLT_MAX);  // also if it comes back
    ImGui::PushItemFlag(ImGuiItemFlags_Disabled, below && !moved);
    return true;
}

void end_menu() {
    ImGui::PopItemFlag();
    ImGui::EndMenu();
}

bool fits_one_column(int entries, int lines) { return height_of(entries, lines) <= room(); }

MenuColumns::MenuColumns(int entries, int lines) : entry_(entry_height()), line_(line_height()) {
    const float all = height_of(entries, lines);
    left_ = std::max(1, int(std::ceil(all / room())));
    most_ = std::min(room(), all / float(left_) + entry_);
    if (left_ > 1)
        table_ = ImGui::BeginTable(
            "##columns", left_,
            ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoHostExtendX | ImGuiTableFlags_BordersInnerV);
}

MenuColumns::~MenuColumns() {
    if (table_) ImGui::EndTable();
}

void MenuColumns::next(bool line) {
    if (table_ && (first_ || (left_ > 0 && used_ + entry_ > most_))) {
        ImGui::TableNextColumn();
        --left_;
        used_ = 0;
    } else if (line && !first_) {
        ImGui::Separator();
        used_ += line_;
    }
    first_ = false;
    used_ += entry_;
}

}  // namespace texelscope::gui
