#include "app/files/codecs/psd_layers.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "app/files/bytes/walker.h"

namespace texelscope {
namespace {

constexpr uint32_t transparent_index = 1047;

// Reads numbers one after the other.
class Reader {
public:
    Reader(ByteSpan bytes, bool large) : walk_(bytes, "PSD"), size_(bytes.size()), large_(large) {}

    uint32_t two() { return be16(walk_.take(2), 0); }
    uint32_t four() { return be32(walk_.take(4), 0); }
    uint64_t length(bool wide) {  // eight bytes in a PSB
        if (!wide || !large_) return four();
        const ByteSpan bytes = walk_.take(8);
        return uint64_t(be32(bytes, 0)) << 32 | be32(bytes, 4);
    }
    ByteSpan take(uint64_t bytes) { return walk_.take(bytes); }
    ByteSpan rest() { return walk_.take(left()); }
    size_t left() const { return size_ - walk_.at(); }
    bool large() const { return large_; }

private:
    Walker walk_;
    size_t size_;
    bool large_;
};

PsdHeader header_of(ByteSpan bytes) {
    const uint32_t version = be16(bytes, 4);
    PsdHeader header{version == 2,    be16(bytes, 12), be32(bytes, 18),
                     be32(bytes, 14), be16(bytes, 22), PsdMode(be16(bytes, 24))};
    if (version != 1 && version != 2) throw Error(fmt::format("a PSD of version {} is unknown", version));
    if (header.depth != 1 && header.depth != 8 && header.depth != 16 && header.depth != 32)
        throw Error(fmt::format("the PSD is damaged: it has {} bits per channel", header.depth));
    if (header.colours() == 0) throw Error(fmt::format("a PSD of colour mode {} is unknown", be16(bytes, 24)));
    constexpr uint32_t most_channels = 56;
    if ((header.depth == 1) != (header.mode == PsdMode::bitmap) ||
        (header.mode == PsdMode::indexed && header.depth != 8) || int(header.channels) < header.colours() ||
        header.channels > most_channels)
        throw Error("the PSD is damaged: its header makes no sense");
    check_dimensions(header.width, header.height, 4, SampleType::u16);
    return header;
}

// The transparent index of an indexed picture; −1: none.
int transparent_of(ByteSpan resources) {
    Reader reader(resources, false);
    while (reader.left() >= 12) {
        reader.four();
        const uint32_t id = reader.two(), name = be16(reader.take(2), 0) >> 8;
        if (name > 1) reader.take(std::min<size_t>(name / 2 * 2, reader.left()));
        if (reader.left() < 4) break;
        const uint32_t bytes = reader.four();
        const ByteSpan data = reader.take(std::min<size_t>((bytes + uint64_t(1)) / 2 * 2, reader.left()));
        if (id == transparent_index && data.size() >= 2) return int(be16(data, 0));
    }
    return -1;
}

// The name in "luni" of a layer's further data, as UTF-8; unset: there is none.
std::optional<std::string> unicode_name(Reader& data) {
    while (data.left() >= 12) {
        data.four();
        const std::string_view key = text_of(data.take(4));
        const uint64_t bytes = data.four();
        const ByteSpan content = data.take(std::min<uint64_t>((bytes + 1) / 2 * 2, data.left()));
        if (key != "luni" || content.size() < 4) continue;
        std::string name;
        const size_t count = std::min<size_t>(be32(content, 0), (content.size() - 4) / 2);
        for (size_t i = 0; i < count; ++i) {
            const uint32_t unit = be16(content, 4 + 2 * i);
            if (unit == 0) break;
            if (unit < 0x80) name += char(unit);
            else if (unit < 0x800) name += {char(0xc0 | unit >> 6), char(0x80 | (unit & 63))};
            else name += {char(0xe0 | unit >> 12), char(0x80 | (unit >> 6 & 63)), char(0x80 | (unit & 63))};
        }
        return name;
    }
    return {};
}

std::string name_of_layer(ByteSpan extra) {
    Reader reader(extra, false);
    for (int section = 0; section < 2; ++section) reader.take(reader.four());  // mask, blending
    const uint32_t length = byte_at(reader.take(1), 0);
    const std::string name(text_of(reader.take((length + 4) / 4 * 4 - 1)).substr(0, length));
    return unicode_name(reader).value_or(name);
}

struct Record {
    PsdLayer layer;
    std::vector<uint64_t> bytes;  // sizes of the channels
};

Record record_of(Reader& reader, const PsdHeader& header) {
    const auto side = [&] { return int64_t(int32_t(reader.four())); };
    const int64_t top = side(), left = side(), bottom = side(), right = side();
    Record record;
    constexpr int64_t most = 300000;
    record.layer.width = int(std::clamp<int64_t>(right - left, 0, most));
    record.layer.height = int(std::clamp<int64_t>(bottom - top, 0, most));
    const uint32_t channels = reader.two();
    for (uint32_t i = 0; i < channels; ++i) {
        record.layer.channels.push_back({int16_t(reader.two())});
        record.bytes.push_back(header.large ? reader.length(true) : reader.four());
    }
    reader.take(12);  // how it is blended
    record.layer.name = name_of_layer(reader.take(reader.four()));
    return record;
}

// A negative count says that the merged picture has transparency.
void read_layers(Reader reader, PsdFile& file) {
    if (reader.left() < 2) return;
    const int count = int16_t(reader.two());
    file.transparency = count < 0;
    std::vector<Record> records;
    for (int i = 0; i < std::abs(count); ++i) records.push_back(record_of(reader, file.header));
    for (Record& record : records) {
        for (size_t i = 0; i < record.bytes.size(); ++i) record.layer.channels[i].bytes = reader.take(record.bytes[i]);
        file.layers.push_back(std::move(record.layer));
    }
}

// Reads the tagged data behind the layers, where pictures of 16 and 32 bits keep their layers.
void read_tagged_layers(Reader reader, PsdFile& file) {
    while (reader.left() >= 12) {
        reader.four();
        const std::string_view key = text_of(reader.take(4));
        const bool wide = key == "LMsk" || key == "Lr16" || key == "Lr32" || key == "Layr" || key == "Mt16" ||
                          key == "Mt32" || key == "Mtrn" || key == "Alph" || key == "FMsk" || key == "lnk2" ||
                          key == "FEid" || key == "FXid" || key == "PxSD";
        const uint64_t bytes = reader.length(wide);
        const ByteSpan data = reader.take(std::min<uint64_t>((bytes + 3) / 4 * 4, reader.left()));
        if (key == "Lr16" || key == "Lr32" || key == "Layr") read_layers(Reader(data, reader.large()), file);
        if (key == "Mt16" || key == "Mt32" || key == "Mtrn") file.transparency = true;
    }
}

void read_layer_section(Reader reader, PsdFile& file) {
    if (reader.left() < 4) return;
    const ByteSpan layers = reader.take(reader.length(true));
    read_layers(Reader(layers, reader.large()), file);
    if (reader.left() < 4) return;
    reader.take(std::min<uint64_t>(reader.four(), reader.left()));  // the global mask
    read_tagged_layers(Reader(reader.rest(), reader.large()), file);
}

}  // namespace

int PsdHeader::colours() const {
    switch (mode) {
        case PsdMode::bitmap:
        case PsdMode::grey:
        case PsdMode::indexed:
        case PsdMode::duotone: return 1;
        case PsdMode::rgb:
        case PsdMode::lab: return 3;
        case PsdMode::cmyk: return 4;
        case PsdMode::multichannel: return int(std::clamp<uint32_t>(channels, 1, 4));
    }
    return 0;
}

const PsdChannel* PsdLayer::find(int id) const {
    const auto found = std::ranges::find(channels, id, &PsdChannel::id);
    return found == channels.end() ? nullptr : &*found;
}

PsdFile psd_file(ByteSpan bytes) {
    if (bytes.size() < 26) throw_truncated(bytes.size(), "PSD");
    PsdFile file{header_of(bytes.first(26))};
    Reader reader(bytes.subspan(26), file.header.large);
    file.palette = reader.take(reader.four());
    const ByteSpan resources = reader.take(reader.four());
    if (file.header.mode == PsdMode::indexed) {
        if (file.palette.size() < 768) throw Error("the PSD is damaged: its palette is missing");
        file.transparent = transparent_of(resources);
    }
    const ByteSpan layers = reader.take(reader.length(true));
    file.merged = reader.rest();
    try {
        read_layer_section(Reader(layers, file.header.large), file);
    } catch (const Error&) {  // the layers before the damage are whole
    }
    return file;
}

}  // namespace texelscope
