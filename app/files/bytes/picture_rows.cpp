#include "app/files/bytes/picture_rows.h"

#include <algorithm>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/bytes/turned_rows.h"

namespace texelscope {
namespace {

constexpr int band_rows = 32;  // rows that are turned together, block by block

bool in_order(const std::vector<int>& which, int stored) {
    for (size_t i = 0; i < which.size(); ++i)
        if (which[i] != int(i)) return false;
    return int(which.size()) == stored;
}

}  // namespace

void check_enough_rows(int there, int height, size_t file_bytes, std::string_view format) {
    constexpr int least = 16;  // at least one row in 16 must be there
    if (there == 0 || there < height / least) throw_truncated(file_bytes, format);
}

void deliver_rows(const ChosenPicture& picture, const PictureShape& stored, DecodingTarget& target,
                  const MakeRow& make_row, const MissingRows& missing) {
    const auto& [width, height, stored_channels, type, alpha] = stored;
    const ChosenChannels& channels = picture.channels;
    PictureFacts facts = picture.facts;
    const int orientation = turn_of(facts);
    if (missing.count > 0) facts.missing = turned({0, missing.first, width, missing.count}, width, height, orientation);
    Image& image = target.begin(turned_shape(width, height, channels, type, alpha, facts), facts);
    const bool direct = orientation == 1 && in_order(channels.which, stored_channels);
    const size_t row_bytes = size_t(width) * size_t(stored_channels) * size_t(bytes_per_sample(type));
    const int band = std::min(band_rows, height);
    std::vector<std::byte> samples(direct ? 0 : row_bytes * size_t(band));
    for (int first = 0; first < height; first += band) {
        const int count = std::min(band, height - first);
        for (int y = first; y < first + count; ++y) {
            std::byte* const row = direct ? image.row(y) : samples.data() + size_t(y - first) * row_bytes;
            if (y < missing.first || y >= missing.first + missing.count) make_row(y, row);
            else std::fill_n(row, row_bytes, std::byte(0));
        }
        if (!direct)
            place_rows({samples.data(), width, first, count, stored_channels, channels.which}, orientation, image);
        target.rows_done(orientation <= 2 ? first + count : 0);
    }
}

void deliver_single(const PictureChoice& choice, const PictureShape& stored, int orientation, DecodingTarget& target,
                    const MakeRow& make_row, const MissingRows& missing) {
    deliver_rows(chosen_picture(choice, stored, 1, orientation), stored, target, make_row, missing);
}

}  // namespace texelscope
