#include "app/files/codecs/psd_layers.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <zlib.h>

#include "app/files/bytes/rows.h"
#include "app/files/colour/icc_conversion.h"

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

PsdColours::PsdColours(const PsdFile& file, ByteSpan content) : file_(file) {
    const bool wide = type() == SampleType::u16,
               converted = file.header.mode == PsdMode::cmyk || file.header.mode == PsdMode::lab;
    if (converted && type() == SampleType::f32) throw Error("a PSD with 32-bit inks or CIELab is unknown");
    if (file.header.mode == PsdMode::cmyk) inks_ = std::make_unique<Inks>(colour_tags(content).get(), true, wide);
    if (file.header.mode == PsdMode::lab) lab_ = std::make_unique<LabToSrgb>();
}

SampleType PsdColours::type() const {
    const uint32_t depth = file_.header.depth;
    return depth == 16 || widens() ? SampleType::u16 : depth == 32 ? SampleType::f32 : SampleType::u8;
}

int PsdColours::channels() const {
    const PsdMode mode = file_.header.mode;
    return mode == PsdMode::indexed || mode == PsdMode::cmyk ? 3 : file_.header.colours();
}

void PsdColours::write_indexed(const std::byte* indices, int width, std::byte* to, int step) const {
    for (int x = 0; x < width; ++x, to += step) {
        const auto index = std::to_integer<size_t>(indices[x]);
        for (size_t c = 0; c < 3; ++c) to[c] = file_.palette[256 * c + index];
        if (transparent_index()) to[3] = std::byte(int(index) == file_.transparent ? 0 : 255);
    }
}

namespace {

// Decodes L, a and b from the coding of ICC profiles: L from 0 to the largest value; a and b have 0 at 32 896.
std::vector<float> lab_of(const std::vector<std::byte>& coded) {
    std::vector<float> lab(coded.size() / sizeof(uint16_t));
    for (size_t i = 0; i < lab.size(); ++i) {
        uint16_t value;
        std::memcpy(&value, coded.data() + i * sizeof value, sizeof value);
        lab[i] = i % 3 == 0 ? float(value) / 655.35f : float(value) / 257 - 128;
    }
    return lab;
}

}  // namespace

void PsdColours::write_converted(const Planes& planes, int width, std::byte* to, int step) const {
    const size_t sample = size_t(bytes_per_sample(type())), colours = size_t(file_.header.colours());
    std::vector<std::byte> from(size_t(width) * colours * sample), rgb(size_t(width) * 3 * sample);
    for (size_t x = 0; x < size_t(width); ++x)
        for (size_t c = 0; c < colours; ++c)
            std::memcpy(from.data() + (x * colours + c) * sample, planes[c].data() + x * sample, sample);
    auto* const rgb16 = reinterpret_cast<uint16_t*>(rgb.data());
    if (lab_) lab_->convert(lab_of(from).data(), rgb16, width);
    else if (sample == 2) inks_->to_srgb(reinterpret_cast<const uint16_t*>(from.data()), rgb16, width);
    else inks_->to_srgb(reinterpret_cast<const uint8_t*>(from.data()), reinterpret_cast<uint8_t*>(rgb.data()), width);
    for (size_t x = 0; x < size_t(width); ++x)
        std::memcpy(to + x * size_t(step) * sample, rgb.data() + 3 * x * sample, 3 * sample);
}

void PsdColours::write(const Planes& planes, int width, std::byte* to, int step) const {
    if (file_.header.mode == PsdMode::indexed) return write_indexed(planes[0].data(), width, to, step);
    if (inks_ || lab_) return write_converted(planes, width, to, step);
    const size_t sample = size_t(bytes_per_sample(type()));
    for (size_t c = 0; c < size_t(channels()); ++c)
        for (size_t x = 0; x < size_t(width); ++x)
            std::memcpy(to + (x * size_t(step) + c) * sample, planes[c].data() + x * sample, sample);
}

