#include "gpu/core/sample_memory.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace texelscope {
namespace {

// Throws std::bad_alloc for null.
std::shared_ptr<std::byte> on_heap(void* bytes) {
    if (!bytes) throw std::bad_alloc();
    return {static_cast<std::byte*>(bytes), std::free};
}

// What keeps a source of samples in the place of their bytes.
struct KeepsTiles {
    std::shared_ptr<const TileSource> tiles;
    void operator()(std::byte*) const noexcept {}
};

}  // namespace

// calloc: large memory comes from the system as zeros and is not written a second time.
SampleMemory::SampleMemory(size_t bytes) : bytes_(bytes) {
    if (bytes > 0) data_ = on_heap(std::calloc(bytes, 1));
}

SampleMemory::SampleMemory(std::byte* data, size_t bytes, Release release)
    : data_(data, [bytes, release](std::byte* all) { release(all, bytes); }), bytes_(bytes) {}

SampleMemory::SampleMemory(std::shared_ptr<const TileSource> tiles) : data_(nullptr, KeepsTiles{std::move(tiles)}) {}

std::shared_ptr<const TileSource> SampleMemory::tiles() const {
    const auto* keeper = std::get_deleter<KeepsTiles>(data_);
    return keeper ? keeper->tiles : nullptr;
}

SampleMemory::SampleMemory(const SampleMemory& other) : bytes_(other.bytes_) {
    if (bytes_ == 0) {
        if (std::get_deleter<KeepsTiles>(other.data_)) data_ = other.data_;
        return;
    }
    data_ = on_heap(std::malloc(bytes_));
    std::memcpy(data_.get(), other.data(), bytes_);
}

SampleMemory::SampleMemory(SampleMemory&& other) noexcept
    : data_(std::move(other.data_)), bytes_(std::exchange(other.bytes_, 0)) {}

SampleMemory& SampleMemory::operator=(SampleMemory other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

SampleMemory SampleMemory::shared() const {
    SampleMemory same;
    same.data_ = data_;
    same.bytes_ = bytes_;
    return same;
}

}  // namespace texelscope
