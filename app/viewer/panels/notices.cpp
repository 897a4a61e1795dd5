// Signs of what is on its way; messages over the lower edge of the picture,
// which never need an answer, but may offer to do something.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/panels/picture_overlay.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/machine.h"

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

size_t most_lines(float width) { return width < gui::px(360) ? 6 : 3; }

float gap() { return gui::px(4); }
float row_height(size_t lines) { return float(lines) * ImGui::GetFontSize() + gui::px(12); }

float close_button_size() { return ImGui::GetFontSize() + gui::px(4); }
float offer_width(const Message& message) {
    return message.offer.empty() ? 0 : ImGui::CalcTextSize(message.offer.c_str()).x + gui::px(24);
}
float beside_text(const Message& message) { return close_button_size() + offer_width(message) + gui::px(44); }

// In a narrow row, the offer has a line of its own below the text.
bool is_offer_below(const Message& message, float width) {
    return !message.offer.empty() && width - beside_text(message) < gui::px(220);
}
float text_width(const Message& message, float width) {
    return width - beside_text(message) + (is_offer_below(message, width) ? offer_width(message) : 0);
}
float offer_height() { return ImGui::GetFontSize() + gui::px(6); }

// Wrapped between words; the last line takes the rest.
std::vector<std::string> lines_of(std::string text, float width) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::vector<std::string> lines;
    const std::string rows = gui::broken(text, std::max(width, 1.0f));
    size_t taken = 0;  // of the text
    for (size_t at = 0; at < rows.size() && lines.size() + 1 < most_lines(width);) {
        const size_t end = std::min(rows.find('\n', at), rows.size());
        lines.push_back(rows.substr(at, end - at));
        taken = text.find(lines.back(), taken) + lines.back().size();
        at = end + 1;
    }
    if (const size_t rest = text.find_first_not_of(' ', taken); rest != std::string::npos)
        lines.push_back(text.substr(rest));
    return lines;
}

float card_height(const Message& message, float width, size_t lines) {
    return row_height(lines) + (is_offer_below(message, width) ? offer_height() + gap() : 0);
}

float height_of(const Message& message, float width) {
    return card_height(message, width, lines_of(words_of(message), text_width(message, width)).size()) + gap();
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

// The button of the message's offer, left of the one that dismisses the message. True if it was clicked.
bool offer_button(const Message& message, float left, float top) {
    ImGui::SetCursorPos({left, top - offer_height() / 2});
    const bool clicked = ImGui::Button(message.offer.c_str(), {offer_width(message) - gui::px(8), offer_height()});
    gui::note("message:offer");
    return clicked;
}

// True if the row is to be removed; what was accepted then changes the state, which may add messages.
bool row(AppState& state, Message& message, float width, std::function<void(AppState&)>& accepted) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::vector<std::string> lines = lines_of(words_of(message), text_width(message, width));
    const bool below = is_offer_below(message, width);
    const float height = card_height(message, width, lines.size()), close = close_button_size(),
                y = (row_height(lines.size()) - float(lines.size()) * ImGui::GetFontSize()) / 2;
    pass_time(message, state.now, ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + height}));
    card(at, {at.x + width, at.y + height}, colour_of(message.level));
    const float top = ImGui::GetCursorPosY();
    for (size_t i = 0; i < lines.size(); ++i) {
        ImGui::SetCursorPos({gui::px(18), top + y + float(i) * ImGui::GetFontSize()});
        const float room = text_width(message, width) + 1;
        if (ImGui::CalcTextSize(lines[i].c_str()).x > room) gui::note_cut(lines[i]);
        gui::elided(lines[i], room);
    }
    ImGui::PushID(&message);
    ImGui::BeginDisabled(state.ui.dialogs.own_mouse());  // what it changes is behind the dialog
    const float left = below ? gui::px(18) : width - close - gui::px(8) - offer_width(message);
    const float middle = below ? height - gui::px(6) - offer_height() / 2 : height / 2;
    if (!message.offer.empty() && offer_button(message, left, top + middle)) accepted = message.accept;
    ImGui::EndDisabled();
    ImGui::SetCursorPos({width - close - gui::px(8), top + (height - close) / 2});
    const bool clicked = gui::close_button("##dismiss", close);
    gui::note("message:dismiss");
    gui::tooltip("Take the message away (Esc).");
    ImGui::PopID();
    ImGui::SetCursorPos({0, top + height + gap()});
    return clicked || accepted;
}

