#include "app/files/metadata/tiff_directory.h"

#include <bit>
#include <cmath>
#include <limits>

namespace texelscope {
namespace {

constexpr uint32_t most_entries = 1024;

bool is_little(ByteSpan tiff) { return text_of(tiff).starts_with("II"); }
uint32_t two(ByteSpan b, size_t at, bool little) { return little ? le16(b, at) : be16(b, at); }
uint32_t four(ByteSpan b, size_t at, bool little) { return little ? le32(b, at) : be32(b, at); }

// The bytes of one value; 0: no such type.
size_t bytes_of_type(uint32_t type) {
    switch (type) {
        case 1:
        case 2:
        case 6:
        case 7: return 1;
        case 3:
        case 8: return 2;
        case 4:
        case 9:
        case 11:
        case 13: return 4;
        case 5:
        case 10:
        case 12: return 8;
        default: return 0;
    }
}

// Empty if it reaches out of the bytes.
ByteSpan part(ByteSpan bytes, uint64_t at, uint64_t count) {
    return at <= bytes.size() && count <= bytes.size() - at ? bytes.subspan(size_t(at), size_t(count)) : ByteSpan{};
}

}  // namespace

size_t TiffValues::count() const { return bytes_.size() / bytes_of_type(type_); }

double TiffValues::part(size_t at) const {
    const uint32_t bits = four(bytes_, at, little_);
    return type_ == 10 ? double(int32_t(bits)) : double(bits);
}

double TiffValues::number(size_t i) const {
    if (i >= count()) return std::numeric_limits<double>::quiet_NaN();
    const size_t at = i * bytes_of_type(type_);
    switch (type_) {
        case 1:
        case 2:
        case 7: return byte_at(bytes_, at);
        case 3: return two(bytes_, at, little_);
        case 4:
        case 13: return four(bytes_, at, little_);
        case 6: return int8_t(byte_at(bytes_, at));
        case 8: return int16_t(two(bytes_, at, little_));
        case 9: return int32_t(four(bytes_, at, little_));
        case 11: return double(std::bit_cast<float>(four(bytes_, at, little_)));
        case 12: {
            const uint64_t high = four(bytes_, at + (little_ ? 4 : 0), little_);
            return std::bit_cast<double>(high << 32 | four(bytes_, at + (little_ ? 0 : 4), little_));
        }
        default: break;
    }
    const double below = part(at + 4);
    return below != 0 ? part(at) / below : std::numeric_limits<double>::quiet_NaN();
}

uint32_t TiffValues::whole(size_t i) const {
    const double value = number(i);
    return value >= 0 && value <= 0xffffffffu ? uint32_t(value) : 0;
}

std::string_view TiffValues::text() const {
    const std::string_view all = text_of(bytes_);
    return all.substr(0, all.find('\0'));
}

const TiffValues* TiffDirectory::find(uint32_t tag) const {
    for (const TiffEntry& entry : entries)
        if (entry.tag == tag) return &entry.values;
    return nullptr;
}

std::optional<uint64_t> first_tiff_directory(ByteSpan tiff) {
    if (tiff.size() < 8) return {};
    const std::string_view order = text_of(tiff.first(2));
    if ((order != "II" && order != "MM") || two(tiff, 2, is_little(tiff)) != 42) return {};
    return four(tiff, 4, is_little(tiff));
}

TiffDirectory tiff_directory(ByteSpan tiff, uint64_t at) {
    const bool little = is_little(tiff);
    TiffDirectory directory;
    const ByteSpan head = at == 0 ? ByteSpan{} : part(tiff, at, 2);
    if (head.empty()) return directory;
    const uint32_t count = two(head, 0, little);
    for (uint32_t i = 0; i < std::min(count, most_entries); ++i) {
        const ByteSpan entry = part(tiff, at + 2 + uint64_t(i) * 12, 12);
        if (entry.empty()) return directory;
        const uint32_t type = two(entry, 2, little);
        const uint64_t bytes = uint64_t(four(entry, 4, little)) * bytes_of_type(type);
        const ByteSpan values =
            bytes <= 4 ? entry.subspan(8, size_t(bytes)) : part(tiff, four(entry, 8, little), bytes);
        if (!values.empty()) directory.entries.push_back({two(entry, 0, little), {values, type, little}});
    }
    if (const ByteSpan next = part(tiff, at + 2 + uint64_t(count) * 12, 4); !next.empty())
        directory.next = four(next, 0, little);
    return directory;
}

}  // namespace texelscope
