// Controls that can be clicked, dragged or typed into.

#include <imgui.h>
#include <imgui_internal.h>  // ClearActiveID, TempInputIsActive
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/viewer/widgets/widgets.h"

namespace texelscope::gui {
namespace {

float mark_gap() { return px(6); }

// A clickable row: a mark, then its text.
bool mark_row(const char* text, float mark, ImVec2& mark_centre) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight();
    const bool clicked = ImGui::InvisibleButton(text, {mark + mark_gap() + ImGui::CalcTextSize(text).x, height});
    mark_centre = {at.x + mark / 2, at.y + height / 2};
    ImGui::GetWindowDrawList()->AddText({at.x + mark + mark_gap(), at.y + (height - ImGui::GetFontSize()) / 2},
                                        ImGui::GetColorU32(ImGuiCol_Text), text);
    return clicked;
}

const Colour& mark_fill() { return ImGui::IsItemHovered() ? colour::raised_hovered : colour::field; }

}  // namespace

void chevron(ImVec2 middle, Way way, const Colour& ink) {
    const float r = px(3.5f);
    ImVec2 points[3] = {
        {middle.x - r * 0.5f, middle.y - r}, {middle.x + r * 0.5f, middle.y}, {middle.x - r * 0.5f, middle.y + r}};
    for (ImVec2& p : points) {
        if (way == Way::down) p = {middle.x + (p.y - middle.y), middle.y + (p.x - middle.x)};
        if (way == Way::left) p.x = 2 * middle.x - p.x;
    }
    ImGui::GetWindowDrawList()->AddPolyline(points, 3, ImGui::GetColorU32(ImVec4(ink)), 0, px(1.5f));
}

bool section(const char* title, bool fits, const std::vector<std::string>& remark) {
    enum Kept { untouched, opened, folded };
    int& kept = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(title), untouched);
    if (kept == untouched && fits) kept = opened;
    bool open = kept == opened;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetFrameHeight() - px(2);
    if (ImGui::InvisibleButton(title, {width, height})) {
        open = !open;
        kept = open ? opened : folded;
    }
    chevron({at.x + px(4), at.y + height / 2}, open ? Way::down : Way::right,
            ImGui::IsItemHovered() ? colour::text : colour::secondary);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float y = at.y + (height - ImGui::GetFontSize()) / 2, text = at.x + px(16);
    std::string words = std::string(title).substr(0, std::string_view(title).find("##"));
    const auto width_of = [&] {
        return theme().heading->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, words.c_str()).x;
    };
    if (text + width_of() > at.x + width) words = words.substr(0, words.find(": "));  // without its explanation
    draw.AddText(theme().heading, ImGui::GetFontSize(), {text, y}, packed(colour::text), words.c_str());
    const float after = text + px(12) + width_of();
    ImGui::PushFont(theme().small);
    for (const std::string& more : remark) {
        const float left = at.x + width - ImGui::CalcTextSize(more.c_str()).x;
        if (left < after) continue;
        draw.AddText({left, at.y + (height - ImGui::GetFontSize()) / 2}, packed(colour::secondary), more.c_str());
        break;
    }
    ImGui::PopFont();
    return open;
}

float check_width(const char* text) { return px(16) + mark_gap() + ImGui::CalcTextSize(text).x; }

bool check(const char* text, bool& on) {
    ImVec2 c;
    const bool clicked = mark_row(text, px(16), c);
    if (clicked) on = !on;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float r = px(7.5f);
    draw.AddRectFilled({c.x - r, c.y - r}, {c.x + r, c.y + r},
                       ImGui::GetColorU32(ImVec4(on ? colour::accent : mark_fill())), px(3));
    if (!on)
        draw.AddRect({c.x - r, c.y - r}, {c.x + r, c.y + r}, ImGui::GetColorU32(ImVec4(colour::mark)), px(3), 0, px(1));
    const ImVec2 tick[3] = {{c.x - px(4), c.y}, {c.x - px(1), c.y + px(3)}, {c.x + px(4), c.y - px(3.5f)}};
    if (on) draw.AddPolyline(tick, 3, packed(rgb(0x16181a)), 0, px(2));
    return clicked;
}

namespace {

constexpr float curve_width = 30;  // units

void small_curve(ImVec2 low, float height, std::span<const float> curve, ImU32 ink) {
    std::vector<ImVec2> points;
    const float step = px(curve_width) / float(curve.size() - 1);
    for (size_t i = 0; i < curve.size(); ++i)
        points.push_back({low.x + step * float(i), low.y + height * (1 - curve[i])});
    ImGui::GetWindowDrawList()->AddPolyline(points.data(), int(points.size()), ink, ImDrawFlags_None, px(1.25f));
}

}  // namespace

