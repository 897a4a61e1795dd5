#include "app/viewer/widgets/code_field.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <imgui.h>
#include <imgui_internal.h>  // the text cursor, and where a window has scrolled to
#include <imgui_stdlib.h>

#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"

// ImGui's field for several lines has no room between them. So it is there for keys, selection, clipboard and undo only, as large
// as all of the text and unseen, within a window that scrolls; the text is drawn here, and the mouse finds its places here.

namespace texelscope::gui {
namespace {

constexpr int spare_rows =
    most_error_rows;  // below the text cursor: what is wrong there appears without moving anything

using Kept = WidgetMemory::CodeField;

struct TextCursor {
    int at = 0, from = 0, to = 0;  // in characters; the selection's ends
};

class Editing {
public:
    Editing(ImGuiWindow& window, Kept& kept) : window_(window), kept_(kept), id_(ImGui::GetID(label)) {}

    // Before edit(): ImGui's copy of another text, and its undo steps, which are places in that one, are dropped.
    void forget_all_but(const std::string& text);

    // ImGui's part, on the whole area of the text. True if the text was changed.
    bool edit(std::string& text, ImVec2 area, bool takes_keyboard);

    // What ImGui cannot know: where the mouse is in the text, and how much of it a page is.
    void correct(const CodeLayout& seen, const CodeLayout& now, ImVec2 origin, float view_height);

    bool active() const { return ImGui::GetActiveID() == id_; }
    bool moved() const { return active() && (changed_ || !before_ || before_->at != state().Stb.cursor); }
    bool activated() const { return active() && !before_; }
    TextCursor cursor() const {
        const auto& stb = state().Stb;
        return {stb.cursor, std::min(stb.select_start, stb.select_end), std::max(stb.select_start, stb.select_end)};
    }

private:
    static constexpr const char* label = "##text";

    ImGuiInputTextState& state() const { return ImGui::GetCurrentContext()->InputTextState; }
    void put(int character, bool keeps_selection, int anchor);

