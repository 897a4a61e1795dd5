#include "gpu/core/sample_memory.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace texelscope {
namespace {

void release_heap(std::byte* data, size_t) noexcept { std::free(data); }

}  // namespace

// calloc: large memory comes from the system as zeros and is not written a second time.
SampleMemory::SampleMemory(size_t bytes) : bytes_(bytes), release_(release_heap) {
    if (bytes == 0) return;
    data_ = static_cast<std::byte*>(std::calloc(bytes, 1));
    if (!data_) throw std::bad_alloc();
}

SampleMemory::SampleMemory(std::byte* data, size_t bytes, Release release)
    : data_(data), bytes_(bytes), release_(release) {}

SampleMemory::SampleMemory(const SampleMemory& other) : bytes_(other.bytes_), release_(release_heap) {
    if (bytes_ == 0) return;
    data_ = static_cast<std::byte*>(std::malloc(bytes_));
    if (!data_) throw std::bad_alloc();
    std::memcpy(data_, other.data_, bytes_);
}

SampleMemory::SampleMemory(SampleMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)), release_(other.release_) {}

SampleMemory& SampleMemory::operator=(SampleMemory other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(release_, other.release_);
    return *this;
}

SampleMemory::~SampleMemory() {
    if (data_) release_(data_, bytes_);
}

}  // namespace texelscope
