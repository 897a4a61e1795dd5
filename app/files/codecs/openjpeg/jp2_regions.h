#pragma once
// A JPEG 2000 file as OpenJPEG has it open.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <openjpeg.h>

#include "app/files/decoding/decoder.h"

namespace texelscope {

struct Jp2Channel {
    uint32_t bits = 0;  // of a sample: 1 to 31
    bool is_signed = false;
};

// What the header of the codestream says.
struct Jp2Header {
    uint32_t width = 0, height = 0;
    std::vector<Jp2Channel> channels = {};
    uint32_t tile_width = 0, tile_height = 0, columns = 0, rows = 0;  // columns and rows of tiles
    uint32_t resolutions = 1;  // how many sizes each of its channels has: each half of the one before, rounded up
};

// What a file that ends early has of a tile.
enum class Jp2Presence : uint8_t { none, part, whole };

// By the lengths of its tile-parts, for a codestream of `count` tiles (ISO/IEC 15444-1, A.4.2). Empty: all of them are
// whole, or what is wrong is not the end.
std::vector<Jp2Presence> tiles_present(const EncodedFile& file, uint32_t count);

class Jp2Codec {
public:
    // Reads the header. `partial`: of a tile that is cut it decodes what is there. Throws Error, NotInParts.
    explicit Jp2Codec(const EncodedFile& file, bool partial = false);

    const Jp2Header& header() const { return header_; }

    // Both halve each side `level` times and throw Error or OutOfMemory, after which nothing more can be read. What they return
    // is valid until the next one.
    //
    // Any tile, in any order.
    const opj_image_t& tile(uint32_t number, uint32_t level);
    // Columns [left, right), rows [top, bottom) of level 0. Only once, but as often as wanted if there is one tile and this is
    // not all of it.
    const opj_image_t& area(int left, int top, int right, int bottom, uint32_t level);

private:
    // Reads the file where OpenJPEG looks at it, and the end mark of the codestream behind a file that lacks it.
    struct Input {
        int descriptor;
        int64_t bytes, at;
        std::string_view added = {};

        int64_t end() const { return bytes + int64_t(added.size()); }
        size_t read(void* to, size_t count);
    };

    void open_stream();
    void read_header();
    void check(bool done) const;

    Input input_;
    bool partial_;
    std::string problem_;  // the first that OpenJPEG has told
    std::unique_ptr<opj_stream_t, void (*)(opj_stream_t*)> stream_;
    std::unique_ptr<opj_codec_t, void (*)(opj_codec_t*)> codec_;
    std::unique_ptr<opj_image_t, void (*)(opj_image_t*)> image_;
    Jp2Header header_;
};

}  // namespace texelscope
