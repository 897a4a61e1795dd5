#include "app/viewer/pushing/pushing.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/json_text.h"
#include "app/files/bytes/rows.h"
#include "gpu/core/errors.h"

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
    if (what == "close") return PushedClose{name_in(header)};
    throw Error("\"do\" must be show, open or close");
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

std::string to_line(const PushedClose& close) {
    return line_of({{"texelscope", version}, {"do", "close"}, {"name", close.name}});
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

namespace {

static_assert(std::endian::native == std::endian::little, "samples are sent as little-endian numbers");

constexpr size_t buffer_bytes = size_t(64) << 10;

// A private copy by reading, not mapping: whoever else has the memory may change or shrink it at any time.
void copy_from_memory(int descriptor, Image& image) {
    struct stat info {};
    const bool shared = ::fcntl(descriptor, F_GET_SEALS) >= 0 && ::fstat(descriptor, &info) == 0;
    if (!shared) throw Error("the descriptor is not shared memory; make it with memfd_create");
    if (size_t(info.st_size) < image.size_bytes())
        throw Error(fmt::format("the shared memory has {} bytes, the image {}", info.st_size, image.size_bytes()));
    size_t done = 0;
    while (done < image.size_bytes()) {
        const ssize_t count = ::pread(descriptor, image.data() + done, image.size_bytes() - done, off_t(done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) throw Error("the shared memory cannot be read to its end");
        done += size_t(count);
    }
}

std::string amount(size_t part, size_t whole) {
    return whole >> 20 ? fmt::format("{} of {} MiB", part >> 20, whole >> 20)
                       : fmt::format("{} of {} bytes", part, whole);
}

}  // namespace

PushConnection::~PushConnection() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::span<std::byte> PushConnection::room() {
    if (image_) return {image_->data() + filled_, image_->size_bytes() - filled_};
    buffer_.resize(buffer_bytes);
    return buffer_;
}

void PushConnection::received(size_t count) {
    if (!image_) return take_bytes(std::span(buffer_).first(count));
    filled_ += count;
    if (filled_ == image_->size_bytes()) end();
}

void PushConnection::received_descriptor(int descriptor) {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = descriptor;
}

std::string PushConnection::missing() const {
    if (!image_) return "a part of a line";
    return fmt::format("{} of {}", amount(filled_, image_->size_bytes()), header_.name);
}

// A header, or the end of one and what comes after it.
void PushConnection::take_bytes(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        if (image_) {
            const size_t count = std::min(bytes.size(), image_->size_bytes() - filled_);
            std::memcpy(image_->data() + filled_, bytes.data(), count);
            bytes = bytes.subspan(count);
            filled_ += count;
            if (filled_ == image_->size_bytes()) end();
            continue;
        }
        const auto newline = std::find(bytes.begin(), bytes.end(), std::byte('\n'));
        const auto part = bytes.first(size_t(newline - bytes.begin()));
        line_.append(reinterpret_cast<const char*>(part.data()), part.size());
        if (line_.size() > most_push_header_bytes)
            throw Error(fmt::format("no end of the line after {} KiB", most_push_header_bytes >> 10));
        if (newline == bytes.end()) return;
        bytes = bytes.subspan(part.size() + 1);
        take_line();
    }
}

void PushConnection::take_line() {
    const std::string line = std::exchange(line_, {});
    const PushRequest request = parse_push_request(line);
    if (const auto* image = std::get_if<PushedImage>(&request)) begin(*image);
    else if (const auto* files = std::get_if<PushedFiles>(&request)) handlers_.take(*files);
    else handlers_.take(std::get<PushedClose>(request));
}

void PushConnection::begin(const PushedImage& header) {
    handlers_.check(header);
    if (header.memory && descriptor_ < 0) throw Error("\"memory\" is true, but no file descriptor came with the line");
    header_ = header;
    filled_ = 0;
    auto image = std::make_shared<Image>(header.image());
    if (header.memory) {
        copy_from_memory(descriptor_, *image);
        ::close(std::exchange(descriptor_, -1));
        image_ = std::move(image);
        return end();
    }
    image_ = std::move(image);
}

void PushConnection::end() { handlers_.take(PushedFrame{header_.name, std::exchange(image_, nullptr)}); }

}  // namespace texelscope
