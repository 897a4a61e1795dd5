#include "app/files/decoding/picture_in_file.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

constexpr size_t most_channels = 4;

// What would end a name, or look like a folder's.
bool is_reserved(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || std::string_view("#&=,%/:").find(c) != std::string_view::npos;
}

std::string escaped(std::string_view name) {
    std::string text;
    for (const char c : name) text += is_reserved(c) ? fmt::format("%{:02x}", int(c)) : std::string(1, c);
    return text;
}

std::optional<std::string> unescaped(std::string_view text) {
    std::string name;
    for (size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '%') {
            unsigned code = 0;
            const std::string_view digits = text.substr(i + 1, 2);
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
            if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2 || code == 0) return {};
            c = char(code);
            i += 2;
        } else if (is_reserved(c)) {
            return {};
        }
        name += c;
    }
    if (name.empty()) return {};
    return name;
}

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(at, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

bool all_differ(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
}

bool take(std::string_view word, PictureChoice& choice) {
    const size_t equals = std::min(word.find('='), word.size());
    const std::string_view key = word.substr(0, equals), value = word.substr(std::min(equals + 1, word.size()));
    if (key == "part" && choice.part.empty()) {
        choice.part = unescaped(value).value_or("");
        return !choice.part.empty();
    }
    if (key == "channels" && choice.channels.empty()) {
        for (const std::string_view part : split(value, ',')) {
            const auto name = unescaped(part);
            if (!name) return false;
            choice.channels.push_back(*name);
        }
        return choice.channels.size() <= most_channels && all_differ(choice.channels);
    }
    if (key == "orientation" && value == "off" && choice.upright) {
        choice.upright = false;
        return true;
    }
    if (key == "layout" && (value == "chw" || value == "hwc") && !choice.channels_first) {
        choice.channels_first = value == "chw";
        return true;
    }
    return false;
}

// Unset if it is none.
std::optional<PictureChoice> parse_choice(std::string_view text) {
    PictureChoice choice;
    for (const std::string_view word : split(text, '&'))
        if (!take(word, choice)) return {};
    return choice;
}

}  // namespace

std::string text_of(const PictureChoice& choice) {
    std::vector<std::string> words;
    if (!choice.part.empty() && choice.part != "1") words.push_back("part=" + escaped(choice.part));
    if (!choice.channels.empty()) {
        std::vector<std::string> names;
        for (const std::string& name : choice.channels) names.push_back(escaped(name));
        words.push_back(fmt::format("channels={}", fmt::join(names, ",")));
    }
    if (!choice.upright) words.push_back("orientation=off");
    if (choice.channels_first) words.push_back(*choice.channels_first ? "layout=chw" : "layout=hwc");
    return fmt::format("{}", fmt::join(words, "&"));
}

PictureSource parse_picture_source(std::string_view source) {
    const size_t hash = source.rfind('#');
    if (hash != source.npos)
        if (auto choice = parse_choice(source.substr(hash + 1)))
            return {std::string(source.substr(0, hash)), std::move(*choice)};
    return {std::string(source), {}};
}

std::string with_choice(const std::string& file, const PictureChoice& choice) {
    std::string text = text_of(choice);
    if (text.empty() && parse_picture_source(file).file != file) text = "part=1";
    return text.empty() ? file : file + '#' + text;
}

std::vector<std::string> parse_channels(std::string_view option, std::string_view text) {
    std::vector<std::string> names;
    for (const std::string_view name : split(text, ',')) names.emplace_back(name);
    const bool named = std::none_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); });
    if (!named || names.size() > most_channels || !all_differ(names))
        throw UsageError(
            fmt::format("{} must be 1 to {} different channels, by name or number, such as R,G,B or 1, not '{}'",
                        option, most_channels, text));
    return names;
}

const char* words_of_orientation(int orientation) {
    switch (orientation) {
        case 2: return "mirrored";
        case 3: return "upside down";
        case 4: return "upside down and mirrored";
        case 5: return "on its left side and mirrored";
        case 6: return "on its left side";
        case 7: return "on its right side and mirrored";
        case 8: return "on its right side";
        default: return "upright";
    }
}

namespace {

struct Character {
    uint32_t code = 0;
    size_t bytes = 0;  // 0: no UTF-8
};

// The first one of a text that is not empty (Unicode 15.0, table 3-7).
Character first_of(std::string_view text) {
    const auto byte = [&](size_t i) { return uint32_t(uint8_t(text[i])); };
    const uint32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const size_t count = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < count) return {};
    uint32_t code = lead & (0xffu >> (count + 1));
    for (size_t i = 1; i < count; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3f);
    }
    const bool overlong = (count == 3 && code < 0x800) || (count == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return overlong || surrogate || code > 0x10ffff ? Character{} : Character{code, count};
}

bool is_space(uint32_t code) {
    return code == ' ' || (code >= 0x09 && code <= 0x0d) || code == 0x85 || code == 0xa0 || code == 0x2028 ||
           code == 0x2029;
}

bool is_control(uint32_t code) {
    const bool direction = code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                           (code >= 0x2066 && code <= 0x2069);
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfeff || direction;
}

}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const size_t bytes = first_of(text).bytes;
        if (bytes == 0) return false;
        text.remove_prefix(bytes);
    }
    return true;
}

std::string printable(std::string_view text, size_t most) {
    constexpr std::string_view cut = "…";
    std::string result;
    size_t fits = 0;  // of the result, with `cut` behind it
    bool space = false;
    while (!text.empty()) {
        const Character next = first_of(text);
        std::string word(text.substr(0, next.bytes));
        if (next.bytes == 0) word = fmt::format("\\x{:02x}", uint8_t(text[0]));
        else if (is_control(next.code) && next.code < 0x100) word = fmt::format("\\x{:02x}", next.code);
        else if (is_control(next.code)) word = fmt::format("\\u{:04x}", next.code);
        text.remove_prefix(next.bytes == 0 ? 1 : next.bytes);
        if (next.bytes > 0 && is_space(next.code)) {
            space = !result.empty();
            continue;
        }
        if (space) word.insert(0, " ");
        space = false;
        if (result.size() + word.size() > most) {
            result.resize(fits);
            return most < cut.size() ? result : result.append(cut);
        }
        result += word;
        if (result.size() + cut.size() <= most) fits = result.size();
    }
    return result;
}

}  // namespace texelscope
