#include "app/viewer/panels/dialogs.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>  // the active field

#include "app/picture/numbers.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/layout.h"
#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/tooltips.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

bool popup_open() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

// A held key repeats.
int steps(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)) ? 1 : 0; }

// True for all dialogs of a frame.
bool window_resized() {
    gui::WidgetMemory& known = gui::memory();
    const ImVec2 now = ImGui::GetIO().DisplaySize;
    if (now.x != known.display.x || now.y != known.display.y) known.resized = ImGui::GetFrameCount();
    known.display = now;
    return known.resized == ImGui::GetFrameCount();
}

bool pointed_at(const gui::Box& box) {
    return ImGui::IsMouseHoveringRect({box.x, box.y}, {box.x + box.width, box.y + box.height}, false);
}

constexpr float shade = 0.45f;  // how much darker what cannot be used is

// Where a dialog opens: in the middle. A tool window, beside which the picture is used, over the side panel and no wider
// than half of the window if that has the width, else over its lower half.
struct Opening {
    ImVec2 at, pivot, size;
};
Opening opening_of(const DialogInfo& shape, ImVec2 corner, ImVec2 screen, ImVec2 most) {
    constexpr float least_width = 620, margin = 8;  // units
    const ImVec2 usual{std::min(gui::px(shape.width), most.x),
                       shape.height == 0 ? 0 : std::min(gui::px(shape.height), most.y)};
    const ImVec2 middle{corner.x + screen.x / 2, corner.y + screen.y / 2};
    if (shape.owns_keyboard) return {middle, {0.5f, 0.5f}, usual};
    if (screen.x < gui::px(1.5f * least_width))
        return {{middle.x, corner.y + screen.y - gui::px(margin)}, {0.5f, 1}, {usual.x, std::min(usual.y, most.y / 2)}};
    return {{corner.x + gui::px(margin), middle.y},
            {0, 0.5f},
            {std::min(std::max(screen.x / 2, gui::px(least_width)), usual.x), usual.y}};
}

}  // namespace

void shade_behind(const UiState& ui, Dialog which, const char* title, bool dims) {
    if (ui.dialogs.topmost() != which || !row_of(which).owns_mouse) return;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0, 0, 0, dims ? shade : 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::Begin("##behind", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
    gui::raise_window("##behind");
    gui::raise_window(title);
}

bool begin_dialog(UiState& ui, const Places& places, Dialog which, const char* title) {
    Dialogs& dialogs = ui.dialogs;
    if (!dialogs.has(which)) return false;
    const DialogInfo& shape = row_of(which);
    if (!title) title = shape.title;
    const ImVec2 corner = ImGui::GetMainViewport()->WorkPos, screen = ImGui::GetMainViewport()->WorkSize;
    const bool fits = shape.height == 0;
    // As large as the window below the menu bar at most: what has no space scrolls.
    ImVec2 most(screen.x - std::min(gui::px(24), screen.x / 16), screen.y - std::min(gui::px(48), screen.y / 16));
    const PixelRect& messages = places.messages;
    const float lowest = float(messages.y) / gui::theme().pixel_ratio - gui::px(8);
    if (!messages.empty()) most.y = std::clamp(lowest - corner.y, 1.0f, most.y);
    const ImGuiCond when = window_resized() ? ImGuiCond_Always : ImGuiCond_Appearing;
    const Opening opening = opening_of(shape, corner, screen, most);
    ImGui::SetNextWindowPos(opening.at, when, opening.pivot);
    ImGui::SetNextWindowSizeConstraints({1, 1}, most);
    ImGui::SetNextWindowSize(opening.size, fits ? ImGuiCond_Always : when);
    auto& ways = gui::memory().ways;
    if (const auto now = gui::place_of_window(title); !now) {
        ways.erase(which);
    } else if (const auto put = ways[which].place(*now, corner.y, lowest, !messages.empty(), pointed_at(*now))) {
        ImGui::SetNextWindowPos({put->x, put->y}, ImGuiCond_Always);
        if (!fits) ImGui::SetNextWindowSize({put->width, put->height}, ImGuiCond_Always);
    }
    const bool topmost = dialogs.topmost() == which;
    ImGui::PushStyleColor(ImGuiCol_Border, ImVec4(topmost ? gui::colour::accent : gui::colour::line));
    bool open = true;
    ImGui::Begin(title, &open,
                 ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                     (fits ? ImGuiWindowFlags_NoResize : ImGuiWindowFlags_None));
    ImGui::PopStyleColor();
    shade_behind(ui, which, title, true);
    const bool clicked = ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows);
    if (clicked && !topmost) dialogs.open(which);
    if (!open) dialogs.close(which);
    if (gui::ControlLog* log = gui::theme().control_log) {
        const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
        log->push_back({fmt::format("dialog:{}", name_of(which)), {at.x, at.y, size.x, size.y}});
    }
    gui::begin_dialog_items();
    return true;
}