namespace {

void expand(ByteSpan runs, std::byte* to, size_t row_bytes) {
    size_t done = 0;
    for (size_t at = 0; at < runs.size() && done < row_bytes;) {
        const int code = int8_t(byte_at(runs, at++));
        if (code == -128) continue;
        const size_t count = std::min(size_t(code < 0 ? 1 - code : 1 + code), row_bytes - done);
        if (at + (code < 0 ? 1 : count) > runs.size()) break;
        if (code < 0) std::fill_n(to + done, count, runs[at++]);
        else std::copy_n(runs.begin() + ptrdiff_t(at), count, to + done), at += count;
        done += count;
    }
    if (done < row_bytes) throw Error(fmt::format("the PSD is damaged: a row has {} of {} bytes", done, row_bytes));
}

// Samples are stored as differences from the ones before; floats as bytes grouped by rank.
void undo_prediction(std::byte* row, size_t row_bytes, uint32_t depth) {
    auto* bytes = reinterpret_cast<uint8_t*>(row);
    if (depth == 16) {
        for (size_t i = 2; i + 1 < row_bytes; i += 2) {
            const int sum = (bytes[i] << 8 | bytes[i + 1]) + (bytes[i - 2] << 8 | bytes[i - 1]);
            bytes[i] = uint8_t(sum >> 8);
            bytes[i + 1] = uint8_t(sum);
        }
        return;
    }
    for (size_t i = 1; i < row_bytes; ++i) bytes[i] = uint8_t(bytes[i] + bytes[i - 1]);
    if (depth != 32) return;
    const std::vector<uint8_t> ranked(bytes, bytes + row_bytes);
    const size_t pixels = row_bytes / 4;
    for (size_t x = 0; x < pixels; ++x)
        for (size_t rank = 0; rank < 4; ++rank) bytes[4 * x + rank] = ranked[rank * pixels + x];
}

}  // namespace

PsdPlanes::PsdPlanes(const PsdHeader& header, ByteSpan bytes, uint32_t planes, uint32_t width, uint32_t height)
    : height_(height), row_bytes_(size_t(header.row_bytes(width))) {
    constexpr uint32_t plain = 0, runs = 1, predicted = 3;  // 2: deflated without prediction
    if (bytes.size() < 2) throw Error("the file is truncated: the PSD ends before its picture");
    const uint32_t packing = be16(bytes, 0);
    const ByteSpan data = bytes.subspan(2);
    const uint64_t rows = uint64_t(planes) * height;
    if (packing > predicted) throw Error(fmt::format("the PSD is damaged: packing {} is unknown", packing));
    if (packing == plain) {
        plain_ = data;
        rows_there_ = std::min<uint64_t>(rows, data.size() / row_bytes_);
    } else if (packing == runs) {
        find_runs(header, data, rows);
    } else {
        constexpr uint64_t most_dense = 1032;  // deflate expands at most this far
        check_claim(rows * row_bytes_ / most_dense <= data.size(), width, height, data.size());
        inflate(header, data, rows, packing == predicted);
        plain_ = inflated_;
        rows_there_ = rows;
    }
}

void PsdPlanes::find_runs(const PsdHeader& header, ByteSpan data, uint64_t rows) {
    Walker walk(data, "PSD");
    const ByteSpan lengths = walk.take(rows * (header.large ? 4 : 2));
    constexpr uint64_t most_dense = 64;  // two bytes stand for 128 at most
    check_claim(rows * row_bytes_ / most_dense <= data.size(), header.width, header.height, data.size());
    runs_.reserve(size_t(rows));
    for (; rows_there_ < rows; ++rows_there_) {
        const size_t row = size_t(rows_there_);
        const uint64_t bytes = header.large ? be32(lengths, 4 * row) : be16(lengths, 2 * row);
        if (bytes > data.size() - walk.at()) break;
        runs_.push_back(walk.take(bytes));
    }
}

void PsdPlanes::inflate(const PsdHeader& header, ByteSpan data, uint64_t rows, bool predicted) {
    inflated_.resize(size_t(rows * row_bytes_));
    uLongf size = uLongf(inflated_.size());
    const int result = ::uncompress(reinterpret_cast<Bytef*>(inflated_.data()), &size,
                                    reinterpret_cast<const Bytef*>(data.data()), uLong(data.size()));
    if (result == Z_MEM_ERROR) throw OutOfMemory("not enough memory to read it");
    if (size != inflated_.size() || (result != Z_OK && result != Z_BUF_ERROR))
        throw Error("the PSD is damaged: a channel cannot be inflated");
    for (size_t row = 0; predicted && row < size_t(rows); ++row)
        undo_prediction(inflated_.data() + row * row_bytes_, row_bytes_, header.depth);
}

void PsdPlanes::row(uint32_t plane, uint32_t y, std::byte* to) const {
    const size_t row = size_t(plane) * height_ + y;
    if (row >= rows_there_) std::fill_n(to, row_bytes_, std::byte(0));
    else if (runs_.empty()) std::copy_n(plain_.begin() + ptrdiff_t(row * row_bytes_), row_bytes_, to);
    else expand(runs_[row], to, row_bytes_);
}

}  // namespace texelscope
