#include "app/files/colour/icc_conversion.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include <unistd.h>
#include <zlib.h>

#include "app/files/bytes/rows.h"

namespace texelscope {
namespace {

constexpr size_t most_profile_bytes = size_t(32) << 20;
constexpr int most_parts = 4096;  // segments, chunks, tags

using Profile = std::shared_ptr<const ColourProfile>;

// Exactly so many bytes, or none.
std::optional<Bytes> exactly(const ReadAt& read, uint64_t offset, size_t count) {
    Bytes bytes = read(offset, count);
    if (bytes.size() != count) return {};
    return bytes;
}

uint64_t number(ByteSpan bytes, size_t at, size_t count, bool little_endian) {
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i)
        value = value << 8 | std::to_integer<uint64_t>(bytes[at + (little_endian ? count - 1 - i : i)]);
    return value;
}

uint32_t big(ByteSpan bytes, size_t at, size_t count = 4) { return uint32_t(number(bytes, at, count, false)); }

bool reads(ByteSpan bytes, size_t at, std::string_view text) {
    return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
}

Profile of_icc(Bytes icc) {
    if (icc.empty()) return nullptr;
    ColourProfile profile;
    profile.icc = std::move(icc);
    return std::make_shared<const ColourProfile>(std::move(profile));
}

Profile icc_at(const ReadAt& read, uint64_t offset, uint64_t count) {
    return of_icc(read(offset, size_t(std::min<uint64_t>(count, most_profile_bytes))));
}

// APP2 segments "ICC_PROFILE", in the order of their numbers.
Profile in_jpeg(const ReadAt& read) {
    constexpr std::string_view name("ICC_PROFILE\0", 12);
    std::map<uint32_t, Bytes> pieces;
    bool four_components = false;
    uint64_t at = 2;
    for (int part = 0; part < most_parts; ++part) {
        const auto head = exactly(read, at, 4);
        if (!head || (*head)[0] != std::byte(0xff)) break;
        const uint32_t marker = big(*head, 1, 1), length = big(*head, 2, 2);
        if (marker == 0xff) {  // a fill byte
            ++at;
            continue;
        }
        if (marker == 0xda || marker == 0xd9 || length < 2) break;
        if (marker == 0xe2 && length > 2 + name.size() + 2) {
            const Bytes body = read(at + 4, length - 2);
            if (body.size() > name.size() + 2 && reads(body, 0, name))
                pieces.emplace(big(body, name.size(), 1), Bytes(body.begin() + ptrdiff_t(name.size()) + 2, body.end()));
        }
        const bool frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
        if (const auto body = frame ? exactly(read, at + 4, 6) : std::nullopt) four_components = big(*body, 5, 1) == 4;
        at += 2 + length;
    }
    ColourProfile profile;
    for (const auto& [index, piece] : pieces) profile.icc.insert(profile.icc.end(), piece.begin(), piece.end());
    if (profile.icc.empty()) return nullptr;
    profile.applied = four_components && reads(profile.icc, 16, "CMYK");
    return std::make_shared<const ColourProfile>(std::move(profile));
}

// What could be inflated, at least one byte.
Bytes inflated(ByteSpan deflated) {
    Bytes result;
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) return Bytes(1);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(deflated.data()));
    stream.avail_in = uInt(deflated.size());
    int status = Z_OK;
    while (status == Z_OK && result.size() < most_profile_bytes) {
        const size_t before = result.size();
        result.resize(before + 65536);
        stream.next_out = reinterpret_cast<Bytef*>(result.data() + before);
        stream.avail_out = 65536;
        status = inflate(&stream, Z_NO_FLUSH);
        result.resize(result.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (result.empty()) result.resize(1);
    return result;
}

Profile icc_of_chunk(ByteSpan chunk) {  // a name, 0, the method 0, deflated bytes
    const auto end = std::find(chunk.begin(), chunk.end(), std::byte(0));
    const size_t head = size_t(end - chunk.begin()) + 2;
    return of_icc(head < chunk.size() ? inflated(chunk.subspan(head)) : Bytes(1));
}

// The chunks before the picture: iCCP, else sRGB, else gAMA and cHRM.
Profile in_png(const ReadAt& read) {
    ColourProfile described;
    bool srgb = false, known = false;
    uint64_t at = 8;
    for (int part = 0; part < most_parts; ++part) {
        const auto head = exactly(read, at, 8);
        if (!head || reads(*head, 4, "IDAT") || reads(*head, 4, "IEND")) break;
        const uint32_t length = big(*head, 0);
        const auto body = [&] { return read(at + 8, size_t(std::min<uint64_t>(length, most_profile_bytes))); };
        if (reads(*head, 4, "iCCP")) return icc_of_chunk(body());
        if (reads(*head, 4, "sRGB")) srgb = true;
        if (reads(*head, 4, "gAMA") && length == 4) {
            constexpr uint32_t of_srgb = 45455;  // as the standard demands beside sRGB; what is meant is its curve
            const Bytes bytes = body();
            const uint32_t gamma = bytes.size() == 4 ? big(bytes, 0) : 0;
            if (gamma != 0 && gamma != of_srgb) described.exponent = 100000.0 / gamma;
            known = known || gamma != 0;
        }
        if (reads(*head, 4, "cHRM") && length == 32) {
            const Bytes bytes = body();
            if (bytes.size() != 32) break;
            constexpr int order[8] = {2, 3, 4, 5, 6, 7, 0, 1};  // the file begins with white
            for (size_t i = 0; i < 8; ++i) described.chromaticities[i] = big(bytes, 4 * size_t(order[i])) / 100000.0;
            known = true;
        }
        at += 12 + uint64_t(length);
    }
    if (srgb) return std::make_shared<const ColourProfile>();
    return known ? std::make_shared<const ColourProfile>(described) : nullptr;
}

// A profile of linear light with these chromaticities.
Profile of_light(const std::array<double, 8>& chromaticities) {
    ColourProfile profile;
    profile.linear_light = true;
    profile.exponent = 1;
    profile.chromaticities = chromaticities;
    return std::make_shared<const ColourProfile>(profile);
}

// The profile in tag 34675 of the first directory, in classic and in big TIFF. By PhotometricInterpretation, LogLuv is
// linear light, and the readers make inks and Lab sRGB.
Profile in_tiff(const ReadAt& read, ByteSpan head) {
    const bool little = reads(head, 0, "II"), large = number(head, 2, 2, little) == 43;
    const size_t word = large ? 8 : 4, entry_bytes = large ? 20 : 12;
    if (head.size() < 16) return nullptr;
    const uint64_t directory = number(head, large ? 8 : 4, word, little);
    const auto count = exactly(read, directory, large ? 8 : 2);
    if (!count) return nullptr;
    const uint64_t entries = number(*count, 0, count->size(), little);
    const Bytes table = read(directory + count->size(), size_t(std::min<uint64_t>(entries, most_parts)) * entry_bytes);
    Profile profile;
    uint64_t photometric = 0;
    for (size_t at = 0; at + entry_bytes <= table.size(); at += entry_bytes) {
        constexpr uint64_t photometric_tag = 262, icc_profile = 34675;
        const uint64_t tag = number(table, at, 2, little), bytes = number(table, at + 4, word, little);
        if (tag == photometric_tag) photometric = number(table, at + 4 + word, 2, little);
        if (tag == icc_profile && bytes > word && !profile)  // no profile is shorter
            profile = icc_at(read, number(table, at + 4 + word, word, little), bytes);
    }
    constexpr uint64_t inks = 5, lab = 8, icc_lab = 9, log_grey = 32844, log_colours = 32845;
    if (photometric == log_grey || photometric == log_colours) return of_light(ColourProfile().chromaticities);
    const bool is_lab = photometric == lab || photometric == icc_lab;
    if (!profile || !(is_lab || (photometric == inks && reads(profile->icc, 16, "CMYK")))) return profile;
    ColourProfile applied = *profile;
    applied.applied = true;
    return std::make_shared<const ColourProfile>(std::move(applied));
}

Profile in_webp(const ReadAt& read) {
    uint64_t at = 12;
    for (int part = 0; part < most_parts; ++part) {
        const auto head = exactly(read, at, 8);
        if (!head) break;
        const uint64_t length = number(*head, 4, 4, true);
        if (reads(*head, 0, "ICCP")) return icc_at(read, at + 8, length);
        if (!reads(*head, 0, "VP8X")) break;  // the profile comes before the picture
        at += 8 + length + (length & 1);
    }
    return nullptr;
}

// Linear light by its specification; of Rec. 709 unless the first header has `chromaticities`: eight floats.
Profile in_exr(const ReadAt& read) {
    const Bytes header = read(8, 65536);
    size_t at = 0;
    const auto text = [&]() -> std::optional<std::string_view> {
        const auto begin = header.begin() + ptrdiff_t(at), end = std::find(begin, header.end(), std::byte(0));
        if (end == header.end()) return {};
        at += size_t(end - begin) + 1;
        return std::string_view(reinterpret_cast<const char*>(&*begin), size_t(end - begin));
    };
    for (;;) {
        const auto name = text();
        const auto type = name && !name->empty() ? text() : std::nullopt;
        if (!type || header.size() - at < 4) return of_light(ColourProfile().chromaticities);
        const uint64_t length = number(header, at, 4, true);
        at += 4;
        if (length > header.size() - at) return of_light(ColourProfile().chromaticities);
        if (*name == "chromaticities" && *type == "chromaticities" && length == 32) break;
        at += size_t(length);
    }
    std::array<double, 8> chromaticities{};
    for (size_t i = 0; i < 8; ++i) {
        float value;
        std::memcpy(&value, header.data() + at + 4 * i, 4);
        chromaticities[i] = double(value);
    }
    return of_light(chromaticities);
}

// Always linear light, of Rec. 709 unless a line of the header, which an empty line ends, has PRIMARIES: eight numbers.
// CIE XYZ is read as Rec. 709.
Profile in_hdr(const ReadAt& read) {
    constexpr std::string_view key = "PRIMARIES=", xyz = "FORMAT=32-bit_rle_xyze";
    const Bytes bytes = read(0, 65536);
    std::string_view header(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::array<double, 8> chromaticities = ColourProfile().chromaticities;
    for (size_t end = header.find('\n'); end != 0 && end != header.npos; end = header.find('\n')) {
        std::string_view line = header.substr(0, end);
        header.remove_prefix(end + 1);
        if (line.starts_with(xyz)) return of_light(ColourProfile().chromaticities);
        if (!line.starts_with(key)) continue;
        line.remove_prefix(key.size());
        std::array<double, 8> given{};
        size_t count = 0;
        for (; count < given.size(); ++count) {
            line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
            const auto [after, error] = std::from_chars(line.data(), line.data() + line.size(), given[count]);
            if (error != std::errc()) break;
            line.remove_prefix(size_t(after - line.data()));
        }
        if (count == given.size()) chromaticities = given;
    }
    return of_light(chromaticities);
}

// The first colr box with a profile among the items' properties.
Profile in_heif(const ReadAt& read) {
    const FileBox meta = box_in(read, {0, uint64_t(1) << 40}, "meta");
    if (meta.end <= meta.begin + 4) return nullptr;
    const FileBox properties = box_in(read, {meta.begin + 4, meta.end}, "iprp");
    const FileBox container = box_in(read, properties, "ipco");
    for (const char* kind : {"prof", "rICC"})
        if (const FileBox colour = box_in(read, container, "colr", kind); colour.end > colour.begin + 4)
            return icc_at(read, colour.begin + 4, colour.end - colour.begin - 4);
    return nullptr;
}

// The profile of header version 5 or 4: stored behind the pixels, or sRGB by name.
Profile in_bmp(const ReadAt& read) {
    constexpr size_t file_header = 14, version_4 = 108, version_5 = 124;
    const Bytes header = read(file_header, version_5);
    if (header.size() < version_4) return nullptr;
    const uint64_t bytes = number(header, 0, 4, true);
    if (bytes < version_4) return nullptr;
    if (reads(header, 56, "BGRs")) return std::make_shared<const ColourProfile>();
    if (bytes < version_5 || header.size() < version_5 || !reads(header, 56, "DEBM")) return nullptr;
    return icc_at(read, file_header + number(header, 112, 4, true), number(header, 116, 4, true));
}

// The profile in resource 1039. Reading converts inks to sRGB by it; CIELab becomes sRGB without a profile.
Profile in_psd(const ReadAt& read) {
    constexpr uint32_t icc_profile = 1039, cmyk = 4, lab = 9;
    const auto head = exactly(read, 0, 30);
    if (!head) return nullptr;
    const uint32_t mode = big(*head, 24, 2);
    if (mode == lab) return std::make_shared<const ColourProfile>();
    uint64_t at = 30 + uint64_t(big(*head, 26));
    const auto length = exactly(read, at, 4);
    if (!length) return nullptr;
    at += 4;
    const uint64_t end = at + big(*length, 0);
    for (int part = 0; part < most_parts && at + 12 <= end; ++part) {
        const auto resource = exactly(read, at, 7);
        if (!resource) return nullptr;
        at += 6 + (uint64_t(big(*resource, 6, 1)) + 2) / 2 * 2;  // behind its name
        const auto bytes = exactly(read, at, 4);
        if (!bytes) return nullptr;
        const uint64_t count = big(*bytes, 0);
        if (big(*resource, 4, 2) == icc_profile) {
            const Profile found = icc_at(read, at + 4, count);
            if (!found || mode != cmyk) return found;
            ColourProfile profile = *found;
            profile.applied = reads(profile.icc, 16, "CMYK");
            return std::make_shared<const ColourProfile>(std::move(profile));
        }
        at += 4 + (count + 1) / 2 * 2;
    }
    return nullptr;
}

}  // namespace

Profile colour_tags(const ReadAt& read) {
    using namespace std::string_view_literals;
    const Bytes head = read(0, 16);
    if (reads(head, 0, "\xff\xd8\xff"sv)) return in_jpeg(read);
    if (reads(head, 0, "\x89PNG\r\n\x1a\n"sv)) return in_png(read);
    if (reads(head, 0, "II\x2a\0"sv) || reads(head, 0, "II\x2b\0"sv) || reads(head, 0, "MM\0\x2a"sv) ||
        reads(head, 0, "MM\0\x2b"sv))
        return in_tiff(read, head);
    if (reads(head, 0, "RIFF") && reads(head, 8, "WEBP")) return in_webp(read);
    if (reads(head, 0, "\x76\x2f\x31\x01"sv)) return in_exr(read);
    if (reads(head, 0, "#?")) return in_hdr(read);
    if (reads(head, 4, "ftyp")) return in_heif(read);
    if (reads(head, 0, "BM")) return in_bmp(read);
    if (reads(head, 0, "8BPS")) return in_psd(read);
    return nullptr;
}

Profile colour_tags(ByteSpan file) {
    return colour_tags([file](uint64_t offset, size_t count) {
        if (offset >= file.size()) return Bytes();
        const ByteSpan part = file.subspan(size_t(offset), std::min(count, file.size() - size_t(offset)));
        return Bytes(part.begin(), part.end());
    });
}

Profile colour_tags(int descriptor) { return colour_tags(bytes_of(descriptor)); }

}  // namespace texelscope
