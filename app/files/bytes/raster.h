#pragma once
// Helpers for all readers: numbers from bytes, and checks against headers that claim more than the file holds.

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "gpu/core/image.h"

namespace texelscope {

using ByteSpan = std::span<const std::byte>;

inline uint32_t byte_at(ByteSpan bytes, size_t at) { return std::to_integer<uint32_t>(bytes[at]); }
inline uint32_t be16(ByteSpan b, size_t at) { return byte_at(b, at) << 8 | byte_at(b, at + 1); }
inline uint32_t le16(ByteSpan b, size_t at) { return byte_at(b, at + 1) << 8 | byte_at(b, at); }
inline uint32_t be32(ByteSpan b, size_t at) { return be16(b, at) << 16 | be16(b, at + 2); }
inline uint32_t le32(ByteSpan b, size_t at) { return le16(b, at + 2) << 16 | le16(b, at); }

inline std::string_view text_of(ByteSpan bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
inline ByteSpan bytes_of_text(std::string_view text) { return std::as_bytes(std::span(text)); }

// Throws "the file ends after … bytes; the … is truncated".
[[noreturn]] void throw_truncated(size_t size, std::string_view format);

// Throws unless an Image may have these dimensions.
void check_dimensions(uint64_t width, uint64_t height, uint64_t channels, SampleType type);

// Throws unless a picture that is never held as a whole may have these sides and channels.
void check_sides(uint64_t width, uint64_t height, uint64_t channels);

// Throws unless the rest of the file holds the `needed` bytes that the header promises. Call check_dimensions first.
void check_present(uint64_t available, uint64_t needed, uint64_t width, uint64_t height);

// The number of complete rows, from the first on, that the rest of the file holds. Throws like check_present if hardly
// any are there: then the header is more likely to be wrong. Call check_dimensions first.
uint64_t rows_present(uint64_t available, uint64_t row_bytes, uint64_t width, uint64_t height);

// A check_present for compressed data, whose size says less: refuses dimensions that no file of that size can hold.
void check_plausible(uint64_t file_bytes, uint64_t width, uint64_t height, uint64_t channels, SampleType type);

// Where an encoder puts its bytes, in the order of the file.

// What it throws ends the writing.
using ByteSink = std::function<void(ByteSpan bytes)>;

// For calls from within a C library, which nothing may be thrown through.
class WaitingError {
public:
    // False if `work` threw.
    template <class Work> bool none_in(Work work) noexcept {
        try {
            work();
            return true;
        } catch (...) {
            if (!error_) error_ = std::current_exception();
            return false;
        }
    }
    // The first one, if there is any.
    void rethrow() {
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }

private:
    std::exception_ptr error_;
};

// A walk over the bytes of a file that cannot leave it.

// Throws "truncated" if more is taken than there is.
class Walker {
public:
    Walker(ByteSpan bytes, std::string_view format) : bytes_(bytes), format_(format) {}

    size_t at() const { return at_; }
    ByteSpan take(uint64_t count) {
        if (count > bytes_.size() - at_) throw_truncated(bytes_.size(), format_);
        at_ += size_t(count);
        return bytes_.subspan(at_ - size_t(count), size_t(count));
    }
    uint32_t byte() { return byte_at(take(1), 0); }

private:
    ByteSpan bytes_;
    std::string_view format_;
    size_t at_ = 0;
};

inline void check_claim(bool possible, uint64_t width, uint64_t height, size_t size) {
    if (!possible)
        throw Error(
            fmt::format("its header claims {}×{} pixels, which a file of {} bytes cannot hold", width, height, size));
}

// The boxes that HEIF and JPEG 2000 files are made of (ISO/IEC 14496-12, ISO/IEC 15444-1 annex I).
struct FileBox {
    uint64_t begin = 0, end = 0;  // of its content
    bool found() const { return end > 0; }
};

// The first box of this type in a part of the file, whose content begins with `kind`; without content if there is none.
FileBox box_in(const ReadAt& read, FileBox part, std::string_view type, std::string_view kind = {});

}  // namespace texelscope
