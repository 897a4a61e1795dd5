#include "app/files/metadata/exif_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/files/metadata/exif_tags.h"
#include "app/files/metadata/exif_words.h"

namespace texelscope {
namespace {

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