bool list_row(const char* key, const char* text, const char* remark, bool chosen, std::span<const float> curve) {
    const ImVec2 a = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
    const bool clicked = ImGui::InvisibleButton(text, size);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const float y = a.y + (size.y - ImGui::GetFontSize()) / 2;
    if (chosen || ImGui::IsItemHovered())
        draw.AddRectFilled(a, {a.x + size.x, a.y + size.y},
                           chosen ? packed(colour::accent, 0.22f) : packed(rgb(0xffffff), 0.06f), px(4));
    draw.AddText(theme().mono, ImGui::GetFontSize(), {a.x + px(8), y}, packed(colour::secondary), key);
    if (curve.size() > 1) small_curve({a.x + px(24), a.y + px(4)}, size.y - px(8), curve, packed(colour::secondary));
    const float left = a.x + px(!curve.empty() ? 24 + curve_width + 8 : *key ? 28 : 8);
    const std::string shown = shortened_in_middle(text, a.x + size.x - px(8) - left);
    draw.AddText({left, y}, ImGui::GetColorU32(ImVec4(colour::text)), shown.c_str());
    const float right = a.x + size.x - px(8) - ImGui::CalcTextSize(remark).x;
    if (right > left + px(8) + ImGui::CalcTextSize(text).x) draw.AddText({right, y}, packed(colour::secondary), remark);
    return clicked;
}

bool begin_combo(const char* id, const char* preview) {
    const float room = ImGui::CalcItemWidth() - px(8 + 16);  // left of the arrow
    const bool cut = ImGui::CalcTextSize(preview).x > room;
    const std::string shown = cut ? shortened(preview, room - px(4)) : preview;
    if (ImGui::BeginCombo(id, shown.c_str(), ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLarge)) return true;
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    if (cut) note_cut(preview);
    chevron({b.x - px(12), (a.y + b.y) / 2}, Way::down, colour::secondary);
    return false;
}

bool input_double(const char* id, double& value, const char* format) {
    WidgetMemory::Number& typed = memory().number;
    const ImGuiID field = ImGui::GetID(id);
    double edited = typed.field == field ? typed.value : value;
    ImGui::PushFont(theme().mono);
    if (ImGui::InputDouble(id, &edited, 0, 0, format)) typed = {field, edited};
    ImGui::PopFont();
    if (!ImGui::IsItemDeactivated() || typed.field != field) return false;
    typed.field = 0;
    if (!std::isfinite(edited) || edited == value) return false;
    value = edited;
    return true;
}

bool input_text(const char* id, const std::string& shown, const std::function<bool(const std::string&)>& take) {
    WidgetMemory::Text& typed = memory().text;
    const ImGuiID field = ImGui::GetID(id);
    const int now = ImGui::GetFrameCount();
    if (typed.field == field && typed.frame < now - 1) typed.field = 0;
    std::string text = typed.field == field ? typed.text : shown;
    if (typed.field == field && std::exchange(typed.asks, false)) ImGui::SetKeyboardFocusHere();
    ImGui::PushFont(theme().mono);
    const bool entered =
        ImGui::InputText(id, &text, ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopFont();
    if (ImGui::IsItemEdited()) typed = {field, text, false, now};
    if (typed.field != field) return false;
    typed.frame = now;
    if (!ImGui::IsItemDeactivated()) return false;
    const bool taken = take(text);
    if (!taken && entered) typed = {field, text, true, now};
    else typed.field = 0;
    return taken;
}

namespace {

std::vector<float> segment_widths(std::span<const Segment> segments, float room) {
    std::vector<float> widths;
    float widest = 0, sum = 0;
    for (const Segment& segment : segments) {
        const float text = ImGui::CalcTextSize(segment.text, nullptr, true).x + 2 * ImGui::GetStyle().FramePadding.x;
        widths.push_back(text);
        widest = std::max(widest, text);
        sum += text;
    }
    const float count = float(segments.size()), equal = std::floor(room / count);
    for (float& width : widths) width = widest <= equal ? equal : std::floor(width + (room - sum) / count);
    for (size_t i = 0; sum > room && i < segments.size(); ++i) note_cut(segments[i].text);
    return widths;
}

}  // namespace

float least_segments_width(std::span<const Segment> segments, float around) {
    float sum = px(2) * float(segments.size() - 1);
    for (const Segment& segment : segments) sum += ImGui::CalcTextSize(segment.text, nullptr, true).x + 2 * px(around);
    return sum;
}

int segmented(const char* id, std::span<const Segment> segments, int chosen, float width) {
    int clicked = -1;
    ImGui::PushID(id);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(px(2), ImGui::GetStyle().ItemSpacing.y));
    const float all = width > 0 ? width : ImGui::GetContentRegionAvail().x;
    const float around = least_segments_width(segments, 2) <= all ? px(2) : 0;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(around, ImGui::GetStyle().FramePadding.y));
    const float gaps = px(2) * float(segments.size() - 1);
    const std::vector<float> widths = segment_widths(segments, all - gaps);
    for (size_t i = 0; i < segments.size(); ++i) {
        const bool on = int(i) == chosen;
        if (i) ImGui::SameLine();
        ImGui::PushStyleColor(ImGuiCol_Button, on ? ImVec4(faded(colour::accent, 0.28f)) : ImVec4(colour::field));
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered,
                              on ? ImVec4(faded(colour::accent, 0.36f)) : ImVec4(colour::raised));
        ImGui::PushStyleColor(ImGuiCol_Text, on ? ImVec4(colour::text) : ImVec4(rgb(0xc4c8cd)));
        ImGui::BeginDisabled(!segments[i].enabled);
        if (ImGui::Button(segments[i].text, ImVec2(widths[i], 0))) clicked = int(i);
        ImGui::EndDisabled();
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        if (segments[i].icon)
            segments[i].icon(*ImGui::GetWindowDrawList(), {(low.x + high.x) / 2, (low.y + high.y) / 2}, px(14),
                             packed(on ? colour::text : colour::secondary));
        const std::string name = segments[i].text;
        note(std::string(id) + ":" + (name.starts_with("##") ? name.substr(2) : name));
        ImGui::PopStyleColor(3);
        tooltip(segments[i].tip);
    }
    ImGui::PopStyleVar(2);
    ImGui::PopID();
    return clicked;
}