    ImGuiWindow& window_;
    Kept& kept_;
    ImGuiID id_;
    std::optional<TextCursor> before_;  // as it was before this frame; none if the field had not the keyboard
    bool changed_ = false;
};

void Editing::forget_all_but(const std::string& text) {
    if (state().ID != id_) return;
    std::vector<ImWchar> expected(text.size() + 1);
    const int count = ImTextStrFromUtf8(expected.data(), int(expected.size()), text.data(), text.data() + text.size());
    const ImWchar* const held = state().TextW.Data;
    if (std::equal(expected.begin(), expected.begin() + count, held, held + state().CurLenW)) return;
    if (active()) {
        ImGui::ClearActiveID();
        kept_.resumes = true;
    }
    state().ID = 0;
}

bool Editing::edit(std::string& text, ImVec2 area, bool takes_keyboard) {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    if (active()) before_ = TextCursor{state().Stb.cursor, state().Stb.select_start, state().Stb.select_end};
    const bool scrolled_by_hand = context.ActiveId == ImGui::GetWindowScrollbarID(&window_, ImGuiAxis_Y);
    kept_.resumes = scrolled_by_hand ? kept_.resumes || kept_.active : kept_.resumes && context.ActiveId == 0;
    if (takes_keyboard || (kept_.resumes && !scrolled_by_hand)) {
        context.NavActivateInputId = id_;
        kept_.resumes = false;
    }
    // On Esc ImGui would take back all that was typed since the field got the keyboard.
    const int escape = std::exchange(context.IO.KeyMap[ImGuiKey_Escape], -1);
    const ImVec4 unseen(0, 0, 0, 0);
    for (const int colour : {ImGuiCol_FrameBg, ImGuiCol_Text, ImGuiCol_TextSelectedBg, ImGuiCol_NavHighlight})
        ImGui::PushStyleColor(colour, unseen);
    changed_ = ImGui::InputTextMultiline(label, &text, area,
                                         ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_NoHorizontalScroll);
    ImGui::PopStyleColor(4);
    context.IO.KeyMap[ImGuiKey_Escape] = escape;
    if (before_ && escape >= 0 && ImGui::IsKeyPressed(escape, false) && active()) ImGui::ClearActiveID();
    return changed_;
}

void Editing::put(int character, bool keeps_selection, int anchor) {
    auto& stb = state().Stb;
    stb.cursor = stb.select_end = std::min(character, state().CurLenW);
    stb.select_start = keeps_selection ? anchor : stb.cursor;
    stb.has_preferred_x = 0;
}

void Editing::correct(const CodeLayout& seen, const CodeLayout& now, ImVec2 origin, float view_height) {
    if (!active()) return;
    const ImGuiIO& io = ImGui::GetIO();
    const bool dragged = before_ && io.MouseDown[0] && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0);
    if (!state().SelectedAllMouseLock && (io.MouseClicked[0] || dragged)) {
        const CodePlace at = seen.place_at({io.MousePos.x - origin.x, io.MousePos.y - origin.y});
        const CodePlace place =
            now.place_in(std::min(at.line, now.text.lines() - 1), io.MousePos.x - origin.x, seen.piece_of(at));
        put(now.text.character_of(place), !io.MouseClicked[0], state().Stb.select_start);
    }
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
    const int pages = int(pressed(ImGuiKey_PageDown)) - int(pressed(ImGuiKey_PageUp));
    if (!before_ || changed_ || pages == 0) return;
    const CodePlace from = now.text.place_of(before_->at);
    const int line =
        now.rows.line_at(now.rows.row_of(from.line) + pages * std::max(int(view_height / now.row_height) - 1, 1));
    const bool selected = before_->from != before_->to;
    put(now.text.character_of(now.place_in(line, now.x_of(from))), io.KeyShift, selected ? before_->from : before_->at);
}

// Where the window scrolls to: the text cursor is seen, and its line stays where it is when errors come or go above it.
ImVec2 scrolled(const Editing& editing, Kept& kept, const CodeLayout& layout, ImVec2 scroll, ImVec2 view, ImVec2 all) {
    const bool by_mouse = ImGui::IsMouseDown(0), was_active = std::exchange(kept.active, editing.active());
    if (!editing.active()) return scroll;
    if (editing.activated() && !by_mouse) scroll = kept.scroll;  // ImGui shows the field as a whole
    const ImVec2 pad = ImGui::GetStyle().FramePadding;
    const CodePlace place = layout.text.place_of(editing.cursor().at);
    const int above = layout.rows.row_of(place.line) - place.line;
    if (was_active && kept.cursor_line == place.line) scroll.y += float(above - kept.rows_above) * layout.row_height;
    kept.cursor_line = place.line;
    kept.rows_above = above;
    if (editing.moved() && !editing.activated()) {
        const int fit = int((view.y - 2 * pad.y) / layout.row_height);
        const int below = by_mouse ? 0 : std::clamp(fit - 1, 0, spare_rows);
        const float top = layout.y_of(place), x = layout.x_of(place);
        scroll.y = std::max(scroll.y, 2 * pad.y + top + float(1 + below) * layout.row_height - view.y);
        scroll.y = std::min(scroll.y, top);
        if (x < scroll.x) scroll.x = x - view.x / 4;
        if (x > scroll.x + view.x - 2 * pad.x - px(1)) scroll.x = x - view.x * 3 / 4;
    }
    return {std::floor(std::clamp(scroll.x, 0.0f, std::max(all.x - view.x, 0.0f))),
            std::floor(std::clamp(scroll.y, 0.0f, std::max(all.y - view.y, 0.0f)))};
}

class Drawing {
public:
    Drawing(ImGuiWindow& window, const CodeLayout& layout, const std::string& name, ImVec2 origin)
        : window_(window), draw_(*window.DrawList), layout_(layout), name_(name), origin_(origin) {
        const float h = layout.row_height;
        first_ = layout.rows.line_at(int(std::floor((window.InnerRect.Min.y - origin.y) / h)));
        last_ = layout.rows.line_at(int(std::floor((window.InnerRect.Max.y - origin.y) / h)));
    }

    void lines() {
        for (int i = first_; i <= last_; ++i) {
            for (int k = 0; k < layout_.pieces(i); ++k) {
                const std::string_view row = layout_.piece(i, k);
                draw_.AddText({origin_.x, top_of(i) + float(k) * layout_.row_height}, packed(colour::text), row.data(),
                              row.data() + row.size());
            }
            log("line", i + 1, {window_.InnerRect.Min.x, top_of(i)}, {window_.InnerRect.Max.x, bottom_of(i)});
        }
    }

