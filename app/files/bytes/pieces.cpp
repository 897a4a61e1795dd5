#include "app/files/bytes/pieces.h"

#include <algorithm>
#include <cstring>

namespace texelscope {

void copy_common(const Piece& piece, const SampleRegion& region, size_t pixel_bytes, std::byte* to, size_t row_bytes) {
    const SampleRegion& from = piece.region;
    const int64_t left = std::max(from.x, region.x), right = std::min(from.x + from.width, region.x + region.width);
    const int64_t top = std::max(from.y, region.y), bottom = std::min(from.y + from.height, region.y + region.height);
    if (left >= right) return;
    for (int64_t y = top; y < bottom; ++y)
        std::memcpy(
            to + size_t(y - region.y) * row_bytes + size_t(left - region.x) * pixel_bytes,
            piece.samples.data() + (size_t(y - from.y) * size_t(from.width) + size_t(left - from.x)) * pixel_bytes,
            size_t(right - left) * pixel_bytes);
}

int tile_of_pieces(int piece_width, int piece_height) {
    constexpr int usual = 512, largest = 1 << 14;
    const int side = std::max(piece_width, piece_height);
    return side >= usual / 2 ? std::min(side, largest) : usual / side * side;
}

const Piece& KeptPieces::keep(const Place& place, Piece piece) {
    kept_ += piece.samples.size();
    while (!pieces_.empty() && kept_ > budget_) {
        kept_ -= pieces_.back().second.samples.size();
        places_.erase(pieces_.back().first);
        pieces_.pop_back();
    }
    pieces_.emplace_front(place, std::move(piece));
    places_[place] = pieces_.begin();
    return pieces_.front().second;
}

void read_whole(const TileSource& source, const PictureFacts& facts, DecodingTarget& target) {
    const ImageInfo& info = source.info();
    Image* const into = target.begin({info.width, info.height, info.channels, info.type, info.alpha}, facts);
    if (!into) return;
    Image& image = *into;
    for (int y = 0; y < info.height; y += source.tile()) {
        const int rows = std::min(source.tile(), info.height - y);
        source.read(0, {0, y, info.width, rows}, image.row(y), image.row_bytes());
        target.rows_done(y + rows);
    }
}

}  // namespace texelscope
