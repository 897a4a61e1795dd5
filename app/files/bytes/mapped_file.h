#pragma once
// The bytes of an open file without reading them first.

#include <sys/mman.h>

#include "app/files/bytes/raster.h"
#include "gpu/core/errors.h"

namespace texelscope {

// If the file becomes shorter, looking at what is gone ends the process.
class MappedFile {
public:
    // Throws Error.
    MappedFile(int descriptor, size_t bytes)
        : data_(::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0)), bytes_(bytes) {
        if (data_ == MAP_FAILED) throw Error("the file cannot be mapped into memory");
    }
    ~MappedFile() { ::munmap(data_, bytes_); }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    ByteSpan bytes() const { return {static_cast<const std::byte*>(data_), bytes_}; }

private:
    void* data_;
    size_t bytes_;
};

}  // namespace texelscope
