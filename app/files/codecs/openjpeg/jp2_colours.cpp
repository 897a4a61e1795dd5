#include "app/files/codecs/openjpeg/jp2_colours.h"

#include <algorithm>

#include "app/files/bytes/boxes.h"

namespace texelscope {
namespace {

bool is_grey_or_rgb(ByteSpan colour) {
    constexpr uint32_t enumerated = 1, srgb = 16, grey = 17;
    if (colour.size() < 7 || byte_at(colour, 0) != enumerated) return true;  // a profile, which changes no sample
    const uint32_t space = be32(colour, 3);
    return space == srgb || space == grey;
}

// Colours in their order, straight alpha behind them.
bool is_in_order(ByteSpan definitions) {
    constexpr size_t entry = 6;
    constexpr uint32_t colour = 0, opacity = 1;
    const size_t count = definitions.size() < 2 ? 0 : be16(definitions, 0);
    if (definitions.size() < 2 + count * entry) return false;
    for (size_t i = 0; i < count; ++i) {
        const ByteSpan each = definitions.subspan(2 + i * entry, entry);
        const uint32_t channel = be16(each, 0), type = be16(each, 2), of = be16(each, 4);
        const bool last = channel + 1 == count;
        if (type == colour ? of != channel + 1 : type == opacity && !last) return false;
        if (type != colour && type != opacity && last) return false;
    }
    return true;
}

}  // namespace

std::string why_not_plain(const ReadAt& read, uint64_t bytes) {
    const FileBox header = box_in(read, {0, bytes}, "jp2h");
    constexpr size_t enough = 2 + 6 * 16;
    const auto content = [&](const FileBox& box) {
        return read(box.begin, std::min<size_t>(enough, box.end - box.begin));
    };
    if (box_in(read, header, "pclr").found()) return "it has a palette";
    if (const FileBox colour = box_in(read, header, "colr"); colour.found() && !is_grey_or_rgb(content(colour)))
        return "its colours are neither grey nor RGB";
    if (const FileBox order = box_in(read, header, "cdef"); order.found() && !is_in_order(content(order)))
        return "its channels are not in the order of their colours";
    return {};
}

}  // namespace texelscope
