#pragma once
// The bytes that hold the samples of an image: on the heap, or in memory that someone else has filled; or none, if the samples
// are read by regions.

#include <cstddef>
#include <memory>

namespace texelscope {

class TileSource;

// A copy of bytes is always on the heap.
class SampleMemory {
public:
    // Gives the memory back, for example by unmapping it.
    using Release = void (*)(std::byte* data, size_t bytes) noexcept;

    SampleMemory() = default;
    // Zero-filled. Throws std::bad_alloc.
    explicit SampleMemory(size_t bytes);
    // Takes over memory that `release` gives back.
    SampleMemory(std::byte* data, size_t bytes, Release release);
    // No bytes, but where samples are read from.
    explicit SampleMemory(std::shared_ptr<const TileSource> tiles);
    SampleMemory(const SampleMemory& other);
    SampleMemory(SampleMemory&& other) noexcept;
    SampleMemory& operator=(SampleMemory other) noexcept;

    // The same bytes, which are given back when neither needs them any more.
    SampleMemory shared() const;

    // Null if the samples are here.
    std::shared_ptr<const TileSource> tiles() const;

    bool empty() const { return bytes_ == 0; }
    size_t size() const { return bytes_; }
    std::byte* data() { return data_.get(); }
    const std::byte* data() const { return data_.get(); }

private:
    std::shared_ptr<std::byte> data_;
    size_t bytes_ = 0;
};

}  // namespace texelscope
