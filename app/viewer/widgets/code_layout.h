#pragma once
// What a code field shows: the lines of a text, and rows of what is wrong under some of them.

#include <string>
#include <vector>

#include <imgui.h>

#include "app/viewer/widgets/code_field.h"
#include "app/viewer/widgets/code_rows.h"
#include "app/viewer/widgets/code_text.h"

namespace texelscope::gui {

inline constexpr int most_error_rows = 3;  // of one error; its tooltip has all of it

// An error in its rows.
struct CodeRemark {
    const CodeError* error;
    int line;       // from 0 on
    int first_row;  // below the line's own: 1 for the first error of a line
    std::vector<std::string> rows;
    bool cut = false;
};

// In the current font, for the errors in the theme's for text. Text and errors must outlive it. Positions are relative to the
// upper left corner of the first letter.
struct CodeLayout {
    CodeLayout(const std::string& text, const CodeErrors& errors, float width);

    CodeText text;
    std::vector<CodeRemark> remarks;
    CodeRows rows;
    float row_height;

    float x_of(const CodePlace& place) const;
    float y_of(int line) const { return float(rows.row_of(line)) * row_height; }
    float longest() const;                // of all lines
    CodePlace place_at(ImVec2 at) const;  // the nearest one
    CodePlace place_in(int line, float x) const;
};

}  // namespace texelscope::gui
