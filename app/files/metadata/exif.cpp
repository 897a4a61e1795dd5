#include "app/files/metadata/metadata.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

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

namespace {

// The tags of EXIF and TIFF that people ask for, with their names and the words for their values.

struct ExifTag {
    uint32_t tag;
    const char* name;
    std::string (*words)(const TiffValues& values);  // null: plain_words
};

constexpr ExifTag exif_tags[] = {
    {0x010e, "Description", nullptr},
    {0x010f, "Camera maker", nullptr},
    {0x0110, "Camera", nullptr},
    {0x0112, "Orientation", exif::orientation},
    {0x829a, "Exposure time", exif::seconds},
    {0x829d, "Aperture", exif::f_number},
    {0x8827, "Sensitivity (ISO)", nullptr},
    {0x920a, "Focal length", exif::millimetres},
    {0xa405, "Focal length in 35 mm film", exif::millimetres},
    {0x9204, "Exposure bias", exif::stops},
    {0x8822, "Exposure program", exif::exposure_program},
    {0xa402, "Exposure mode", exif::exposure_mode},
    {0x9207, "Metering", exif::metering},
    {0x9209, "Flash", exif::flash},
    {0xa403, "White balance", exif::white_balance},
    {0x9208, "Light source", exif::light_source},
    {0x9201, "Shutter speed", exif::seconds_of_apex},
    {0x9202, "Aperture (APEX)", exif::f_number_of_apex},
    {0x9205, "Largest aperture", exif::f_number_of_apex},
    {0x9203, "Brightness", exif::stops},
    {0x9206, "Subject distance", exif::metres},
    {0xa433, "Lens maker", nullptr},
    {0xa434, "Lens", nullptr},
    {0xa432, "Lens range", exif::lens},
    {0xa435, "Lens serial number", nullptr},
    {0xa431, "Camera serial number", nullptr},
    {0xa430, "Camera owner", nullptr},
    {0x9003, "Taken", exif::date},
    {0x9291, "Taken, fraction of the second", nullptr},
    {0x9011, "Taken, time zone", nullptr},
    {0x9004, "Digitised", exif::date},
    {0x0132, "Changed", exif::date},
    {0x9010, "Changed, time zone", nullptr},
    {0x0131, "Software", nullptr},
    {0x013c, "Computer", nullptr},
    {0x013b, "Artist", nullptr},
    {0x8298, "Copyright", nullptr},
    {0x9286, "Remark", exif::remark},
    {0x4746, "Rating", nullptr},
    {0x9c9b, "Title", exif::utf16},
    {0x9c9c, "Comment", exif::utf16},
    {0x9c9d, "Author", exif::utf16},
    {0x9c9e, "Keywords", exif::utf16},
    {0x9c9f, "Subject", exif::utf16},
    {0xa001, "Colour space", exif::colour_space},
    {0xa500, "Gamma", nullptr},
    {0xa002, "Width", nullptr},
    {0xa003, "Height", nullptr},
    {0x011a, "Resolution across", nullptr},
    {0x011b, "Resolution down", nullptr},
    {0x0128, "Resolution per", exif::resolution_unit},
    {0xa404, "Digital zoom", nullptr},
    {0xa406, "Scene", exif::scene},
    {0xa408, "Contrast", exif::level},
    {0xa409, "Saturation", exif::level},
    {0xa40a, "Sharpness", exif::level},
    {0xa420, "Picture number", nullptr},
    {0x9000, "EXIF version", exif::version},
    {0x010d, "Document", nullptr},
    {0x011d, "Page", nullptr},
    {0x0129, "Page number", nullptr},
    {0x0103, "Compression", exif::compression},
    {0x0106, "Colours stored as", exif::photometric},
    {0x0102, "Bits of a sample", nullptr},
    {0x0115, "Samples of a pixel", nullptr},
    {0x0153, "Sample format", exif::sample_format},
    {0x011c, "Samples stored", exif::planar},
    {0x0142, "Tile width", nullptr},
    {0x0143, "Tile height", nullptr},
    {0x0116, "Rows of a strip", nullptr},
    {0x013d, "Predictor", nullptr},
    {0x013e, "White point", nullptr},
    {0x013f, "Primaries", nullptr},
    {0x0152, "Extra samples", nullptr},
    {0x014d, "Inks", nullptr},
    {0x830e, "Scale of the map", nullptr},
    {0x8482, "Place on the map", nullptr},
    {0xa480, "GDAL metadata", nullptr},
    {0xa481, "No data", nullptr},
    {0xc612, "DNG version", nullptr},
    {0xc614, "Camera model", nullptr},
};

// Positions and altitude are said together.
constexpr ExifTag gps_tags[] = {
    {0x001d, "Date", exif::date},   {0x0012, "Map datum", nullptr},           {0x000c, "Speed unit", nullptr},
    {0x000d, "Speed", nullptr},     {0x0010, "Direction reference", nullptr}, {0x0011, "Direction", nullptr},
    {0x000b, "Precision", nullptr}, {0x001f, "Error in metres", nullptr},     {0x001b, "Method", exif::remark},
};

// Where samples, thumbnails, other directories and blocks of other standards are, and what sizes are said elsewhere.
constexpr std::array plumbing = {0x00fe, 0x00ff, 0x0100, 0x0101, 0x010a, 0x0111, 0x0117, 0x0118, 0x0119, 0x0144,
                                 0x0145, 0x014a, 0x0140, 0x015b, 0x0201, 0x0202, 0x0211, 0x0212, 0x0213, 0x0214,
                                 0x02bc, 0x8769, 0x8825, 0x83bb, 0x8649, 0x8773, 0x927c, 0x9101, 0x9102, 0xa000,
                                 0xa005, 0xa20b, 0xa300, 0xa301, 0xa302, 0xc4a5, 0xea1c, 0xc634};

const ExifTag* find(std::span<const ExifTag> tags, uint32_t tag) {
    const auto found = std::ranges::find(tags, tag, &ExifTag::tag);
    return found == tags.end() ? nullptr : &*found;
}

// Null: unknown, or of no interest to people (where the samples are, how other directories are found).
const ExifTag* find_exif_tag(uint32_t tag) { return find(exif_tags, tag); }
const ExifTag* find_gps_tag(uint32_t tag) { return find(gps_tags, tag); }
bool is_plumbing(uint32_t tag) { return std::ranges::find(plumbing, int(tag)) != plumbing.end(); }

// Text as it is, a few numbers, and how many of more.
std::string plain_words(const TiffValues& values) {
    constexpr size_t most_numbers = 8;
    if (values.is_text()) return std::string(values.text());
    if (values.is_data()) return fmt::format("{} bytes", values.data().size());
    std::string words;
    for (size_t i = 0; i < std::min(values.count(), most_numbers); ++i)
        words += (i > 0 ? ", " : "") + exif::number(values.number(i));
    if (values.count() > most_numbers) words += fmt::format(", … ({} numbers)", values.count());
    return words;
}

using Rows = std::vector<MetadataRow>;

constexpr uint32_t exif_directory = 0x8769, gps_directory = 0x8825;

void append_entry(Rows& rows, std::string_view group, const TiffEntry& entry, const ExifTag* known) {
    if (!known && is_plumbing(entry.tag)) return;
    const std::string name = known ? known->name : fmt::format("Tag 0x{:04x}", entry.tag);
    const std::string value = known && known->words ? known->words(entry.values) : plain_words(entry.values);
    if (!value.empty()) rows.push_back({std::string(group), name, value});
}

// In the order of the table of tags, then what it does not know.
void append_directory(Rows& rows, std::string_view group, const TiffDirectory& directory) {
    std::vector<std::pair<const ExifTag*, const TiffEntry*>> sorted;
    for (const TiffEntry& entry : directory.entries) sorted.emplace_back(find_exif_tag(entry.tag), &entry);
    std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) {
        return a.first && (!b.first || a.first < b.first);  // they point into one table
    });
    for (const auto& [known, entry] : sorted) append_entry(rows, group, *entry, known);
}