// The height of the messages that are shown, each with the gap below it.
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

void wake_for_messages(const Messages& messages, double now, WakeUp& wake_up) {
    for (const Message& message : messages)
        if (const std::optional<double> left = seconds_left(message)) wake_up.draw_in(message.looked_at + *left - now);
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
    gui::keep_clear_of({box.x, box.y, box.width, box.height});
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
    if (dismissed >= 0) dismiss(state.ui, state.messages, size_t(dismissed));
    if (accepted) accepted(state);
    ImGui::End();
    ImGui::PopStyleVar(4);
}

// The sign over the picture while another one is read: its name, its size, how far it has come, and a small preview.

namespace {

// "12 MiB · 6000×4000"
std::string size_words(const Loading& loading) {
    std::string text = loading.bytes > 0 ? words_of_bytes(loading.bytes) : "";
    if (loading.size.empty()) return text;
    return fmt::format("{}{}{}×{}", text, text.empty() ? "" : " · ", loading.size.width, loading.size.height);
}

std::string progress_words(const Loading& loading) {
    if (loading.stored >= 0) return fmt::format("storing it as tiles, {} %", loading.stored);
    if (loading.size.empty()) return "reading";
    if (loading.rows >= loading.size.height) return "almost ready";
    return fmt::format("{}row {}", loading.preview.name ? "preview · " : "", loading.rows);
}

// The preview of the rows read so far, as large as fits.
void preview(const InterfacePicture& picture, ImVec2 at, ImVec2 room, ImDrawList& draw) {
    const float scale = std::min(room.x / float(picture.width), room.y / float(picture.height));
    const ImVec2 size{float(picture.width) * scale, float(picture.height) * scale};
    const ImVec2 low{at.x + (room.x - size.x) / 2, at.y + (room.y - size.y) / 2};
    draw.AddImage(reinterpret_cast<ImTextureID>(uintptr_t(picture.name)), low, {low.x + size.x, low.y + size.y});
}

}  // namespace

void loading_sign(const AppState& state, ImDrawList& draw) {
    if (!state.loading || !state.loading->shown) return;
    const Loading& loading = *state.loading;
    const PixelRect& picture = state.places.picture;
    const ImVec2 low = on_window(picture.x, picture.y),
                 high = on_window(picture.x + picture.width, picture.y + picture.height);
    const float pad = gui::px(12), line = ImGui::GetFontSize() + gui::px(4), bar = gui::px(3);
    const float height = 3 * line + bar + 2 * pad, width = std::min(gui::px(400), high.x - low.x - gui::px(16));
    if (width < gui::px(120) || high.y - low.y < height) return;
    const ImVec2 at{(low.x + high.x - width) / 2, low.y + std::min(gui::px(56), (high.y - low.y - height) / 2)};
    const ImVec2 end{at.x + width, at.y + height};
    draw.AddRectFilled(at, end, gui::packed(gui::colour::panel, 0.94f), gui::px(6));
    draw.AddRect(at, end, gui::packed(gui::colour::line), gui::px(6), 0, gui::px(1));

    const ImVec2 room{width > gui::px(260) ? gui::px(96) : 0, height - 2 * pad};
    const float left = at.x + pad + (room.x > 0 ? room.x + pad : 0), inner = end.x - pad - left;
    if (room.x > 0 && loading.preview.name) preview(loading.preview, {at.x + pad, at.y + pad}, room, draw);
    Document named;
    named.source = loading.source;
    draw.AddText({left, at.y + pad}, gui::packed(gui::colour::text), gui::shortened(named.title(), inner).c_str());
    const ImU32 quiet = gui::packed(gui::colour::secondary);
    draw.AddText({left, at.y + pad + line}, quiet, gui::shortened(size_words(loading), inner).c_str());
    const char* const key = "Esc cancels";
    const float key_width = ImGui::CalcTextSize(key).x, third = at.y + pad + 2 * line;
    draw.AddText({left, third}, quiet,
                 gui::shortened(progress_words(loading), inner - key_width - gui::px(12)).c_str());
    draw.AddText({end.x - pad - key_width, third}, quiet, key);
    const float part = loading.stored >= 0    ? float(loading.stored) / 100
                       : loading.size.empty() ? 0
                                              : float(loading.rows) / float(loading.size.height);
    const ImVec2 track{left, at.y + pad + 3 * line};
    draw.AddRectFilled(track, {track.x + inner, track.y + bar}, gui::packed(gui::colour::line), bar / 2);
    draw.AddRectFilled(track, {track.x + inner * part, track.y + bar}, gui::packed(gui::colour::progress), bar / 2);
}

