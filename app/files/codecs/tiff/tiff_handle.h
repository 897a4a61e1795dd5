#pragma once
// A TIFF opened by libtiff, which prints nothing: what it complains about is kept.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tiffio.h>

#include "app/files/bytes/raster.h"

namespace texelscope {

// The bytes of a TIFF: in memory, or read where they are needed, since a file may become shorter while it is open.
struct TiffBytes {
    ByteSpan memory = {};
    int descriptor = -1;  // −1: they are in memory
    size_t size = 0;
};

// A handle is for one thread.
class TiffHandle {
public:
    // Opens the first directory. Throws Error if it cannot be read. The bytes must outlive the handle.
    explicit TiffHandle(const TiffBytes& bytes);
    ~TiffHandle();

    TIFF* tiff() const { return tiff_; }
    // Goes to another directory. Throws Error if it cannot be read.
    void go_to(uint64_t directory);

    // libtiff's message about damage since the last call; empty: none.
    std::string complaint() const;
    // Throws Error with that message.
    [[noreturn]] void throw_damaged() const;

    // The numbers of a tag of the current directory as the file has them, whatever libtiff makes of it. Empty: they are
    // not there, or not of a whole type.
    std::vector<uint32_t> stored_numbers(uint32_t tag) const;

    // False if the file ends before the data of a strip or tile does.
    bool has_data(uint32_t piece) const;
    // The stored bytes of a strip or tile, as far as the file has them; in memory or in the buffer.
    ByteSpan stored_data(uint32_t piece, std::vector<std::byte>& buffer) const;
    size_t file_bytes() const;

private:
    struct Access;  // what libtiff's callbacks get
    std::unique_ptr<Access> access_;
    TIFF* tiff_ = nullptr;
};

}  // namespace texelscope
