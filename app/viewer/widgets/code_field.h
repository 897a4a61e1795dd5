#pragma once
// A field for the text of a program or a formula: in the fixed-width font, with its lines numbered. What is wrong stands under
// the line it is in.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

namespace texelscope::gui {

// What is wrong in a text of lines.

struct CodeError {
    int line = 1, column = 1;  // from 1 on, columns in bytes; after the last line is in the last one
    std::string sentence;
    bool operator==(const CodeError&) const = default;
};
using CodeErrors = std::vector<CodeError>;

// The errors of a text that has been changed since and is not checked again yet: they stay with their lines. Those of lines
// that are no more go to what has taken their place.
CodeErrors moved_along(CodeErrors errors, std::string_view before, std::string_view after);

struct CodeField {
    const char* id;
    std::string name;  // in the ControlLog: of the field, and of NAME:line:N, NAME:error:N and NAME:cursor in it
    float height;      // window coordinates
    std::string tip;   // while the mouse is on the text
    bool takes_keyboard = false;  // in this frame
};

// As wide as there is space. When the text was changed, `take` is given it and returns what is wrong with it now, so that no
// frame shows the errors of another text. Esc gives the keyboard back and keeps what was typed.
void code_field(const CodeField& field, const std::string& text, const CodeErrors& errors,
                const std::function<CodeErrors(const std::string&)>& take);

// The height of a field for so many lines and errors. Below the lines there is space for one error even if there is none.
float code_height(int lines, int errors);

// Where the lines of a text are on the screen, if rows of other text follow some of them.

// Lines and rows count from 0 on; there is at least one line.
class CodeRows {
public:
    // `following`: for each line, how many rows of other text stand between it and the next one.
    explicit CodeRows(const std::vector<int>& following);

    int lines() const { return int(starts_.size()) - 1; }
    int count() const { return starts_.back(); }  // of rows
    int row_of(int line) const { return starts_[std::size_t(line)]; }

    // The line that is in a row, or above what is there; of a row before the first or after the last: the first or last line.
    int line_at(int row) const;

private:
    std::vector<int> starts_;  // rows of the lines, and the one after all
};

// A text by its lines, and places in it: in lines and bytes, or as Dear ImGui counts them, in characters from its beginning.

// From 0 on; `byte` is within the line, at most its length.
struct CodePlace {
    int line = 0;
    int byte = 0;
    bool operator==(const CodePlace&) const = default;
};

class CodeText {
public:
    explicit CodeText(std::string_view utf8);  // must outlive this

    int lines() const { return int(lines_.size()); }  // one at least: a text that ends with \n has an empty last one
    std::string_view line(int i) const { return lines_[size_t(i)]; }  // without its \n

    // A place after the end is the end.
    CodePlace place_of(int character) const;
    int character_of(const CodePlace& place) const;

private:
    std::vector<std::string_view> lines_;
};

// The bytes of a text's first character; 0 if it is empty.
int character_bytes(std::string_view utf8);

// What a code field shows: the lines of a text, a long one in several rows, and rows of what is wrong under some of them.

inline constexpr int most_error_rows = 3;  // of one error; its tooltip has all of it

// An error in its rows.
struct CodeRemark {
    const CodeError* error;
    int line;       // from 0 on
    int first_row;  // below the line's first: after its own rows and the errors before
    std::vector<std::string> rows;
    bool cut = false;
};

// In the current font, for the errors in the theme's for text. Text and errors must outlive it. Positions are relative to the
// upper left corner of the first letter.
struct CodeLayout {
    CodeLayout(const std::string& text, const CodeErrors& errors, float width);

    CodeText text;
    std::vector<std::vector<int>> starts;  // of each line: the bytes at which its rows begin, the first 0
    std::vector<CodeRemark> remarks;
    CodeRows rows;
    float row_height;

    float x_of(const CodePlace& place) const;
    float y_of(int line) const { return float(rows.row_of(line)) * row_height; }
    float y_of(const CodePlace& place) const { return y_of(place.line) + float(piece_of(place)) * row_height; }

    int pieces(int line) const { return int(starts[size_t(line)].size()); }  // rows of its own
    int piece_of(const CodePlace& place) const;
    std::string_view piece(int line, int k) const;
    float width_of(int line, int k) const;

    CodePlace place_at(ImVec2 at) const;  // the nearest one
    CodePlace place_in(int line, float x, int piece = 0) const;
};

}  // namespace texelscope::gui
