#pragma once
// Helpers for all readers: numbers from bytes, and checks against headers that claim more than the file holds.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

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

// The same for what is never held as a whole: the sides and the channels alone.
void check_sides(uint64_t width, uint64_t height, uint64_t channels);

// Throws unless the rest of the file holds the `needed` bytes that the header promises. Call check_dimensions first.
void check_present(uint64_t available, uint64_t needed, uint64_t width, uint64_t height);

// The number of complete rows, from the first on, that the rest of the file holds. Throws like check_present if hardly
// any are there: then the header is more likely to be wrong. Call check_dimensions first.
uint64_t rows_present(uint64_t available, uint64_t row_bytes, uint64_t width, uint64_t height);

// A check_present for compressed data, whose size says less: refuses dimensions that no file of that size can hold.
void check_plausible(uint64_t file_bytes, uint64_t width, uint64_t height, uint64_t channels, SampleType type);

}  // namespace texelscope