// The sign in a pane whose smaller images or coefficients are being made: what it shows until then is something else. And in
// one that shows nothing, since its kernel is not computed.

namespace {

constexpr const char* preparing_words = "preparing this picture …";

// With a capital.
std::string sentence(std::string words) {
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = char(words[0] - 'a' + 'A');
    return words;
}

double shown_in(const AppState& state) { return state.report.frame.preparing.since + loading_shown_after - state.now; }

void sign(const PixelRect& clip, const std::string& words, ImDrawList& draw) {
    const ImVec2 low = on_window(clip.x, clip.y), high = on_window(clip.x + clip.width, clip.y + clip.height);
    const float pad = gui::px(12), wrap = std::min(gui::px(420), high.x - low.x - gui::px(16) - 2 * pad);
    if (wrap < gui::px(60)) return;
    const std::string rows = gui::broken(words, wrap);
    const ImVec2 text = ImGui::CalcTextSize(rows.c_str());
    const float width = text.x + 2 * pad, height = text.y + gui::px(12);
    if (high.x - low.x < width + gui::px(16) || high.y - low.y < 2 * height) return;
    const ImVec2 at{(low.x + high.x - width) / 2,
                    low.y + std::min(gui::px(72), (high.y - low.y - height) / 2)};  // below the chip
    const ImVec2 end{at.x + width, at.y + height};
    draw.AddRectFilled(at, end, gui::packed(gui::colour::panel, 0.94f), gui::px(6));
    draw.AddRect(at, end, gui::packed(gui::colour::line), gui::px(6), 0, gui::px(1));
    draw.AddText({at.x + pad, at.y + gui::px(6)}, gui::packed(gui::colour::text), rows.c_str());
}

}  // namespace

void preparing_signs(const AppState& state, ImDrawList& draw) {
    const std::vector<int> in_view = panes_in_view(state.scene);
    const auto is_in_view = [&](int pane) { return std::find(in_view.begin(), in_view.end(), pane) != in_view.end(); };
    for (const auto& [pane, why] : state.report.frame.not_computed)
        if (is_in_view(pane)) sign(pane_clip(state, pane), sentence(why), draw);
    if (state.loading || shown_in(state) > 0) return;
    for (const int pane : state.report.frame.preparing.panes)
        if (is_in_view(pane)) sign(pane_clip(state, pane), preparing_words, draw);
}

// Thin: the picture can be looked at meanwhile.
float sharpening_sign(const AppState& state, ImDrawList& draw, float taken) {
    const Preparing& preparing = state.report.frame.preparing;
    if (preparing.to_come == 0 || state.loading || shown_in(state) > 0) return taken;
    const int percent = int(100 * preparing.part_done);
    const std::string words = fmt::format(
        "{}sharpening · {} {} to come{}", preparing.of_file ? "smaller image of the file · " : "", preparing.to_come,
        preparing.to_come == 1 ? "part" : "parts", percent > 0 ? fmt::format(" · {} %", percent) : "");
    const float pad = gui::px(8);
    const ImVec2 text = ImGui::CalcTextSize(words.c_str()), size{text.x + 2 * pad, text.y + pad};
    const PixelRect& picture = state.places.picture;
    const ImVec2 low = on_window(picture.x, picture.y), high = on_window(picture.x + picture.width, picture.y);
    const ImVec2 at = in_lower_left(state, picture, size, taken);
    if (high.x - low.x < size.x + 2 * pad || at.y < low.y) return taken;
    draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, gui::packed(gui::colour::panel, 0.85f), gui::px(4));
    draw.AddText({at.x + pad, at.y + pad / 2}, gui::packed(gui::colour::secondary), words.c_str());
    return on_window(0, picture.y + picture.height).y - gui::px(4) - at.y;
}

void wake_for_preparing(const AppState& state, WakeUp& wake_up) {
    if (state.report.frame.preparing.empty()) return;
    constexpr double every = 0.5;  // seconds, for a percentage that grows
    const double left = shown_in(state);
    if (left > 0) wake_up.draw_in(left);
    else if (state.report.frame.preparing.to_come > 0) wake_up.draw_in(every + std::fmod(left, every));
}

}  // namespace texelscope::panels