// Greyed out, it is like any other: dark words on a faded accent cannot be read.
PrimaryButton::PrimaryButton(bool on)
    : on_(on && !(ImGui::GetCurrentContext()->CurrentItemFlags & ImGuiItemFlags_Disabled)) {
    if (!on_) return;
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(colour::accent));
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, ImVec4(rgb(0x6db9ff)));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, ImVec4(rgb(0x3a93e6)));
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(rgb(0x10161c)));
}

PrimaryButton::~PrimaryButton() {
    if (on_) ImGui::PopStyleColor(4);
}

bool row_button(const char* text, int of, std::string_view tip) {
    const float gaps = ImGui::GetStyle().ItemSpacing.x * float(of - 1);
    const float start = ImGui::GetWindowContentRegionMax().x - ImGui::GetWindowContentRegionMin().x;
    const float width = of > 0 ? std::floor((start - gaps) / float(of)) : 0;
    if (of > 0 && ImGui::CalcTextSize(text).x + 2 * ImGui::GetStyle().FramePadding.x > width) note_cut(text);
    const bool clicked = ImGui::Button(text, ImVec2(width, 0));
    tooltip(tip);
    return clicked;
}

bool close_button(const char* id, float side) {
    const bool clicked = ImGui::InvisibleButton(id, {side, side});
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax(), c{(a.x + b.x) / 2, (a.y + b.y) / 2};
    const float r = px(4);
    const ImU32 ink = packed(ImGui::IsItemHovered() ? colour::text : colour::secondary);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddLine({c.x - r, c.y - r}, {c.x + r, c.y + r}, ink, px(1.5f));
    draw.AddLine({c.x - r, c.y + r}, {c.x + r, c.y - r}, ink, px(1.5f));
    return clicked;
}

