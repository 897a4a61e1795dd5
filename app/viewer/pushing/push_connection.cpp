#include "app/viewer/pushing/push_connection.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu/core/errors.h"

namespace texelscope {
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
    if (const auto* image = std::get_if<PushedImage>(&request)) return begin(*image);
    handlers_.take(std::get<PushedFiles>(request));
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
