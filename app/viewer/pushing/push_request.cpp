#include "app/viewer/pushing/push_request.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/json_text.h"
#include "app/files/bytes/raster.h"

namespace texelscope {
namespace {

using Json = nlohmann::json;

constexpr int version = 1;

const Json* find(const Json& header, const char* key) {
    const auto at = header.find(key);
    return at == header.end() ? nullptr : &*at;
}

int number(const Json& header, const char* key, std::optional<int> otherwise = {}) {
    const Json* value = find(header, key);
    if (!value && otherwise) return *otherwise;
    if (!value) throw Error(fmt::format("\"{}\" is missing: a whole number", key));
    const bool whole = value->is_number_unsigned() && value->get<uint64_t>() <= uint64_t(max_image_side);
    if (!whole) throw Error(fmt::format("\"{}\" must be a whole number of at most {}", key, max_image_side));
    return int(value->get<uint64_t>());
}

std::string text(const Json& header, const char* key, std::string_view otherwise) {
    const Json* value = find(header, key);
    if (!value) return std::string(otherwise);
    if (!value->is_string()) throw Error(fmt::format("\"{}\" must be a text", key));
    return value->get<std::string>();
}

bool yes(const Json& header, const char* key) {
    const Json* value = find(header, key);
    if (!value) return false;
    if (!value->is_boolean()) throw Error(fmt::format("\"{}\" must be true or false", key));
    return value->get<bool>();
}

bool printable(std::string_view text) {
    return std::none_of(text.begin(), text.end(), [](char c) { return uint8_t(c) < 32 || c == 127; });
}

std::string name_in(const Json& header) {
    const std::string name = text(header, "name", "");
    if (name.empty() || name.size() > most_push_name_bytes || !printable(name))
        throw Error(
            fmt::format("\"name\" must be a text of 1 to {} bytes without control characters", most_push_name_bytes));
    return name;
}

PushedImage image_in(const Json& header) {
    PushedImage image;
    image.name = name_in(header);
    image.width = number(header, "width");
    image.height = number(header, "height");
    image.channels = number(header, "channels", 1);
    const std::string type = text(header, "type", "u8"), alpha = text(header, "alpha", "none");
    const auto known = std::ranges::find(all_sample_types, type, [](SampleType t) { return name_of(t); });
    if (known == all_sample_types.end())
        throw Error(
            "\"type\" must be u8, u16, f16 or f32, or for numbers as they are i8, i16, i32, u32, i64, u64 or f64");
    image.type = *known;
    const auto meant = std::ranges::find(alpha_kinds, alpha, &NamedValue<Alpha>::name);
    if (meant == std::end(alpha_kinds)) throw Error("\"alpha\" must be none, straight or premultiplied");
    image.alpha = meant->value;
    image.signal = yes(header, "signal");
    image.memory = yes(header, "memory");
    check_dimensions(uint64_t(image.width), uint64_t(image.height), uint64_t(image.channels), image.type);
    if (image.alpha != Alpha::none && image.channels != 2 && image.channels != 4)
        throw Error("alpha is the last of 2 or 4 channels");
    if (image.signal && image.height != 1) throw Error("a signal has one row: its \"height\" must be 1");
    return image;
}

PushedFiles files_in(const Json& header) {
    const Json* list = find(header, "files");
    if (!list || !list->is_array() || list->size() > most_push_files)
        throw Error(fmt::format("\"files\" must be a list of at most {} paths", most_push_files));
    PushedFiles files;
    for (const Json& file : *list) {
        const std::string path = file.is_string() ? file.get<std::string>() : "";
        if (!(path.starts_with('/') || path.starts_with('@')) || path.find('\0') != path.npos)
            throw Error("each of \"files\" must be an absolute path or a test image such as @step:8");
        files.files.push_back(path);
    }
    return files;
}

std::string line_of(const Json& json) { return json_text(json) + "\n"; }

}  // namespace

size_t bytes_of(const PushedImage& image) {
    return size_t(image.width) * size_t(image.height) * size_t(image.channels) * size_t(bytes_per_sample(image.type));
}

Image PushedImage::image() const {
    Image result(width, height, channels, type, alpha);
    result.set_one_dimensional(signal);
    return result;
}

PushRequest parse_push_request(std::string_view line) {
    const Json header = try_parse_json(line);
    if (!header.is_object()) throw Error("what came is not a line of JSON that asks for something");
    const Json* asked = find(header, "texelscope");
    if (!asked || !asked->is_number_integer() || *asked != version)
        throw Error(fmt::format("the line must say \"texelscope\": {}, the version that it is written for", version));
    const std::string what = text(header, "do", "");
    if (what == "show") return image_in(header);
    if (what == "open") return files_in(header);
    throw Error("\"do\" must be show or open");
}

std::string to_line(const PushedImage& image) {
    Json header = {{"texelscope", version},       {"do", "show"},
                   {"name", image.name},          {"width", image.width},
                   {"height", image.height},      {"channels", image.channels},
                   {"type", name_of(image.type)}, {"alpha", name_of(image.alpha)}};
    if (image.signal) header["signal"] = true;
    if (image.memory) header["memory"] = true;
    return line_of(header);
}

std::string to_line(const PushedFiles& files) {
    return line_of({{"texelscope", version}, {"do", "open"}, {"files", files.files}});
}

std::string accepted_line() { return line_of({{"ok", true}}); }
std::string refused_line(const std::string& why) { return line_of({{"error", why}}); }

void check_reply(std::string_view line) {
    const Json reply = try_parse_json(line);
    const Json* ok = reply.is_object() ? find(reply, "ok") : nullptr;
    if (ok && ok->is_boolean() && ok->get<bool>()) return;
    const std::string why = reply.is_object() && reply.contains("error") ? text(reply, "error", "") : "";
    throw Error(why.empty() ? "the window's answer is not understood; it may be of another version" : why);
}

}  // namespace texelscope
