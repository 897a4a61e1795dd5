#include "app/files/codecs/openjpeg/jp2_colours.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "app/files/bytes/boxes.h"

namespace texelscope {
namespace {

bool is_grey_or_rgb(ByteSpan content) {
    constexpr uint32_t enumerated = 1, srgb = 16, grey = 17;
    if (content.size() < 7 || byte_at(content, 0) != enumerated) return true;  // a profile, which changes no sample
    const uint32_t space = be32(content, 3);
    return space == srgb || space == grey;
}

// Kinds of channels in a cdef box (ISO 15444-1, I.5.3.6).
enum Meaning : uint32_t { colour = 0, opacity = 1, premultiplied_opacity = 2, unspecified = 65535 };

struct Definition {
    uint32_t channel, meaning, of;  // of: the number of a colour, from 1
};

// Empty if there is no cdef box.
std::optional<std::vector<Definition>> definitions_in(const ReadAt& read, const FileBox& header) {
    constexpr size_t entry = 6, most = 16;
    const FileBox box = box_in(read, header, "cdef");
    if (!box.found()) return {};
    const Bytes content = read(box.begin, std::min<size_t>(2 + most * entry, box.end - box.begin));
    std::vector<Definition> definitions;
    for (size_t at = 2; at + entry <= content.size() && definitions.size() < be16(content, 0); at += entry)
        definitions.push_back({be16(content, at), be16(content, at + 2), be16(content, at + 4)});
    return definitions;
}

// Colours in their order, alpha behind them; data anywhere.
bool is_in_order(const std::vector<Definition>& definitions) {
    return std::all_of(definitions.begin(), definitions.end(), [&](const Definition& each) {
        switch (each.meaning) {
            case colour: return each.of == each.channel + 1;
            case opacity:
            case premultiplied_opacity: return each.channel + 1 == definitions.size();
            default: return each.meaning == unspecified;
        }
    });
}

}  // namespace

std::string why_not_plain(const ReadAt& read, uint64_t bytes) {
    const FileBox header = box_in(read, {0, bytes}, "jp2h");
    if (box_in(read, header, "pclr").found()) return "it has a palette";
    constexpr size_t enough = 7;
    if (const FileBox box = box_in(read, header, "colr");
        box.found() && !is_grey_or_rgb(read(box.begin, std::min<size_t>(enough, box.end - box.begin))))
        return "its colours are neither grey nor RGB";
    if (const auto definitions = definitions_in(read, header); definitions && !is_in_order(*definitions))
        return "its channels are not in the order of their colours";
    return {};
}

Alpha alpha_of_jp2(const ReadAt& read, uint64_t bytes, size_t channels) {
    if (channels != 2 && channels != 4) return Alpha::none;
    const FileBox header = box_in(read, {0, bytes}, "jp2h");
    const auto definitions = definitions_in(read, header);
    if (!definitions) return header.found() || channels == 4 ? Alpha::straight : Alpha::none;
    for (const Definition& each : *definitions) {
        if (each.channel + 1 != channels) continue;
        if (each.meaning == opacity) return Alpha::straight;
        if (each.meaning == premultiplied_opacity) return Alpha::premultiplied;
    }
    return Alpha::none;
}

}  // namespace texelscope
