#pragma once
// A walk over the bytes of a file that cannot leave it.

#include <fmt/format.h>

#include "app/files/bytes/raster.h"

namespace texelscope {

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

}  // namespace texelscope
