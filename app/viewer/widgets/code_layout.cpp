#include "app/viewer/widgets/code_field.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/viewer/widgets/rich_text.h"
#include "app/viewer/widgets/theme.h"

namespace texelscope::gui {
namespace {

// Not rounded, unlike ImGui::CalcTextSize: as letters are drawn.
float width_in(const ImFont& font, std::string_view text) {
    return font.CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, text.data(), text.data() + text.size()).x;
}

std::vector<CodeRemark> remarks_of(const CodeText& text, const CodeErrors& errors, float width) {
    const ImFont& font = *theme().text;
    std::vector<CodeRemark> remarks;
    for (const CodeError& error : errors) {
        if (error.line < 1) continue;  // of the whole
        const int line = std::min(error.line, text.lines()) - 1;
        int first = 1;
        for (const CodeRemark& other : remarks)
            if (other.line == line) first += int(other.rows.size());
        const auto width_of = [&](const std::string& words) { return width_in(font, words); };
        std::vector<std::string> rows = in_rows(error.sentence, width, most_error_rows, width_of);
        const bool cut = !rows.empty() && rows.back().ends_with("…") && !error.sentence.ends_with("…");
        remarks.push_back({&error, line, first, std::move(rows), cut});
    }
    return remarks;
}

std::vector<int> rows_following(int lines, const std::vector<CodeRemark>& remarks) {
    std::vector<int> following(static_cast<size_t>(lines), 0);
    for (const CodeRemark& remark : remarks) following[size_t(remark.line)] += int(remark.rows.size());
    return following;
}

}  // namespace

CodeLayout::CodeLayout(const std::string& of, const CodeErrors& errors, float width)
    : text(of),
      remarks(remarks_of(text, errors, width)),
      rows(rows_following(text.lines(), remarks)),
      row_height(ImGui::GetTextLineHeight()) {}

float CodeLayout::x_of(const CodePlace& place) const {
    return width_in(*ImGui::GetFont(), text.line(place.line).substr(0, size_t(place.byte)));
}

float CodeLayout::longest() const {
    float longest = 0;
    for (int i = 0; i < text.lines(); ++i) longest = std::max(longest, width_in(*ImGui::GetFont(), text.line(i)));
    return longest;
}

CodePlace CodeLayout::place_at(ImVec2 at) const {
    const float row = std::floor(at.y / row_height);
    return place_in(rows.line_at(int(std::clamp(row, -1.0f, float(rows.count())))), at.x);
}

CodePlace CodeLayout::place_in(int line, float x) const {
    const std::string_view all = text.line(line);
    int byte = 0;
    for (float left = 0; byte < int(all.size());) {
        const int bytes = character_bytes(all.substr(size_t(byte)));
        const float wide = width_in(*ImGui::GetFont(), all.substr(size_t(byte), size_t(bytes)));
        if (x < left + wide / 2) break;
        left += wide;
        byte += bytes;
    }
    return {line, byte};
}

CodeErrors moved_along(CodeErrors errors, std::string_view before, std::string_view after) {
    const CodeText old(before), now(after);
    const int shorter = std::min(old.lines(), now.lines());
    int first = 0, last = 0;  // how many lines are the same, from either end
    while (first < shorter && old.line(first) == now.line(first)) ++first;
    while (last < shorter - first && old.line(old.lines() - 1 - last) == now.line(now.lines() - 1 - last)) ++last;
    for (CodeError& error : errors) {
        if (error.line <= first) continue;
        if (error.line > old.lines() - last) error.line += now.lines() - old.lines();
        else error.line = std::clamp(error.line, 1, std::max(now.lines() - last, 1));
    }
    return errors;
}

CodeRows::CodeRows(const std::vector<int>& following) : starts_{0} {
    for (const int rows : following) starts_.push_back(starts_.back() + 1 + rows);
    if (following.empty()) starts_.push_back(1);
}

int CodeRows::line_at(int row) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), row);
    return std::clamp(int(next - starts_.begin()) - 1, 0, lines() - 1);
}

namespace {

bool continues(char byte) { return (byte & 0xC0) == 0x80; }

int characters_of(std::string_view utf8) {
    return int(std::count_if(utf8.begin(), utf8.end(), [](char c) { return !continues(c); }));
}

}  // namespace

int character_bytes(std::string_view utf8) {
    size_t bytes = std::min<size_t>(utf8.size(), 1);
    while (bytes < utf8.size() && continues(utf8[bytes])) ++bytes;
    return int(bytes);
}

CodeText::CodeText(std::string_view utf8) {
    for (;;) {
        const size_t end = std::min(utf8.find('\n'), utf8.size());
        lines_.push_back(utf8.substr(0, end));
        if (end == utf8.size()) break;
        utf8.remove_prefix(end + 1);
    }
}

CodePlace CodeText::place_of(int character) const {
    int line = 0;
    for (; line + 1 < lines(); ++line) {
        const int characters = characters_of(lines_[size_t(line)]);
        if (character <= characters) break;
        character -= characters + 1;
    }
    std::string_view rest = lines_[size_t(line)];
    for (; character > 0 && !rest.empty(); --character) rest.remove_prefix(size_t(character_bytes(rest)));
    return {line, int(lines_[size_t(line)].size() - rest.size())};
}

int CodeText::character_of(const CodePlace& place) const {
    int character = 0;
    for (int line = 0; line < place.line; ++line) character += characters_of(lines_[size_t(line)]) + 1;
    return character + characters_of(lines_[size_t(place.line)].substr(0, size_t(place.byte)));
}

}  // namespace texelscope::gui