bool drag_edge(const char* id, float x, float y, float height) {
    const float grip = px(6);
    ImGui::SetNextWindowPos({x - grip / 2, y});
    ImGui::SetNextWindowSize({grip, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::Begin((std::string("##") + id).c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::InvisibleButton("##grip", {grip, height});
    note(id);
    const bool held = ImGui::IsItemActive();
    if (held || ImGui::IsItemHovered()) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        ImGui::GetWindowDrawList()->AddLine({x, y}, {x, y + height}, packed(colour::accent, held ? 1.0f : 0.6f), px(2));
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
    return held;
}

}  // namespace texelscope::gui

namespace texelscope::gui {

// Sliders: a number that is dragged, or typed after Ctrl + click.

namespace {

// Draws the number of the slider that was drawn last at the end that its knob is far from; without its unit if there is no
// space for both. `part`: where the knob is, from 0 to 1.
void number_beside_knob(const std::string& name, const std::string& text, double part) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float pad = ImGui::GetStyle().FramePadding.x, knob = ImGui::GetStyle().GrabMinSize;
    const float middle = low.x + knob / 2 + float(part) * (high.x - low.x - knob);
    const bool at_left = part > 0.5;
    const float room = (at_left ? middle - low.x : high.x - middle) - knob / 2 - pad - px(2);
    std::string shown = text;
    if (shown.starts_with('-')) shown.replace(0, 1, "−");
    const size_t unit = shown.rfind(' ');
    if (ImGui::CalcTextSize(shown.c_str()).x > room && shown.find_first_of("0123456789") < unit)
        shown = shown.substr(0, unit);
    const float width = ImGui::CalcTextSize(shown.c_str()).x;
    const ImVec2 at{at_left ? low.x + pad : high.x - pad - width, low.y + ImGui::GetStyle().FramePadding.y};
    ImGui::GetWindowDrawList()->AddText(at, ImGui::GetColorU32(ImGuiCol_Text), shown.c_str());
    if (ControlLog* log = theme().control_log) {
        log->push_back({name + ":number", {at.x, at.y, width, ImGui::GetFontSize()}});
        log->push_back({name + ":knob", {middle - knob / 2, low.y, knob, high.y - low.y}});
    }
}

// ImGui's slider, whose own number would be under the knob: it is not seen, unless it is typed.
template <class Number>
bool slider(const char* id, ImGuiDataType type, Number& value, Number low, Number high, const char* format,
            ImGuiSliderFlags flags) {
    const bool typed = ImGui::TempInputIsActive(ImGui::GetID(id));
    ImGui::PushFont(theme().mono);
    if (!typed) ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(0, 0, 0, 0));
    const bool changed = ImGui::SliderScalar(id, type, &value, &low, &high, format, flags);
    if (!typed) ImGui::PopStyleColor();
    if (!ImGui::TempInputIsActive(ImGui::GetItemID())) {
        char text[64];
        std::snprintf(text, sizeof text, format, value);
        const double from = double(low), to = double(high), at = std::clamp(double(value), from, to);
        const double part = flags & ImGuiSliderFlags_Logarithmic ? std::log(at / from) / std::log(to / from)
                                                                 : (at - from) / (to - from);
        number_beside_knob(id + 2, text, part);
    }
    ImGui::PopFont();
    return changed;
}

// A reset arrow: three quarters of a circle, its head at the upper left.
void turn_back(ImVec2 middle, ImU32 ink) {
    constexpr float pi = 3.14159265f;
    const float r = px(4.5f), head = px(3);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.PathArcTo(middle, r, -0.75f * pi, 0.8f * pi, 20);
    draw.PathStroke(ink, 0, px(1.5f));
    const ImVec2 tip{middle.x + r * std::cos(-0.75f * pi), middle.y + r * std::sin(-0.75f * pi)};
    draw.AddTriangleFilled({tip.x - head, tip.y + head * 0.9f}, {tip.x - head * 0.6f, tip.y - head},
                           {tip.x + head, tip.y + head * 0.4f}, ink);
}

}  // namespace

bool slider_float(const char* id, float& value, float low, float high, const char* format, bool logarithmic) {
    const ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    return slider(id, ImGuiDataType_Float, value, low, high, format, flags);
}

bool slider_int(const char* id, int& value, int low, int high, const char* format) {
    return slider(id, ImGuiDataType_S32, value, low, high, format, ImGuiSliderFlags_AlwaysClamp);
}

bool tuned_slider(const char* id, double& value, const Tuned& tuned) {
    const float button = ImGui::GetFrameHeight(), gap = px(4);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gap);
    float shown = float(value);
    const double reach =
        tuned.reach > 0 ? std::max(tuned.reach, std::abs(value - tuned.standard)) : tuned.high - tuned.low;
    bool changed = slider(id, ImGuiDataType_Float, shown, float(std::max(tuned.low, tuned.standard - reach)),
                          float(std::min(tuned.high, tuned.standard + reach)), tuned.format, ImGuiSliderFlags_None);
    shown = std::clamp(shown, float(tuned.low), float(tuned.high));
    // Rounded to the decimals shown: 0.3, not 0.30000001.
    if (changed) value = std::round(double(shown) * 1e6) / 1e6;
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0) && !ImGui::GetIO().WantTextInput) {
        ImGui::ClearActiveID();  // else it would follow the mouse
        value = tuned.standard;
        changed = true;
    }
    tooltip(tuned.tip);
    note(id + 2);
    ImGui::SameLine(0, gap);
    const bool away = value != tuned.standard;
    ImGui::PushID(id);
    ImGui::BeginDisabled(!away);
    if (ImGui::Button("##standard", {button, button})) {
        value = tuned.standard;
        changed = true;
    }
    ImGui::EndDisabled();
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    turn_back({(a.x + b.x) / 2, (a.y + b.y) / 2}, packed(away ? colour::text : colour::mark));
    tooltip(fmt::format("Reset to the default, {:.6g}; so does a double click on the slider.", tuned.standard));
    note(std::string(id + 2) + ":standard");
    ImGui::PopID();
    return changed;
}

}  // namespace texelscope::gui
