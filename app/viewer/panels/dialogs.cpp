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
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

bool popup_open() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

// A held key repeats.
int steps(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)) ? 1 : 0; }

// Whether it is another box than in the frame before: true for all dialogs of a frame.
bool has_changed(gui::WidgetMemory::Watched& watched, const gui::Box& now) {
    if (now != watched.box) watched.changed = ImGui::GetFrameCount();
    watched.box = now;
    return watched.changed == ImGui::GetFrameCount();
}

bool pointed_at(const gui::Box& box) {
    return ImGui::IsMouseHoveringRect({box.x, box.y}, {box.x + box.width, box.y + box.height}, false);
}

constexpr float shade = 0.45f;  // how much darker what cannot be used is

// Where a dialog opens, and how large it can be.
struct Opening {
    ImVec2 at, pivot, size, most;
};

// In the middle of the window; as large as that below the menu bar at most: what has no space scrolls. Messages at the lower
// edge, from `lowest` on, stay clear of it.
Opening opening_of_dialog(const DialogInfo& shape, std::optional<float> lowest) {
    const ImVec2 corner = ImGui::GetMainViewport()->WorkPos, screen = ImGui::GetMainViewport()->WorkSize;
    ImVec2 most(screen.x - std::min(gui::px(24), screen.x / 16), screen.y - std::min(gui::px(48), screen.y / 16));
    if (lowest) most.y = std::clamp(*lowest - corner.y, 1.0f, most.y);
    return {{corner.x + screen.x / 2, corner.y + screen.y / 2},
            {0.5f, 0.5f},
            {std::min(gui::px(shape.width), most.x), shape.height == 0 ? 0 : std::min(gui::px(shape.height), most.y)},
            most};
}

// How much of the active pane's width a window there would hide.
float hidden_width(const gui::Box& active, float left, float width) {
    return std::max(std::min(left + width, active.x + active.width) - std::max(left, active.x), 0.0f);
}

// A tool window, beside which the picture is used: in an upper corner of the area below the toolbar, no wider than half of
// that if it has the width, else in its lower part. Left, over the panel, unless the active pane is there.
Opening opening_of_tool(const DialogInfo& shape, const gui::Box& area, const gui::Box& active) {
    constexpr float least_width = 620, margin = 8;  // units
    constexpr float lower_half = 0.5f, most_of_low = 0.75f, least_height = 320;
    const float gap = gui::px(margin);
    const ImVec2 most{std::max(area.width - 2 * gap, 1.0f), std::max(area.height - 2 * gap, 1.0f)};
    const float width = std::min(gui::px(shape.width), most.x), height = std::min(gui::px(shape.height), most.y);
    if (area.width >= gui::px(1.5f * least_width)) {
        const float narrow = std::min(std::max(area.width / 2, gui::px(least_width)), width);
        const float left = area.x + gap, right = area.x + area.width - gap - narrow;
        const bool at_right = hidden_width(active, right, narrow) < hidden_width(active, left, narrow);
        return {{at_right ? right : left, area.y + gap}, {0, 0}, {narrow, height}, most};
    }
    const float low = std::min(
        std::max(lower_half * area.height, std::min(gui::px(least_height), most_of_low * area.height)), height);
    return {{area.x + (area.width - width) / 2, area.y + area.height - gap - low}, {0, 0}, {width, low}, most};
}

gui::Box on_screen(const PixelRect& rect) {
    const float ratio = gui::theme().pixel_ratio;
    return {float(rect.x) / ratio, float(rect.y) / ratio, float(rect.width) / ratio, float(rect.height) / ratio};
}

// Gives way to messages at the lower edge, from `lowest` on.
void give_way(Dialog which, const char* title, std::optional<float> lowest) {
    auto& ways = gui::memory().ways;
    const float highest = ImGui::GetMainViewport()->WorkPos.y;
    const auto now = gui::place_of_window(title);
    if (!now) return void(ways.erase(which));
    const auto put = ways[which].place(*now, highest, lowest.value_or(0), lowest.has_value(), pointed_at(*now));
    if (!put) return;
    ImGui::SetNextWindowPos({put->x, put->y}, ImGuiCond_Always);
    if (row_of(which).height > 0) ImGui::SetNextWindowSize({put->width, put->height}, ImGuiCond_Always);
}

