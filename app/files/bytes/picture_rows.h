#pragma once
// Pictures that a reader of ours makes row by row: turned upright, with the chosen channels, into the target.

#include <cstddef>
#include <functional>
#include <string_view>

#include "app/files/bytes/chosen_parts.h"

namespace texelscope {

// Writes row `y` of the picture as stored, from above, all its channels interleaved.
using MakeRow = std::function<void(int y, std::byte* to)>;

// Rows that the file does not have, as it ends early: of the stored picture, from above. They stay 0.
struct MissingRows {
    int first = 0, count = 0;
};
// If the file has only so many of its rows, which it begins with the lowest one or the highest.
constexpr MissingRows missing_rows(int there, int height, bool from_below) {
    return {from_below ? 0 : there, height - there};
}

// Of packed rows, so many of which are there: throws "truncated" if they are too few to show, as rows_present does.
void check_enough_rows(int there, int height, size_t file_bytes, std::string_view format);

// `stored`: the picture before it is turned, of as many channels as the file has; the rows are asked for from above, each once.
void deliver_rows(const ChosenPicture& picture, const PictureShape& stored, DecodingTarget& target,
                  const MakeRow& make_row, const MissingRows& missing = {});

// The same for a file with one picture, whose channels have the usual names.
void deliver_single(const PictureChoice& choice, const PictureShape& stored, int orientation, DecodingTarget& target,
                    const MakeRow& make_row, const MissingRows& missing = {});

}  // namespace texelscope