bool begins_anew(UiState& ui, Dialog which) {
    if (!ui.dialogs.take_opening(which)) return false;
    ImGui::ClearActiveID();  // a field that is still active would bring back what was typed
    return true;
}

void end_dialog() {
    gui::end_dialog_items();
    ImGui::End();
}

bool has_keys(const UiState& ui, Dialog which) {
    return ui.dialogs.topmost() == which && !popup_open() && !ImGui::IsWindowAppearing();
}

bool key_pressed(const UiState& ui, Dialog which, int key) {
    return has_keys(ui, which) && ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false);
}

bool control_has_keys() { return ImGui::IsAnyItemActive() || ImGui::GetIO().WantTextInput; }

bool gives_keyboard(const UiState& ui, Dialog which) {
    return ui.dialogs.topmost() == which && !popup_open() && !ImGui::IsAnyItemActive() && !ImGui::IsMouseDown(0);
}

void focus_here(const UiState& ui, Dialog which) {
    if (gives_keyboard(ui, which)) ImGui::SetKeyboardFocusHere();
}

bool move_choice(const UiState& ui, Dialog which, int& choice, int count, int rows_in_view) {
    if (!has_keys(ui, which) || count == 0) return false;
    const int page = std::max(rows_in_view - 1, 1);
    const int way = steps(ImGuiKey_DownArrow) - steps(ImGuiKey_UpArrow) +
                    page * (steps(ImGuiKey_PageDown) - steps(ImGuiKey_PageUp)) +
                    count * (steps(ImGuiKey_End) - steps(ImGuiKey_Home));
    choice = std::clamp(choice + way, 0, count - 1);
    return way != 0;
}

void scroll_list(const UiState& ui, Dialog which) {
    if (ui.dialogs.topmost() != which || popup_open()) return;
    const float row = ImGui::GetTextLineHeightWithSpacing(), page = ImGui::GetWindowHeight() - row;
    const float way = row * float(steps(ImGuiKey_DownArrow) - steps(ImGuiKey_UpArrow)) +
                      page * float(steps(ImGuiKey_PageDown) - steps(ImGuiKey_PageUp)) +
                      ImGui::GetScrollMaxY() * float(steps(ImGuiKey_End) - steps(ImGuiKey_Home));
    if (way != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + way, 0.0f, ImGui::GetScrollMaxY()));
}

// The dialog that asks before something is done.

namespace {

// Filled if Enter presses it.
bool answer_button(const char* text, const char* id, bool chosen) {
    const gui::PrimaryButton primary(chosen);
    const bool clicked = gui::row_button(text, 2, "");
    gui::note(id);
    return clicked;
}

}  // namespace

void question(AppState& state) {
    bool& yes_chosen = state.ui.memory.yes_chosen;
    if (!begin_dialog(state.ui, state.places, Dialog::question, (state.question.title + "###question").c_str())) return;
    const Question& question = state.question;
    if (begins_anew(state.ui, Dialog::question)) yes_chosen = question.enter_does_it;
    for (const int key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Tab})
        if (key_pressed(state.ui, Dialog::question, key)) yes_chosen = !yes_chosen;
    gui::wrapped_text(question.text);
    gui::remark(question.details, false);
    ImGui::Dummy({0, gui::px(4)});
    const bool entered = key_pressed(state.ui, Dialog::question, ImGuiKey_Enter);
    const bool yes = answer_button(question.yes.c_str(), "question:yes", yes_chosen);
    ImGui::SameLine();
    const bool no = answer_button("Cancel", "question:no", !yes_chosen);
    if (yes || no || entered) answer(state, yes || (entered && yes_chosen));
    end_dialog();
}

// What the numbers on the active pane mean.

void numbers(AppState& state) {
    if (!begin_dialog(state.ui, state.places, Dialog::numbers)) return;
    const int pane = state.scene.active;
    gui::wrapped_text(numbers_in_short(state, pane));
    ImGui::Dummy({0, gui::px(4)});
    ImGui::BeginChild("##list");
    scroll_list(state.ui, Dialog::numbers);
    constexpr ImGuiTableFlags flags = ImGuiTableFlags_BordersInnerH | ImGuiTableFlags_NoSavedSettings;
    if (ImGui::BeginTable("##numbers", 2, flags)) {
        ImGui::TableSetupColumn("number", ImGuiTableColumnFlags_WidthFixed, gui::px(210));
        ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
        for (const NumberMeaning& line : numbers_explained(state, pane)) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushFont(gui::theme().heading);
            ImGui::TextUnformatted(line.name.c_str());
            ImGui::PopFont();
            ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(gui::colour::accent));
            gui::wrapped_text(line.figure);
            ImGui::PopStyleColor();
            ImGui::TableNextColumn();
            gui::wrapped_text(line.words);
        }
        ImGui::EndTable();
    }
    ImGui::EndChild();
    if (key_pressed(state.ui, Dialog::numbers, ImGuiKey_Enter)) state.ui.dialogs.close(Dialog::numbers);
    end_dialog();
}

}  // namespace texelscope::panels
