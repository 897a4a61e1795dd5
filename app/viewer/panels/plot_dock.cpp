// The plots at the right of the picture: a header with its tabs, the chosen one, and an edge to drag.

#include "app/viewer/panels/panels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/panes.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/widgets/layout.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/method/kernel_method.h"

namespace texelscope::panels {
namespace {

struct Tab {
    Dock dock;
    const char* title;
    const char* tip;
    void (*show)(AppState&);
};

const Tab tabs[] = {
    {Dock::profile, "Profile",
     "Profile: stored samples along a row, a column or a drawn line, and every pane's reconstruction. Key I.",
     profile_tab},
    {Dock::curves, "Curves",
     "Weight function (in theory and as measured), spectrum and step response of the panes in view; for the hardware "
     "path, also g and h of the fetches. Key C.",
     curves_tab},
    {Dock::order, "Order",
     "Order of accuracy: the largest error of each pane's method on a wave, by samples per period, both axes logarithmic. "
     "Key Shift+Y.",
     order_tab},
    {Dock::spectrum, "Spectrum",
     "Spectrum: which frequencies the picture holds, in view or selected, and what each method makes of them. Key Shift+C.",
     spectrum_tab},
    {Dock::histogram, "Histogram", "Histogram of the values in the pane under the cursor. Key H.", histogram_tab},
    {Dock::statistics, "Statistics",
     "Mean, deviation, extremes and percentiles of the stored samples, of all or of the selection. Key Shift+H.",
     statistics_tab},
    {Dock::taps, "Taps",
     "The texels that contribute to the pixel under the cursor, with their weights. Key T outlines them on "
     "the picture.",
     taps_tab},
    {Dock::stage, "Stage",
     "Stage: a line of samples to be dragged, their weighted functions, the sum of these, and their spectrum. Key Y.",
     stage_tab},
    {Dock::formula, "Formula", "The weight function of the active pane as a formula, to be changed.", formula_tab},
    {Dock::kernel, "Kernel", "The text of a CUDA kernel, to be changed.", kernel_tab},
    {Dock::source, "Source", "Source code that belongs to the lesson's step.", source_tab}};

bool is_there(const AppState& state, const Tab& tab) {
    if (tab.dock == Dock::stage) return state.ui.dock == Dock::stage || shows_signal(state);
    if (tab.dock == Dock::formula) return state.ui.dock == Dock::formula || state.scene.spec().method->custom;
    if (tab.dock == Dock::kernel) return state.ui.dock == Dock::kernel || kernel_of(*state.scene.spec().method);
    return tab.dock != Dock::source || has_source_tab(state.lesson);
}

void drag_width(UiState& ui, const gui::Box& box) {
    if (!gui::drag_edge("dock-edge", box.x, box.y, box.height)) return;
    float& dock_width = is_wide(ui.dock) ? ui.text_dock_width : ui.dock_width;
    dock_width = std::max(gui::min_dock_width, (box.x + box.width - ImGui::GetIO().MousePos.x) / gui::theme().scale);
}

// Instead of tabs that would be cut.
void tab_list(UiState& ui, const std::vector<const Tab*>& shown, float width) {
    const auto current = std::ranges::find(shown, ui.dock, &Tab::dock);
    ImGui::SetNextItemWidth(width);
    if (!gui::begin_combo("##tabs", current == shown.end() ? "" : (*current)->title)) {
        gui::tooltip("What is shown here: click for the others.");
        gui::note("dock:tabs");
        return;
    }
    for (const Tab* tab : shown) {
        if (ImGui::Selectable(tab->title, tab->dock == ui.dock)) ui.dock = tab->dock;
        gui::tooltip(tab->tip);
        gui::note(fmt::format("dock:{}", tab->title));
    }
    ImGui::EndCombo();
}

// In one row.
void tab_row(AppState& state) {
    std::vector<gui::Segment> segments;
    std::vector<const Tab*> shown;
    int chosen = -1;
    for (const Tab& tab : tabs) {
        if (!is_there(state, tab)) continue;
        if (tab.dock == state.ui.dock) chosen = int(shown.size());
        segments.push_back({tab.title, tab.tip});
        shown.push_back(&tab);
    }
    const float button = ImGui::GetFrameHeight(), gap = gui::px(6);
    const float width = ImGui::GetContentRegionAvail().x - button - gap;
    if (gui::least_segments_width(segments) > width) {
        tab_list(state.ui, shown, width);
    } else {
        ImGui::BeginChild("##tabs", {width, button}, false,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        const int clicked = gui::segmented("dock", segments, chosen);
        if (clicked >= 0) state.ui.dock = shown[size_t(clicked)]->dock;
        ImGui::EndChild();
    }
    ImGui::SameLine(0, gap);
    if (gui::close_button("##close", button)) {
        if (state.ui.dock == Dock::taps) state.ui.taps = false;  // with their outline
        state.ui.dock = Dock::none;
    }
    gui::note("dock:close");
    gui::tooltip("Close the plots.");
    ImGui::Dummy({0, gui::px(4)});
}

}  // namespace

const char* channel_name(int channels, bool has_alpha, int channel) {
    static constexpr const char* colours[] = {"R", "G", "B", "A"};
    const int plain = channels - (has_alpha ? 1 : 0);
    if (channel < 0) return "Luma";
    if (has_alpha && channel == channels - 1) return "A";
    if (plain == 1) return "v";
    if (plain == 2) return channel == 0 ? "re" : "im";
    return colours[std::clamp(channel, 0, 3)];
}

bool is_low() { return ImGui::GetContentRegionAvail().y < gui::px(320); }

bool part_row(const Scene& scene, InspectUi& inspect, const char* of_selection, const char* all, const char* of_all) {
    if (!scene.selection) return false;
    gui::label("Of", "What is counted.");
    const gui::Segment segments[] = {{"Selection", of_selection}, {all, of_all}};
    bool& chosen = inspect.statistics_of_all;
    const int clicked = gui::segmented("part", segments, chosen ? 1 : 0);
    if (clicked >= 0) chosen = clicked == 1;
    return true;
}

void channel_row(InspectUi& inspect, int channels, bool has_alpha, bool with_luma) {
    int& channel = inspect.channel;
    const bool luma = with_luma && channels - (has_alpha ? 1 : 0) == 3;
    if (channel >= channels) channel = -1;
    if (channels < 2) return;
    std::vector<gui::Segment> segments;
    const int first = luma ? -1 : 0;
    for (int c = first; c < channels; ++c)
        segments.push_back(
            {channel_name(channels, has_alpha, c),
             c < 0 ? "0.2126 R + 0.7152 G + 0.0722 B of the values as they are (Rec. 709)." : "Only this channel."});
    gui::label("Channel", "Channel to show.");
    const int clicked = gui::segmented("channel", segments, std::max(channel - first, 0));
    if (clicked >= 0) channel = clicked + first;
}

void plot_dock(AppState& state, const gui::Box& box) {
    if (box.empty() || state.ui.dock == Dock::none) return;
    {
        const gui::BoxWindow window(
            "##dock", box,
            {.padding = ImVec2(gui::px(12), gui::px(10)), .flags = ImGuiWindowFlags_NoBringToFrontOnFocus});
        ImGui::GetWindowDrawList()->AddLine({box.x + 0.5f, box.y}, {box.x + 0.5f, box.y + box.height},
                                            gui::packed(gui::rgb(0x18191b)));
        tab_row(state);
        for (const Tab& tab : tabs)
            if (tab.dock == state.ui.dock) tab.show(state);
    }
    drag_width(state.ui, box);
}

// The dock's tab for a lesson's sources: excerpts of this program's source, with line numbers.

namespace {

constexpr gui::Colour comment_ink = gui::rgb(0x8aa08a), keyword_ink = gui::rgb(0x7cc0ff),
                      number_ink = gui::rgb(0xf0c674), type_ink = gui::rgb(0x7fe0c4);

constexpr std::array keywords = {
    "auto",   "bool",   "break",      "case",       "class",      "const",   "constexpr", "continue",  "default",
    "do",     "else",   "enum",       "false",      "for",        "if",      "inline",    "namespace", "nullptr",
    "return", "static", "struct",     "switch",     "template",   "this",    "true",      "typename",  "using",
    "void",   "while",  "__global__", "__shared__", "__device__", "uniform", "in",        "out"};
constexpr std::array types = {"char",    "double",  "float",   "int",      "long",     "size_t",
                              "int32_t", "int64_t", "uint8_t", "uint32_t", "unsigned", "float2",
                              "float4",  "vec2",    "vec3",    "vec4",     "ivec2"};

template <size_t N> bool is_among(const std::array<const char*, N>& words, std::string_view word) {
    return std::any_of(words.begin(), words.end(), [&](const char* each) { return word == each; });
}

struct Token {
    std::string_view text;
    gui::Colour ink;
};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

Token next_token(std::string_view rest) {
    if (rest.starts_with("//")) return {rest, comment_ink};
    size_t end = 1;
    if (in_word(rest[0])) {
        while (end < rest.size() &&
               (in_word(rest[end]) || (rest[end] == '.' && std::isdigit(static_cast<unsigned char>(rest[0])))))
            ++end;
        const std::string_view word = rest.substr(0, end);
        const bool number = std::isdigit(static_cast<unsigned char>(word[0]));
        return {word, number                     ? number_ink
                      : is_among(keywords, word) ? keyword_ink
                      : is_among(types, word)    ? type_ink
                                                 : gui::colour::text};
    }
    if (rest[0] == '"') {
        end = std::min(rest.find('"', 1), rest.size() - 1) + 1;
        return {rest.substr(0, end), number_ink};
    }
    if (rest[0] == ' ')
        while (end < rest.size() && rest[end] == ' ') ++end;
    else
        while (end < rest.size() && (rest[end] & 0xC0) == 0x80) ++end;  // the rest of a UTF-8 character
    return {rest.substr(0, end), gui::colour::text};
}

// A line of code; if too long, it continues below, indented further.
class CodeLine {
public:
    CodeLine(float left, float width, float character, float line_height)
        : left_(left), right_(left + width), character_(character), line_(line_height) {}

