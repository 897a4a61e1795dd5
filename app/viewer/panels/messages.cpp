// Messages over the lower edge of the picture. They never need an answer, but may offer to do something.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr float widest_message = 760;  // units

const gui::Colour& colour_of(Message::Level level) {
    switch (level) {
        case Message::Level::warning: return gui::colour::warning;
        case Message::Level::error: return gui::colour::error;
        default: return gui::colour::accent;
    }
}

constexpr size_t most_lines = 3;

float gap() { return gui::px(4); }
float row_height(size_t lines) { return float(lines) * ImGui::GetFontSize() + gui::px(12); }

float close_button_size() { return ImGui::GetFontSize() + gui::px(4); }
float offer_width(const Message& message) {
    return message.offer.empty() ? 0 : ImGui::CalcTextSize(message.offer.c_str()).x + gui::px(24);
}
float beside_text(const Message& message) { return close_button_size() + offer_width(message) + gui::px(44); }
float text_width(const Message& message, float width) { return width - beside_text(message); }

// Wrapped between words; the last line takes the rest.
std::vector<std::string> lines_of(const std::string& text, float width) {
    const ImFont& font = *ImGui::GetFont();
    const float scale = ImGui::GetFontSize() / font.FontSize;
    std::vector<std::string> lines;
    const char *at = text.data(), *end = at + text.size();
    while (lines.size() + 1 < most_lines) {
        const char* stop = font.CalcWordWrapPositionA(scale, at, end, std::max(width, 1.0f));
        if (stop == end || stop == at) break;
        lines.emplace_back(at, stop);
        at = std::find_if(stop, end, [](char c) { return c != ' '; });
    }
    lines.emplace_back(at, end);
    return lines;
}

float height_of(const Message& message, float width) {
    return row_height(lines_of(words_of(message), text_width(message, width)).size()) + gap();
}

// Opaque enough to be read over any picture.
void card(ImVec2 low, ImVec2 high, const gui::Colour& ink) {
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float round = gui::px(6), inset = gui::px(6);
    draw.AddRectFilled(low, high, gui::packed(gui::colour::panel, 0.96f), round);
    draw.AddRectFilled(low, high, gui::packed(ink, 0.10f), round);
    draw.AddRect(low, high, gui::packed(gui::colour::line), round, 0, gui::px(1));
    draw.AddRectFilled({low.x + inset, low.y + inset}, {low.x + inset + gui::px(3), high.y - inset}, gui::packed(ink),
                       gui::px(1.5f));
}

// Its button, left of the one that dismisses the message. True if it was clicked.
bool offer_button(const Message& message, float left, float top) {
    const float height = ImGui::GetFontSize() + gui::px(6);
    ImGui::SetCursorPos({left, top - height / 2});
    const bool clicked = ImGui::Button(message.offer.c_str(), {offer_width(message) - gui::px(8), height});
    gui::note("message:offer");
    return clicked;
}

// True if the row is to be removed; what was accepted then changes the state, which may add messages.
bool row(AppState& state, Message& message, float width, std::function<void(AppState&)>& accepted) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::vector<std::string> lines = lines_of(words_of(message), text_width(message, width));
    const float height = row_height(lines.size()), close = close_button_size(),
                y = (height - float(lines.size()) * ImGui::GetFontSize()) / 2;
    pass_time(message, state.now, ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + height}));
    card(at, {at.x + width, at.y + height}, colour_of(message.level));
    const float top = ImGui::GetCursorPosY();
    for (size_t i = 0; i < lines.size(); ++i) {
        ImGui::SetCursorPos({gui::px(18), top + y + float(i) * ImGui::GetFontSize()});
        gui::elided(lines[i], text_width(message, width) + 1);
    }
    ImGui::PushID(&message);
    ImGui::BeginDisabled(state.ui.dialogs.own_mouse());  // what it changes is behind the dialog
    if (!message.offer.empty() &&
        offer_button(message, width - close - gui::px(8) - offer_width(message), top + height / 2))
        accepted = message.accept;
    ImGui::EndDisabled();
    ImGui::SetCursorPos({width - close - gui::px(8), top + (height - close) / 2});
    const bool clicked = gui::close_button("##dismiss", close);
    gui::note("message:dismiss");
    gui::tooltip("Dismiss");
    ImGui::PopID();
    ImGui::SetCursorPos({0, top + height + gap()});
    return clicked || accepted;
}

// Of those shown, each with the gap below it.
float rows_height(const AppState& state, float width) {
    float height = 0;
    for (const Message& message : state.messages)
        if (shows(state, message)) height += height_of(message, width);
    return height;
}

// The oldest ones wait if there is no space for all.
struct Waiting {
    int count = 0;
    size_t first_shown = 0;
    float height = 0;  // of those that are shown
};
Waiting waiting_messages(const AppState& state, const gui::Box& box) {
    Waiting waiting{.height = rows_height(state, box.width) - gap()};
    for (; waiting.first_shown + 1 < state.messages.size() && waiting.height > box.height + 1; ++waiting.first_shown)
        if (const Message& message = state.messages[waiting.first_shown]; shows(state, message)) {
            waiting.height -= height_of(message, box.width);
            ++waiting.count;
        }
    return waiting;
}

// Says so in the `room` that is left above the others, which are at the lower end.
void waiting_row(int count, float room) {
    const std::string text = fmt::format("{} more {}", count, count == 1 ? "message waits" : "messages wait");
    ImFont* font = gui::theme().small;
    const float height = font->FontSize + gui::px(6),
                width = font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.c_str()).x;
    if (room >= height + gap()) {
        const ImVec2 at{ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + room - height - gap()};
        card(at, {at.x + width + gui::px(28), at.y + height}, gui::colour::secondary);
        ImGui::GetWindowDrawList()->AddText(font, font->FontSize, {at.x + gui::px(18), at.y + gui::px(3)},
                                            gui::packed(gui::colour::secondary), text.c_str());
    }
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + room);
}

}  // namespace

void wake_for_messages(const AppState& state, WakeUp& wake_up) {
    for (const Message& message : state.messages)
        if (const std::optional<double> left = seconds_left(message))
            wake_up.draw_in(message.looked_at + *left - state.now);
}

ImVec2 messages_size(AppState& state, float widest) {
    drop_read(state);
    float width = 0;
    for (const Message& message : state.messages)
        if (shows(state, message))
            width =
                std::max(width, std::ceil(ImGui::CalcTextSize(words_of(message).c_str()).x + 1 + beside_text(message)));
    width = std::min({width, widest, gui::px(widest_message)});
    return {width, std::max(rows_height(state, width) - gap(), 0.0f)};
}

void messages(AppState& state, const gui::Box& box) {
    if (box.empty()) return;
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::Begin(messages_window, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollWithMouse |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus);
    int dismissed = -1;
    std::function<void(AppState&)> accepted;
    const Waiting waiting = waiting_messages(state, box);
    if (waiting.count > 0) waiting_row(waiting.count, std::max(box.height - waiting.height, 0.0f));
    for (size_t i = waiting.first_shown; i < state.messages.size(); ++i)
        if (shows(state, state.messages[i]) && row(state, state.messages[i], box.width, accepted)) dismissed = int(i);
    if (dismissed >= 0) dismiss(state, size_t(dismissed));
    if (accepted) accepted(state);
    ImGui::End();
    ImGui::PopStyleVar(4);
}

}  // namespace texelscope::panels
