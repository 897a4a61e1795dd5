#pragma once
// Where the lines of a text are on the screen, if rows of other text follow some of them.

#include <cstddef>
#include <vector>

namespace texelscope::gui {

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

}  // namespace texelscope::gui
