#pragma once
// What an image is decoded by: pieces of it, of which the last ones used are kept.

#include <array>
#include <list>
#include <map>
#include <utility>

#include "app/files/bytes/file_io.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

struct Piece {
    SampleRegion region;
    Bytes samples = {};  // row by row without gaps
};

// Copies what both have in common; the region's rows begin `row_bytes` apart at `to`.
void copy_common(const Piece& piece, const SampleRegion& region, size_t pixel_bytes, std::byte* to, size_t row_bytes);

// The side of square tiles that are read most cheaply if pieces of this size are decoded.
int tile_of_pieces(int piece_width, int piece_height);

class KeptPieces {
public:
    using Place = std::array<int, 3>;  // level, and where in it

    explicit KeptPieces(size_t budget = 0) : budget_(budget) {}
    void set_budget(size_t bytes) { budget_ = bytes; }

    // Made by `decode` unless it is there; valid until the next one.
    template <class Decode> const Piece& at(const Place& place, const Decode& decode) {
        if (const auto found = places_.find(place); found != places_.end()) {
            pieces_.splice(pieces_.begin(), pieces_, found->second);
            return pieces_.front().second;
        }
        return keep(place, decode());
    }

private:
    using Pieces = std::list<std::pair<Place, Piece>>;

    const Piece& keep(const Place& place, Piece piece);

    size_t budget_, kept_ = 0;  // bytes
    Pieces pieces_;             // the last one used first
    std::map<Place, Pieces::iterator> places_;
};

// Regions are all that some readers need: the whole picture is made of them.

// From the first row to the last, in bands of whole tiles. Throws what reading and the target throw.
void read_whole(const TileSource& source, const PictureFacts& facts, DecodingTarget& target);

}  // namespace texelscope
