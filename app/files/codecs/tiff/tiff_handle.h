#pragma once
// A TIFF opened by libtiff, which prints nothing: what it complains about is kept.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tiffio.h>

#include "app/files/bytes/raster.h"

namespace texelscope {

// Where the bytes of a TIFF are: in memory, or, since a file may become shorter while it is open, read where they are needed.
struct TiffBytes {
    ByteSpan memory = {};
    int descriptor = -1;  // −1: they are in memory
    size_t size = 0;
};

// Of one thread.
class TiffHandle {
public:
    // At the first directory. Throws Error if that cannot be read. The bytes outlive it.
    explicit TiffHandle(const TiffBytes& bytes);
    ~TiffHandle();

    TIFF* tiff() const { return tiff_; }
    // At another directory. Throws Error if it cannot be read.
    void go_to(uint64_t directory);

    // What libtiff said of damage since the last call; empty: nothing.
    std::string complaint() const;
    // Throws Error with what it said.
    [[noreturn]] void throw_damaged() const;

    // Where the file ends before the data of a strip or tile do.
    bool has_data(uint32_t piece) const;
    // Of a strip or tile as it is stored, which is in the file; in memory or in the buffer.
    ByteSpan stored_data(uint32_t piece, std::vector<std::byte>& buffer) const;
    size_t file_bytes() const;

private:
    struct Access;  // what libtiff's callbacks get
    std::unique_ptr<Access> access_;
    TIFF* tiff_ = nullptr;
};

}  // namespace texelscope
