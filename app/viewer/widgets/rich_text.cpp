#include "app/viewer/widgets/rich_text.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <string_view>

#include "app/viewer/widgets/widgets.h"

namespace texelscope::gui {
namespace {

using Style = TextSpan::Style;
using Kind = TextBlock::Kind;

ImFont* font_of(Style style) {
    switch (style) {
        case Style::plain:
        case Style::link: return theme().reading;
        case Style::bold:
        case Style::live: return theme().reading_bold;
        case Style::italic: return theme().reading_italic;
        case Style::code: return theme().reading_code;
    }
    return theme().reading;
}

float size_of(const ImFont* font) { return font->FontSize * ImGui::GetIO().FontGlobalScale; }

float width_of(ImFont* font, std::string_view text) {
    return font->CalcTextSizeA(size_of(font), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

// A part of a word in one style; lines break only between words.
struct Part {
    Style style;
    std::string_view text;
    bool after_space;                     // begins a word
    const std::string* target = nullptr;  // of a link
};

constexpr size_t longest_code = 28;  // characters without a line break

std::vector<Part> parts_of(std::span<const TextSpan> spans) {
    std::vector<Part> parts;
    bool space = false;
    for (const TextSpan& span : spans)
        for (std::string_view rest = span.text; !rest.empty();) {
            const bool whole = span.style == Style::code && rest.size() <= longest_code;
            size_t end = whole ? rest.size() : std::min(rest.find(' '), rest.size());
            while (end + 1 < rest.size() && rest[end + 1] == '%')  // stays with its number
                end = std::min(rest.find(' ', end + 1), rest.size());
            if (end > 0) {
                parts.push_back(
                    {span.style, rest.substr(0, end), space, span.style == Style::link ? &span.target : nullptr});
                space = false;
            }
            if (end < rest.size()) space = true;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    return parts;
}

// Number of bytes of an overlong word that fit into the rest of a line; whole UTF-8 characters, at least one.
size_t fitting(ImFont* font, std::string_view text, float width) {
    size_t best = 0;
    for (size_t end = 1; end <= text.size(); ++end) {
        if (end < text.size() && (text[end] & 0xC0) == 0x80) continue;
        if (best > 0 && width_of(font, text.substr(0, end)) > width) break;
        best = end;
    }
    return best;
}

// Lays out blocks line by line, from one column to the next; draws if it has a draw list.
class Setter {
public:
    Setter(ImVec2 at, const TextColumns& columns, ImDrawList* draw, const Colour& ink)
        : columns_(columns),
          at_(at),
          x_(at.x),
          y_(at.y),
          draw_(draw),
          ink_(ink),
          line_(std::round(size_of(theme().reading) * 1.28f)) {}

    // Where the text ends: in this column, at this distance from its top.
    TextEnd set(std::span<const TextBlock> blocks) {
        const TextBlock* before = nullptr;
        for (size_t i = 0; i < blocks.size();) {
            if (before) y_ += before->kind == Kind::item && blocks[i].kind == Kind::item ? px(3) : px(10);
            const size_t cells = cells_of_table(blocks.subspan(i));
            if (cells > 0) set_table(blocks.subspan(i, cells));
            else set(blocks[i]);
            i += std::max<size_t>(cells, 1);
            before = &blocks[i - 1];
        }
        return {column_, y_ - at_.y};
    }

    // The target of the link that was clicked; those that are pointed at explain themselves.
    std::string clicked() const {
        std::string target;
        for (const Link& link : links_) {
            if (ControlLog* log = theme().control_log)
                log->push_back({"link:" + *link.target, {link.at.x, link.at.y, link.size.x, link.size.y}});
            const ImVec2 mouse = ImGui::GetIO().MousePos;
            const bool over = mouse.x >= link.at.x && mouse.y >= link.at.y && mouse.x < link.at.x + link.size.x &&
                              mouse.y < link.at.y + link.size.y;
            if (!over || !ImGui::IsWindowHovered()) continue;
            ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            if (ImGui::IsMouseClicked(0)) target = *link.target;
            const LinkTarget place = parse_target(*link.target);
            area_tooltip(place.term     ? place.term->meaning
                         : place.method ? place.method->summary
                                        : std::string_view("Go to this step of a lesson."),
                         link.at, {link.at.x + link.size.x, link.at.y + link.size.y});
        }
        return target;
    }

private:
    struct Link {
        ImVec2 at, size;
        const std::string* target;
    };

    float edge() const { return at_.x + float(column_) * (columns_.width + columns_.gap); }
    float left() const { return edge() + inset_left_; }
    float right() const { return edge() + columns_.width - inset_right_; }

    // Goes to the next column, if there is one, unless this much more fits into this one.
    void make_room(float height) {
        constexpr float rounding = 0.5f;
        if (column_ + 1 >= columns_.count || y_ == at_.y || y_ + height <= at_.y + columns_.height + rounding) return;
        ++column_;
        y_ = at_.y;
    }

    void set(const TextBlock& block) {
        const std::vector<Part> parts = parts_of(block.spans);
        const bool note = block.kind == Kind::note;
        inset_left_ = block.kind == Kind::item ? px(18) : note ? px(14) : 0;
        inset_right_ = note ? px(10) : 0;
        float whole = line_;
        if (note) {  // stays in one column; its background is under its text, whose height must be known
            Setter measure({0, 0}, {.width = right() - left()}, nullptr, ink_);
            measure.set_parts(parts);
            whole = measure.y_ + line_ + 2 * px(8);
        }
        make_room(whole);
        const ImVec2 top{edge(), y_};
        if (draw_ && note) {
            draw_->AddRectFilled(top, {top.x + columns_.width, top.y + whole}, packed(colour::accent, 0.09f), px(4));
            draw_->AddRectFilled(top, {top.x + px(3), top.y + whole}, packed(colour::accent), px(2));
        }
        if (draw_ && block.kind == Kind::item)
            draw_->AddCircleFilled({top.x + px(7), y_ + line_ / 2}, px(2.5f), packed(colour::accent));
        if (note) y_ += px(8);
        x_ = left();
        set_parts(parts);
        y_ += line_ + (note ? px(8) : 0);
        inset_left_ = inset_right_ = 0;
    }

    // Columns as wide as their cells, if all have room; else those that are too wide share what the others leave.
    std::vector<float> column_widths(std::span<const TextBlock> cells) const {
        std::vector<float> widths(size_t(cells[0].columns));
        for (const TextBlock& cell : cells) {
            Setter measure({0, 0}, {.width = FLT_MAX}, nullptr, ink_);
            measure.set_parts(parts_of(cell.spans));
            widths[size_t(cell.column)] = std::max(widths[size_t(cell.column)], std::ceil(measure.x_));
        }
        float room = columns_.width - px(table_gap) * float(widths.size() - 1);
        std::vector<float> ordered = widths;
        std::ranges::sort(ordered);
        float most = ordered.back();
        for (size_t i = 0; i < ordered.size(); ++i) {
            most = std::max(room / float(ordered.size() - i), px(20));
            if (ordered[i] > most) break;
            room -= ordered[i];
        }
        for (float& width : widths) width = std::min(width, std::max(most, px(20)));
        return widths;
    }

    // Row by row, each in one column of the page.
    void set_table(std::span<const TextBlock> cells) {
        const std::vector<float> widths = column_widths(cells);
        float whole = px(table_gap) * float(widths.size() - 1);
        for (const float width : widths) whole += width;
        for (size_t i = 0; i < cells.size(); i += widths.size()) {
            const std::span<const TextBlock> row = cells.subspan(i, widths.size());
            float height = 0;
            for (const TextBlock& cell : row) {
                Setter measure({0, 0}, {.width = widths[size_t(cell.column)]}, nullptr, ink_);
                measure.set_parts(parts_of(cell.spans));
                height = std::max(height, measure.y_ + line_);
            }
            make_room(height + px(5));
            const float top = y_;
            float left = 0;
            for (const TextBlock& cell : row) {
                const float width = widths[size_t(cell.column)];
                inset_left_ = left;
                inset_right_ = columns_.width - left - width;
                y_ = top;
                x_ = this->left();
                set_parts(parts_of(cell.spans));
                left += width + px(table_gap);
            }
            inset_left_ = inset_right_ = 0;
            y_ = top + height + px(2);
            const bool heading = row[0].kind == Kind::heading_cell;
            if (draw_ && i + widths.size() < cells.size())
                draw_->AddLine({edge(), y_}, {edge() + whole, y_}, packed(ink_, heading ? 0.5f : 0.15f), px(1));
            y_ += px(3);
        }
    }

    void set_parts(const std::vector<Part>& parts) {
        const float space = width_of(theme().reading, " ");
        for (size_t i = 0; i < parts.size();) {
            size_t end = i + 1;
            while (end < parts.size() && !parts[end].after_space) ++end;
            float width = 0;
            for (size_t k = i; k < end; ++k) width += width_of_part(parts[k]);
            if (x_ > left()) {
                if (x_ + space + width > right()) new_line();
                else x_ += parts[i].after_space ? space : 0;
            }
            for (; i < end; ++i) put(parts[i], width > right() - left());
        }
    }

    float width_of_part(const Part& part) const {
        return width_of(font_of(part.style), part.text) + (part.style == Style::code ? px(4) : 0);
    }

    void new_line() {
        y_ += line_;
        make_room(line_);
        x_ = left();
    }

    void put(Part part, bool broken) {
        ImFont* font = font_of(part.style);
        while (broken && width_of(font, part.text) > right() - x_) {
            const size_t bytes = fitting(font, part.text, right() - x_);
            put({part.style, part.text.substr(0, bytes), false, part.target}, false);
            part.text.remove_prefix(bytes);
            new_line();
            if (part.text.empty()) return;
        }
        const float width = width_of_part(part), size = size_of(font), top = y_ + (line_ - size) / 2;
        const float inset = part.style == Style::code ? px(2) : 0;
        if (draw_ && part.style == Style::code)
            draw_->AddRectFilled({x_, top + px(1)}, {x_ + width, top + size - px(1)}, packed(colour::field), px(3));
        const Colour& ink = part.style == Style::code ? code_ink : part.target ? colour::accent : ink_;
        if (draw_)
            draw_->AddText(font, size, {x_ + inset, top}, packed(ink), part.text.data(),
                           part.text.data() + part.text.size());
        if (draw_ && part.target) {
            draw_->AddLine({x_, top + size}, {x_ + width, top + size}, packed(ink, 0.6f));
            links_.push_back({{x_, top}, {width, size}, part.target});
        }
        x_ += width;
    }

    static constexpr Colour code_ink = rgb(0xbfd9f2);
    static constexpr float table_gap = 14;
    TextColumns columns_;
    ImVec2 at_;
    int column_ = 0;
    float x_, y_, inset_left_ = 0, inset_right_ = 0;
    ImDrawList* draw_;
    Colour ink_;
    float line_;
    std::vector<Link> links_;
};

}  // namespace

float rich_text_height(std::span<const TextBlock> blocks, float width) {
    return rich_text_end(blocks, {.width = width}).y;
}

std::string rich_text(std::span<const TextBlock> blocks, float width, const Colour& ink) {
    const TextColumns one{.width = width};
    Setter setter(ImGui::GetCursorScreenPos(), one, ImGui::GetWindowDrawList(), ink);
    ImGui::Dummy({width, setter.set(blocks).y});
    return setter.clicked();
}

TextEnd rich_text_end(std::span<const TextBlock> blocks, const TextColumns& columns) {
    return Setter({0, 0}, columns, nullptr, colour::text).set(blocks);
}

std::string rich_text_in(std::span<const TextBlock> blocks, const TextColumns& columns) {
    Setter setter(ImGui::GetCursorScreenPos(), columns, ImGui::GetWindowDrawList(), colour::text);
    setter.set(blocks);
    return setter.clicked();
}

namespace {

std::string rows_in(ImFont* font, const std::string& text, float width) {
    return broken(text, width, [font](const std::string& row) { return width_of(font, row); });
}

float height_of_rows(ImFont* font, const std::string& rows) {
    return font->CalcTextSizeA(size_of(font), FLT_MAX, 0, rows.c_str()).y;
}

}  // namespace

float wrapped_height(const std::string& text, ImFont* font, float width) {
    return height_of_rows(font, rows_in(font, text, width));
}

void wrapped(const std::string& text, ImFont* font, float width, const Colour& ink) {
    const std::string rows = rows_in(font, text, width);
    ImGui::GetWindowDrawList()->AddText(font, size_of(font), ImGui::GetCursorScreenPos(), packed(ink), rows.c_str());
    ImGui::Dummy({width, height_of_rows(font, rows)});
}

namespace {

// The position of the next character after `at`.
size_t after(const std::string& text, size_t at) {
    do ++at;
    while (at < text.size() && (text[at] & 0xC0) == 0x80);
    return std::min(at, text.size());
}

// How many bytes of whole characters fit; those of one at least.
size_t fitting_bytes(const std::string& text, float room, const std::function<float(const std::string&)>& width_of) {
    std::vector<size_t> ends;  // of the first characters, until they are too wide
    for (size_t at = 0, most = 16; at < text.size(); most *= 2) {
        while (at < text.size() && ends.size() < most) ends.push_back(at = after(text, at));
        if (width_of(text.substr(0, at)) > room) break;
    }
    const auto end =
        std::partition_point(ends.begin(), ends.end(), [&](size_t n) { return width_of(text.substr(0, n)) <= room; });
    return end == ends.begin() ? ends.front() : *(end - 1);
}

}  // namespace

std::vector<std::string> in_rows(std::string text, float room, int most,
                                 const std::function<float(const std::string&)>& width_of) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::vector<std::string> rows;
    while (!text.empty()) {
        const size_t fits = fitting_bytes(text, room, width_of);
        if (fits == text.size()) {
            rows.push_back(std::move(text));
            break;
        }
        if (int(rows.size()) + 1 == most) {
            rows.push_back(cut(text.substr(0, after(text, fits)), room, width_of));
            if (const size_t gap = rows.back().rfind(" …"); gap != std::string::npos) rows.back().erase(gap, 1);
            break;
        }
        const size_t space = text.rfind(' ', fits);
        const size_t end = space == std::string::npos || space == 0 ? fits : space;
        rows.push_back(text.substr(0, end));
        text.erase(0, std::min(text.find_first_not_of(' ', end), text.size()));
    }
    return rows;
}

std::string broken(std::string_view text, float room, const std::function<float(const std::string&)>& width_of) {
    std::string all;
    for (size_t start = 0; start <= text.size();) {
        const size_t end = std::min(text.find('\n', start), text.size());
        if (start > 0) all += '\n';
        const auto rows =
            in_rows(std::string(text.substr(start, end - start)), room, std::numeric_limits<int>::max(), width_of);
        for (size_t i = 0; i < rows.size(); ++i) all += (i ? "\n" : "") + rows[i];
        start = end + 1;
    }
    return all;
}

}  // namespace texelscope::gui