    // Under the text. The band of a line goes on to what is wrong in it.
    void errors() {
        for (const CodeRemark& remark : layout_.remarks) {
            if (remark.line < first_ || remark.line > last_) continue;
            const auto [low, high] = box_of(remark);
            const float band = remark.first_row == layout_.pieces(remark.line) ? top_of(remark.line) : low.y;
            draw_.AddRectFilled({low.x, band}, high, packed(colour::error, 0.12f));
            underline(remark);
            float y = low.y;
            for (const std::string& row : remark.rows) {
                draw_.AddText(theme().text, ImGui::GetFontSize(), {left(), y}, packed(colour::error), row.c_str());
                y += layout_.row_height;
            }
            log("error", remark.line + 1, low, high);
        }
    }

    void selection(const TextCursor& cursor) {
        if (cursor.from == cursor.to) return;
        const CodePlace from = layout_.text.place_of(cursor.from), to = layout_.text.place_of(cursor.to);
        for (int i = std::max(from.line, first_); i <= std::min(to.line, last_); ++i) {
            const int first = i == from.line ? layout_.piece_of(from) : 0,
                      last = i == to.line ? layout_.piece_of(to) : layout_.pieces(i) - 1;
            for (int k = first; k <= last; ++k) {
                const float begin = i == from.line && k == first ? layout_.x_of(from) : 0;
                // The line's end as well.
                const float end = i == to.line && k == last ? layout_.x_of(to) : layout_.width_of(i, k) + px(4);
                const float top = top_of(i) + float(k) * layout_.row_height;
                draw_.AddRectFilled({origin_.x + begin, top}, {origin_.x + end, top + layout_.row_height},
                                    ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
            }
        }
    }

    void cursor(int at) {
        const CodePlace place = layout_.text.place_of(at);
        const ImVec2 low(std::floor(origin_.x + layout_.x_of(place)), origin_.y + layout_.y_of(place));
        const ImVec2 high(low.x + px(1), low.y + layout_.row_height - px(1));
        draw_.AddRectFilled(low, high, packed(colour::text));
        if (ControlLog* controls = theme().control_log)
            controls->push_back({name_ + ":cursor", {low.x, low.y, high.x - low.x, high.y - low.y}});
    }

    // To the left of the field, whose window ends there.
    void numbers(ImDrawList& beside, ImVec2 low, ImVec2 high) {
        beside.PushClipRect(low, high, true);
        for (int i = first_; i <= last_; ++i) {
            const std::string number = std::to_string(i + 1);
            const bool wrong = std::ranges::any_of(layout_.remarks, [&](const CodeRemark& r) { return r.line == i; });
            const float x = high.x - px(8) - ImGui::CalcTextSize(number.c_str()).x;
            beside.AddText({x, top_of(i)}, packed(wrong ? colour::error : colour::secondary), number.c_str());
        }
        beside.PopClipRect();
    }

    // The error under the mouse that does not fit.
    const CodeRemark* cut_under_mouse() const {
        for (const CodeRemark& remark : layout_.remarks) {
            const auto [low, high] = box_of(remark);
            if (remark.cut && ImGui::IsMouseHoveringRect(low, high)) return &remark;
        }
        return nullptr;
    }

    std::pair<ImVec2, ImVec2> box_of(const CodeRemark& remark) const {
        const float top = top_of(remark.line) + float(remark.first_row) * layout_.row_height;
        return {{window_.InnerRect.Min.x, top},
                {window_.InnerRect.Max.x, top + float(remark.rows.size()) * layout_.row_height}};
    }

private:
    float top_of(int line) const { return origin_.y + layout_.y_of(line); }
    float bottom_of(int line) const { return top_of(line) + float(layout_.pieces(line)) * layout_.row_height; }
    float left() const { return window_.InnerRect.Min.x + ImGui::GetStyle().FramePadding.x; }

    // From the error's column to the end of its row; not below blanks.
    void underline(const CodeRemark& remark) {
        const std::string_view line = layout_.text.line(remark.line);
        const size_t column = remark.error->line > layout_.text.lines()
                                  ? line.size()
                                  : size_t(std::clamp(remark.error->column - 1, 0, int(line.size())));
        const size_t begin = std::min(line.find_first_not_of(" \t", column), line.size());
        const CodePlace place{remark.line, int(begin == line.size() ? column : begin)};
        const float from = layout_.x_of(place);
        const float to =
            std::max(layout_.width_of(remark.line, layout_.piece_of(place)), from + ImGui::CalcTextSize("0").x);
        const float bottom = origin_.y + layout_.y_of(place) + layout_.row_height;
        draw_.AddRectFilled({origin_.x + from, bottom - px(1.5f)}, {origin_.x + to, bottom}, packed(colour::error));
    }

    // The part of it that is seen.
    void log(const char* what, int number, ImVec2 low, ImVec2 high) {
        ControlLog* controls = theme().control_log;
        ImRect seen(low, high);
        seen.ClipWith(window_.InnerRect);
        if (!controls || seen.GetHeight() <= 0) return;
        controls->push_back({name_ + ":" + what + ":" + std::to_string(number),
                             {seen.Min.x, seen.Min.y, seen.GetWidth(), seen.GetHeight()}});
    }

    ImGuiWindow& window_;
    ImDrawList& draw_;
    const CodeLayout& layout_;
    const std::string& name_;
    ImVec2 origin_;
    int first_, last_;
};

// Within the window that scrolls. `low`, `high`: the place of the line numbers, drawn to `beside`.
void show_text(const CodeField& field, const std::string& text, const CodeErrors& errors,
               const std::function<CodeErrors(const std::string&)>& take, ImDrawList& beside, ImVec2 low, ImVec2 high) {
    ImGuiWindow& window = *ImGui::GetCurrentWindow();
    Kept& kept = memory().code_fields[window.ID];
    const ImVec2 pad = ImGui::GetStyle().FramePadding, view = window.InnerRect.GetSize();
    const auto area_of = [&](const CodeLayout& layout) {
        const int rows = std::max(layout.rows.count(), layout.rows.row_of(layout.rows.lines() - 1) + 1 + spare_rows);
        return ImVec2(view.x, std::max(float(rows) * layout.row_height + 2 * pad.y, view.y));
    };
    const CodeLayout seen(text, errors, view.x - 2 * pad.x);
    std::string typed = text;
    Editing editing(window, kept);
    editing.forget_all_but(text);
    const bool changed = editing.edit(typed, area_of(seen), field.takes_keyboard);
    const CodeErrors wrong = changed ? take(typed) : errors;
    const CodeLayout now(typed, wrong, view.x - 2 * pad.x);
    const ImVec2 at = window.Pos;
    editing.correct(seen, now, {at.x + pad.x - window.Scroll.x, at.y + pad.y - window.Scroll.y}, view.y - 2 * pad.y);
    const ImVec2 area = area_of(now);
    window.Scroll = kept.scroll = scrolled(editing, kept, now, window.Scroll, view, area);
    Drawing drawing(window, now, field.name, {at.x + pad.x - kept.scroll.x, at.y + pad.y - kept.scroll.y});
    if (const CodeRemark* cut = drawing.cut_under_mouse(); cut && ImGui::IsItemHovered()) {
        const auto [top_left, bottom_right] = drawing.box_of(*cut);
        area_tooltip(cut->error->sentence, top_left, bottom_right);
    } else if (!editing.active()) {  // who types looks at the picture
        tooltip(field.tip);
    }
    drawing.errors();
    if (editing.active()) drawing.selection(editing.cursor());
    drawing.lines();
    if (editing.active()) drawing.cursor(editing.cursor().at);
    drawing.numbers(beside, low, high);
    ImGui::SetCursorPos(area);  // so far the window scrolls, from the next frame on
}

}  // namespace

float code_height(int lines, int errors) {
    ImGui::PushFont(theme().mono);
    const float height = ImGui::GetTextLineHeight() * float(lines + most_error_rows * std::max(errors, 1)) +
                         2 * ImGui::GetStyle().FramePadding.y;
    ImGui::PopFont();
    return height;
}

void code_field(const CodeField& field, const std::string& text, const CodeErrors& errors,
                const std::function<CodeErrors(const std::string&)>& take) {
    ImGui::PushFont(theme().mono);
    const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
    const float numbers = ImGui::CalcTextSize("0").x * float(std::to_string(lines).size()) + px(10);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList& beside = *ImGui::GetWindowDrawList();
    ImGui::SetCursorScreenPos({at.x + numbers, at.y});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImGui::GetStyleColorVec4(ImGuiCol_FrameBg));
    const bool seen =
        ImGui::BeginChild(field.id, {0, field.height}, false, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NavFlattened);
    ImGui::PopStyleColor();
    if (seen) show_text(field, text, errors, take, beside, at, {at.x + numbers, at.y + field.height});
    ImGui::EndChild();
    note(field.name);
    ImGui::PopFont();
}

}  // namespace texelscope::gui