    static constexpr float margin = 2;  // characters

    // The height and the right end of what it takes.
    struct Taken {
        float height, right;
    };
    Taken draw(ImDrawList& draw, float y, std::string_view line) const {
        // Text aligned far to the right moves left if it would not fit.
        constexpr size_t far = 16, near = 8;
        size_t spaces = std::min(line.find_first_not_of(' '), line.size());
        if (spaces > far && float(line.size()) * character_ > right_ - left_) {
            line.remove_prefix(spaces - near);
            spaces = near;
        }
        const float indent = float(spaces) * character_;
        // Indented further if that leaves enough width, else as far as the line itself.
        const float further = left_ + indent + 4 * character_;
        const float again = further < right_ - 20 * character_         ? further
                            : left_ + indent < right_ - 8 * character_ ? left_ + indent
                                                                       : left_;
        float x = left_, right = left_;
        const float top = y;
        for (std::string_view rest = line; !rest.empty();) {
            const Token token = next_token(rest);
            rest.remove_prefix(token.text.size());
            const size_t closing = std::min(rest.find_first_not_of(";,)}]"), rest.size());
            if (token.text[0] == ' ' || token.text.size() == 1) {
                put(draw, token.text, token.ink, x, y, again, closing);
                right = std::max(right, x);
                continue;
            }
            // Comments break between words, anything else between tokens.
            for (std::string_view words = token.text; !words.empty();) {
                const size_t end = std::min(words.find(' '), words.size() - 1) + 1;
                const std::string_view word = words.substr(0, end);
                words.remove_prefix(end);
                put(draw, word, token.ink, x, y, again, words.empty() ? closing : 0);
                right = std::max(right, x);
            }
        }
        return {y - top + line_, right};
    }

private:
    // `closing`: so many characters of closing punctuation follow, and stay on its line; the margin has space for some.
    void put(ImDrawList& draw, std::string_view text, const gui::Colour& ink, float& x, float& y, float again,
             size_t closing) const {
        const float width =
            character_ * float(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
        const bool closes = text.size() == 1 && std::string_view(";,)}]").find(text[0]) != std::string_view::npos;
        const float end = x + width + character_ * std::max(float(closing) - margin, 0.0f);
        if (end > (closes ? right_ + margin * character_ : right_) && x > again) {
            x = again;
            y += line_;
            if (text[0] == ' ') return;
        }
        draw.AddText({x, y}, gui::packed(ink), text.data(), text.data() + text.size());
        x += width;
    }

    float left_, right_, character_, line_;
};

// Scrolls to its first marked line, if that is wanted.
void piece(const SourcePiece& source, bool scroll) {
    gui::remark(fmt::format("{}, from line {} on", source.file, source.first_line), false);
    ImGui::PushFont(gui::theme().small);
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float character = ImGui::CalcTextSize("0").x, line_height = std::round(ImGui::GetFontSize() * 1.2f);
    const std::string last = std::to_string(source.first_line + int(source.lines.size()) - 1);
    const float numbers = character * float(last.size() + 2), width = ImGui::GetContentRegionAvail().x - numbers;
    const CodeLine code(at.x + numbers, width - CodeLine::margin * character, character, line_height);
    float y = at.y + gui::px(4);
    draw.ChannelsSplit(2);
    for (size_t i = 0; i < source.lines.size(); ++i) {
        const std::string number = fmt::format("{:>{}}", size_t(source.first_line) + i, last.size());
        const float top = y;
        draw.ChannelsSetCurrent(1);
        draw.AddText({at.x, y}, gui::packed(gui::colour::mark), number.c_str());
        const CodeLine::Taken taken = code.draw(draw, y, source.lines[i]);
        y += taken.height;
        if (std::ranges::count(source.marked, i) == 0) continue;
        draw.ChannelsSetCurrent(0);
        draw.AddRectFilled({at.x, top}, {at.x + numbers + width, y}, gui::packed(gui::colour::accent, 0.2f),
                           gui::px(3));
        if (gui::ControlLog* log = gui::theme().control_log)
            log->push_back(
                {fmt::format("source:line-{}", source.first_line + int(i)), {at.x, top, taken.right - at.x, y - top}});
        if (scroll && i == source.marked.front()) ImGui::SetScrollFromPosY(top - ImGui::GetWindowPos().y, 0.3f);
    }
    draw.ChannelsMerge();
    ImGui::Dummy({numbers + width, y - at.y + gui::px(10)});
    gui::note("source:" + source.name);
    ImGui::PopFont();
}

}  // namespace

bool has_source_tab(const LessonState& lesson) {
    return current_step(lesson) && !current_step(lesson)->sources.empty();
}

void source_tab(AppState& state) {
    if (!has_source_tab(state.lesson)) return;
    ImGui::BeginChild("##source", {0, 0});
    // Once for each step, to the first line that it is about.
    int& scrolled_to = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(state.lesson.lesson->name.c_str()), -1);
    bool scroll = std::exchange(scrolled_to, state.lesson.step) != state.lesson.step;
    if (scroll) ImGui::SetScrollY(0);
    for (const SourcePiece& source : current_step(state.lesson)->sources) {
        piece(source, scroll);
        scroll = scroll && source.marked.empty();
    }
    gui::remark("The exact source this program was compiled from.", false);
    ImGui::EndChild();
}

}  // namespace texelscope::panels