// Where the next window is: a tool window stays where it was put.
void place_dialog(Dialog which, const char* title, const Places& places) {
    const DialogInfo& shape = row_of(which);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const gui::Box area = on_screen(places.tools);
    const bool resized = has_changed(gui::memory().display, {0, 0, display.x, display.y});
    const bool other_area = !shape.owns_keyboard && has_changed(gui::memory().tools, area);
    const gui::Box active = on_screen(places.active);
    const bool other_pane = !shape.owns_keyboard && has_changed(gui::memory().active, active);
    const bool fits = shape.height == 0;
    std::optional<float> lowest;
    if (!places.messages.empty()) lowest = on_screen(places.messages).y - gui::px(8);
    const Opening opening =
        shape.owns_keyboard ? opening_of_dialog(shape, lowest) : opening_of_tool(shape, area, active);
    const auto now = gui::place_of_window(title);
    const bool outside = other_area && now && !area.contains(*now);  // the toolbar has come
    const float hidden = other_pane && now ? hidden_width(active, now->x, now->width) : 0;
    const bool hides = hidden > active.width / 2 && hidden_width(active, opening.at.x, opening.size.x) < hidden;
    const ImGuiCond when = resized || outside || hides ? ImGuiCond_Always : ImGuiCond_Appearing;
    ImGui::SetNextWindowPos(opening.at, when, opening.pivot);
    ImGui::SetNextWindowSizeConstraints({1, 1}, opening.most);
    ImGui::SetNextWindowSize(opening.size, fits ? ImGuiCond_Always : when);
    if (shape.owns_keyboard) give_way(which, title, lowest);
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
    const bool fits = row_of(which).height == 0;
    if (!title) title = row_of(which).title;
    place_dialog(which, title, places);
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
    gui::begin_tab_stops();
    return true;
}

gui::Box tool_window(const Dialogs& dialogs) {
    for (const DialogInfo& each : all_dialogs)
        if (!each.owns_keyboard && dialogs.has(each.value))
            if (const auto box = gui::place_of_window(each.title)) return *box;
    return {};
}

bool begins_anew(UiState& ui, Dialog which) {
    if (!ui.dialogs.take_opening(which)) return false;
    ImGui::ClearActiveID();  // a field that is still active would bring back what was typed
    return true;
}

void end_dialog() {
    gui::end_tab_stops();
    gui::end_dialog_items();
    ImGui::End();
}

bool has_keys(const UiState& ui, Dialog which) {
    return ui.dialogs.topmost() == which && !popup_open() && !ImGui::IsWindowAppearing() && !gui::memory().on_tab_stop;
}

bool key_pressed(const UiState& ui, Dialog which, int key) {
    return has_keys(ui, which) && ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false);
}

bool control_has_keys() {
    return ImGui::IsAnyItemActive() || ImGui::GetIO().WantTextInput || gui::memory().on_tab_stop;
}

bool gives_keyboard(const UiState& ui, Dialog which) {
    return ui.dialogs.topmost() == which && !popup_open() && !control_has_keys() && !ImGui::IsMouseDown(0);
}

void focus_here(const UiState& ui, Dialog which) {
    if (gives_keyboard(ui, which)) ImGui::SetKeyboardFocusHere();
}

bool ending_buttons(UiState& ui, Dialog which, const char* text, const char* noted, std::string_view tip, bool able) {
    ImGui::BeginDisabled(!able);
    const bool pressed = gui::primary_row_button(text, 2, tip);
    gui::note(noted);
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (gui::row_button("Cancel", 2, "Close the dialog and change nothing (Esc).")) ui.dialogs.close(which);
    return pressed;
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
    if (ui.dialogs.topmost() != which || popup_open() || gui::memory().on_tab_stop) return;
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
    ImGui::PushAllowKeyboardFocus(false);  // its own Tab, as above
    const bool yes = answer_button(question.yes.c_str(), "question:yes", yes_chosen);
    ImGui::SameLine();
    const bool no = answer_button("Cancel", "question:no", !yes_chosen);
    ImGui::PopAllowKeyboardFocus();
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
            gui::wrapped_text(line.figure, gui::colour::accent);
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
