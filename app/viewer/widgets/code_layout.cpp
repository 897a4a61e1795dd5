#include "app/viewer/widgets/code_layout.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/viewer/widgets/text_rows.h"
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

}  // namespace texelscope::gui
