#pragma once
// Delivery of pictures that our readers make row by row: turned upright, with the chosen channels.

#include <cstddef>
#include <functional>
#include <string_view>

#include "app/files/bytes/chosen_parts.h"

namespace texelscope {

// Writes row `y` of the picture as stored, from above, all its channels interleaved.
using MakeRow = std::function<void(int y, std::byte* to)>;

// Rows of the stored picture, counted from above, that a file which ends early lacks. They stay 0.
struct MissingRows {
    int first = 0, count = 0;
};
// The rows missing from a file that holds only its first `there` rows, beginning with the lowest or the highest one.
constexpr MissingRows missing_rows(int there, int height, bool from_below) {
    return {from_below ? 0 : there, height - there};
}

// Throws "truncated" if too few of the packed rows are there to be shown, as rows_present does.
void check_enough_rows(int there, int height, size_t file_bytes, std::string_view format);

// Makes each row once, from above, and places it. `stored`: the picture before turning, with all channels of the file.
void deliver_rows(const ChosenPicture& picture, const PictureShape& stored, DecodingTarget& target,
                  const MakeRow& make_row, const MissingRows& missing = {});

// deliver_rows() for a file with one picture, whose channels have the usual names.
void deliver_single(const PictureChoice& choice, const PictureShape& stored, int orientation, DecodingTarget& target,
                    const MakeRow& make_row, const MissingRows& missing = {});

}  // namespace texelscope
