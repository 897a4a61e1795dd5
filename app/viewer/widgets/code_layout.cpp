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

// Where the rows of a line begin: after a space or an operator if the row has one, so that none is wider than `width`.
std::vector<int> starts_of(std::string_view line, float width) {
    std::vector<int> starts = {0};
    const ImFont& font = *ImGui::GetFont();
    float x = 0;
    int break_at = 0;
    for (int byte = 0; byte < int(line.size());) {
        const int bytes = character_bytes(line.substr(size_t(byte)));
        x += width_in(font, line.substr(size_t(byte), size_t(bytes)));
        if (x > width && byte > starts.back()) {
            const int start = break_at > starts.back() ? break_at : byte;
            starts.push_back(start);
            x = width_in(font, line.substr(size_t(start), size_t(byte + bytes - start)));
        }
        byte += bytes;
        if (std::string_view(" ,;+-*/?:<>=&|(").find(line[size_t(byte - 1)]) != std::string_view::npos) break_at = byte;
    }
    return starts;
}

std::vector<std::vector<int>> starts_of_all(const CodeText& text, float width) {
    std::vector<std::vector<int>> all;
    for (int i = 0; i < text.lines(); ++i) all.push_back(starts_of(text.line(i), width));
    return all;
}

std::vector<CodeRemark> remarks_of(const CodeText& text, const std::vector<std::vector<int>>& starts,
                                   const CodeErrors& errors, float width) {
    const ImFont& font = *theme().text;
    std::vector<CodeRemark> remarks;
    for (const CodeError& error : errors) {
        if (error.line < 1) continue;  // of the whole
        const int line = std::min(error.line, text.lines()) - 1;
        int first = int(starts[size_t(line)].size());
        for (const CodeRemark& other : remarks)
            if (other.line == line) first += int(other.rows.size());
        const auto width_of = [&](const std::string& words) { return width_in(font, words); };
        std::vector<std::string> rows = in_rows(error.sentence, width, most_error_rows, width_of);
        const bool cut = !rows.empty() && rows.back().ends_with("…") && !error.sentence.ends_with("…");
        remarks.push_back({&error, line, first, std::move(rows), cut});
    }
    return remarks;
}

std::vector<int> rows_following(const std::vector<std::vector<int>>& starts, const std::vector<CodeRemark>& remarks) {
    std::vector<int> following;
    for (const std::vector<int>& line : starts) following.push_back(int(line.size()) - 1);
    for (const CodeRemark& remark : remarks) following[size_t(remark.line)] += int(remark.rows.size());
    return following;
}

}  // namespace

CodeLayout::CodeLayout(const std::string& of, const CodeErrors& errors, float width)
    : text(of),
      starts(starts_of_all(text, width)),
      remarks(remarks_of(text, starts, errors, width)),
      rows(rows_following(starts, remarks)),
      row_height(ImGui::GetTextLineHeight()) {}

int CodeLayout::piece_of(const CodePlace& place) const {
    const std::vector<int>& of_line = starts[size_t(place.line)];
    return int(std::upper_bound(of_line.begin(), of_line.end(), place.byte) - of_line.begin()) - 1;
}

std::string_view CodeLayout::piece(int line, int k) const {
    const std::vector<int>& of_line = starts[size_t(line)];
    const std::string_view all = text.line(line);
    const size_t begin = size_t(of_line[size_t(k)]),
                 end = k + 1 < int(of_line.size()) ? size_t(of_line[size_t(k) + 1]) : all.size();
    return all.substr(begin, end - begin);
}

float CodeLayout::width_of(int line, int k) const { return width_in(*ImGui::GetFont(), piece(line, k)); }

float CodeLayout::x_of(const CodePlace& place) const {
    const int k = piece_of(place), begin = starts[size_t(place.line)][size_t(k)];
    return width_in(*ImGui::GetFont(), piece(place.line, k).substr(0, size_t(place.byte - begin)));
}

CodePlace CodeLayout::place_at(ImVec2 at) const {
    const int row = int(std::clamp(std::floor(at.y / row_height), -1.0f, float(rows.count())));
    const int line = rows.line_at(row);
    return place_in(line, at.x, row - rows.row_of(line));
}

CodePlace CodeLayout::place_in(int line, float x, int piece_in_line) const {
    const int k = std::clamp(piece_in_line, 0, pieces(line) - 1);
    const std::string_view all = piece(line, k);
    int byte = 0;
    for (float left = 0; byte < int(all.size());) {
        const int bytes = character_bytes(all.substr(size_t(byte)));
        // The place after the last letter of a row is the first one of the next row.
        if (k + 1 < pieces(line) && byte + bytes >= int(all.size())) break;
        const float wide = width_in(*ImGui::GetFont(), all.substr(size_t(byte), size_t(bytes)));
        if (x < left + wide / 2) break;
        left += wide;
        byte += bytes;
    }
    return {line, starts[size_t(line)][size_t(k)] + byte};
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
