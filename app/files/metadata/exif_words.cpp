#include "app/files/metadata/metadata.h"

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/files/decoding/picture_in_file.h"

namespace texelscope::exif {
namespace {

std::string chosen(const TiffValues& values, std::initializer_list<std::pair<uint32_t, const char*>> meanings) {
    const uint32_t value = values.whole(0);
    for (const auto& [code, words] : meanings)
        if (code == value) return words;
    return fmt::format("unknown ({})", value);
}

std::string words_of_seconds(double time) {
    if (!std::isfinite(time) || time < 0) return number(time);
    if (time > 0 && time < 0.3) return fmt::format("1/{:.0f} s", 1 / time);
    return number(time) + " s";
}

std::string words_of_f_number(double value) { return std::isfinite(value) ? "f/" + number(value) : number(value); }

std::string with_unit(double value, std::string_view unit) {
    return std::isfinite(value) ? fmt::format("{} {}", number(value), unit) : number(value);
}

std::string range(double from, double to) {
    return from == to || !std::isfinite(to) ? number(from) : fmt::format("{}–{}", number(from), number(to));
}

void append_utf8(std::string& text, uint32_t unit) {
    if (unit < 0x80) {
        text += char(unit);
    } else if (unit < 0x800) {
        text += {char(0xc0 | unit >> 6), char(0x80 | (unit & 0x3f))};
    } else if (unit < 0x10000) {
        text += {char(0xe0 | unit >> 12), char(0x80 | (unit >> 6 & 0x3f)), char(0x80 | (unit & 0x3f))};
    } else {
        text += {char(0xf0 | unit >> 18), char(0x80 | (unit >> 12 & 0x3f)), char(0x80 | (unit >> 6 & 0x3f)),
                 char(0x80 | (unit & 0x3f))};
    }
}

std::string from_utf16(ByteSpan bytes, bool little) {
    std::string text;
    for (size_t at = 0; at + 1 < bytes.size(); at += 2) {
        const auto unit_at = [&](size_t i) { return little ? le16(bytes, i) : be16(bytes, i); };
        uint32_t unit = unit_at(at);
        if (unit == 0) break;
        if (unit >= 0xd800 && unit < 0xdc00 && at + 3 < bytes.size()) {
            const uint32_t low = unit_at(at + 2);
            if (low >= 0xdc00 && low < 0xe000) {
                unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                at += 2;
            }
        }
        append_utf8(text, unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit);
    }
    return text;
}

}  // namespace

std::string number(double value) {
    if (!std::isfinite(value)) return "unknown";
    return fmt::format("{:.6g}", value + 0.0);
}

std::string seconds(const TiffValues& values) { return words_of_seconds(values.number(0)); }
std::string seconds_of_apex(const TiffValues& values) { return words_of_seconds(std::exp2(-values.number(0))); }
std::string f_number(const TiffValues& values) { return words_of_f_number(values.number(0)); }
std::string f_number_of_apex(const TiffValues& values) {
    return words_of_f_number(std::round(std::exp2(values.number(0) / 2) * 100) / 100);
}
std::string millimetres(const TiffValues& values) { return with_unit(values.number(0), "mm"); }
std::string metres(const TiffValues& values) {
    const double distance = values.number(0);
    return distance >= 4294967295.0 ? "infinity" : with_unit(distance, "m");
}

std::string stops(const TiffValues& values) {
    const double value = values.number(0);
    return std::isfinite(value) ? fmt::format("{}{:.3g} EV", value > 0 ? "+" : "", value + 0.0) : number(value);
}

std::string lens(const TiffValues& values) {
    const double widest = values.number(2);
    const std::string lengths = range(values.number(0), values.number(1)) + " mm";
    return std::isfinite(widest) && widest > 0 ? fmt::format("{}, f/{}", lengths, range(widest, values.number(3)))
                                               : lengths;
}

std::string date(const TiffValues& values) {
    std::string text(values.text());
    if (text.size() >= 10 && text[4] == ':' && text[7] == ':') text[4] = text[7] = '-';
    return text;
}

std::string version(const TiffValues& values) {
    const std::string text(values.text());
    if (text.size() != 4) return text;
    std::string words = fmt::format("{}.{}", text[0] == '0' ? text.substr(1, 1) : text.substr(0, 2), text.substr(2));
    if (words.ends_with('0')) words.pop_back();
    return words;
}

std::string remark(const TiffValues& values) {
    constexpr size_t head = 8;
    const ByteSpan data = values.data();
    if (values.is_text() || data.size() < head) return std::string(values.text());
    const std::string_view set = text_of(data.first(head)), rest = text_of(data.subspan(head));
    if (set.starts_with("UNICODE")) {
        const bool marked = rest.starts_with("\xff\xfe");
        return from_utf16(data.subspan(head + (marked ? 2 : 0)), marked || (rest.size() > 1 && rest[1] == '\0'));
    }
    return std::string(rest.substr(0, rest.find('\0')));
}

std::string utf16(const TiffValues& values) { return from_utf16(values.data(), true); }

std::string flash(const TiffValues& values) {
    const uint32_t bits = values.whole(0);
    if (bits & 0x20) return "there is none";
    std::string words = bits & 1 ? "fired" : "did not fire";
    const uint32_t mode = bits >> 3 & 3, returned = bits >> 1 & 3;
    if (mode == 1) words += ", always on";
    if (mode == 2) words += ", switched off";
    if (mode == 3) words += ", automatic";
    if (returned == 2) words += ", no light returned";
    if (returned == 3) words += ", light returned";
    if (bits & 0x40) words += ", against red eyes";
    return words;
}

std::string orientation(const TiffValues& values) {
    const uint32_t value = values.whole(0);
    return value >= 1 && value <= 8 ? fmt::format("{} ({})", value, words_of_orientation(int(value)))
                                    : fmt::format("unknown ({})", value);
}

std::string exposure_program(const TiffValues& values) {
    return chosen(values, {{0, "not defined"},
                           {1, "manual"},
                           {2, "automatic"},
                           {3, "aperture priority"},
                           {4, "shutter priority"},
                           {5, "creative"},
                           {6, "action"},
                           {7, "portrait"},
                           {8, "landscape"}});
}
std::string metering(const TiffValues& values) {
    return chosen(values, {{0, "unknown"},
                           {1, "average"},
                           {2, "centre-weighted"},
                           {3, "spot"},
                           {4, "several spots"},
                           {5, "pattern"},
                           {6, "part of the picture"},
                           {255, "other"}});
}
std::string light_source(const TiffValues& values) {
    return chosen(values, {{0, "unknown"},        {1, "daylight"},       {2, "fluorescent"},    {3, "tungsten"},
                           {4, "flash"},          {9, "fine weather"},   {10, "cloudy"},        {11, "shade"},
                           {12, "fluorescent D"}, {13, "fluorescent N"}, {14, "fluorescent W"}, {15, "fluorescent WW"},
                           {17, "illuminant A"},  {18, "illuminant B"},  {19, "illuminant C"},  {20, "D55"},
                           {21, "D65"},           {22, "D75"},           {23, "D50"},           {24, "studio tungsten"},
                           {255, "other"}});
}
std::string colour_space(const TiffValues& values) {
    return chosen(values, {{1, "sRGB"}, {2, "Adobe RGB"}, {0xffff, "not calibrated"}});
}
std::string compression(const TiffValues& values) {
    return chosen(values, {{1, "none"},
                           {2, "CCITT run lengths"},
                           {3, "CCITT fax 3"},
                           {4, "CCITT fax 4"},
                           {5, "LZW"},
                           {6, "JPEG (old)"},
                           {7, "JPEG"},
                           {8, "deflate"},
                           {32773, "PackBits"},
                           {32946, "deflate"},
                           {34712, "JPEG 2000"},
                           {34887, "LERC"},
                           {34925, "LZMA"},
                           {50000, "Zstandard"},
                           {50001, "WebP"},
                           {52546, "JPEG XL"}});
}
std::string photometric(const TiffValues& values) {
    return chosen(values, {{0, "grey, 0 is white"},
                           {1, "grey, 0 is black"},
                           {2, "RGB"},
                           {3, "palette"},
                           {4, "mask"},
                           {5, "inks"},
                           {6, "YCbCr"},
                           {8, "CIE Lab"},
                           {9, "ICC Lab"},
                           {32803, "colour filter array"},
                           {34892, "linear raw"}});
}
std::string resolution_unit(const TiffValues& values) {
    return chosen(values, {{1, "none"}, {2, "inch"}, {3, "centimetre"}});
}
std::string planar(const TiffValues& values) { return chosen(values, {{1, "beside each other"}, {2, "in planes"}}); }
std::string sample_format(const TiffValues& values) {
    return chosen(values, {{1, "unsigned integers"}, {2, "signed integers"}, {3, "floats"}, {4, "not defined"}});
}
std::string exposure_mode(const TiffValues& values) {
    return chosen(values, {{0, "automatic"}, {1, "manual"}, {2, "bracketing"}});
}
std::string white_balance(const TiffValues& values) { return chosen(values, {{0, "automatic"}, {1, "manual"}}); }
std::string scene(const TiffValues& values) {
    return chosen(values, {{0, "standard"}, {1, "landscape"}, {2, "portrait"}, {3, "night"}});
}
std::string level(const TiffValues& values) { return chosen(values, {{0, "normal"}, {1, "low"}, {2, "high"}}); }

}  // namespace texelscope::exif