// "48.858222° N"
std::string angle(const TiffDirectory& gps, uint32_t tag) {
    const TiffValues* side = gps.find(tag);
    const TiffValues* values = gps.find(tag + 1);
    if (!values || !values->is_rational()) return {};
    double degrees = 0, unit = 1;
    for (size_t i = 0; i < std::min<size_t>(values->count(), 3); ++i, unit /= 60) degrees += unit * values->number(i);
    if (!std::isfinite(degrees)) return {};
    return fmt::format("{:.6f}° {}", degrees, side ? side->text() : "");
}

void append_gps(Rows& rows, const TiffDirectory& gps) {
    constexpr uint32_t latitude = 1, longitude = 3, side_of_sea = 5, altitude = 6, time = 7;
    const std::string north = angle(gps, latitude), east = angle(gps, longitude);
    if (!north.empty() && !east.empty()) rows.push_back({"GPS", "Position", north + ", " + east});
    if (const TiffValues* height = gps.find(altitude); height && std::isfinite(height->number(0))) {
        const TiffValues* side = gps.find(side_of_sea);
        const bool below = side && side->whole(0) == 1;
        rows.push_back({"GPS", "Altitude",
                        fmt::format("{} m {} sea level", exif::number(height->number(0)), below ? "below" : "above")});
    }
    if (const TiffValues* clock = gps.find(time); clock && clock->count() >= 3)
        rows.push_back(
            {"GPS", "Time", fmt::format("{:02}:{:02}:{:02} UTC", clock->whole(0), clock->whole(1), clock->whole(2))});
    for (const TiffEntry& entry : gps.entries)
        if (const ExifTag* known = find_gps_tag(entry.tag)) append_entry(rows, "GPS", entry, known);
}

// Another directory that an entry of this one names.
TiffDirectory named_directory(ByteSpan tiff, const TiffDirectory& directory, uint32_t tag) {
    const TiffValues* at = directory.find(tag);
    return at ? tiff_directory(tiff, at->whole(0)) : TiffDirectory{};
}

}  // namespace

std::vector<MetadataRow> exif_rows(ByteSpan tiff, std::string_view group, int part) {
    constexpr int most_parts = 100000;  // a chain may be a ring
    const auto first = first_tiff_directory(tiff);
    if (!first || part < 0 || part > most_parts) return {};
    TiffDirectory directory = tiff_directory(tiff, *first);
    for (int i = 0; i < part; ++i) directory = tiff_directory(tiff, directory.next);
    Rows rows;
    append_directory(rows, group, directory);
    append_directory(rows, "EXIF", named_directory(tiff, directory, exif_directory));
    append_gps(rows, named_directory(tiff, directory, gps_directory));
    return rows;
}

}  // namespace texelscope
