#pragma once
// Streams from which OpenEXR reads bytes, and its errors as ours.

#include <new>
#include <string>

#include <Iex.h>
#include <ImfIO.h>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// A file in memory.
class ContentStream : public Imf::IStream {
public:
    explicit ContentStream(ByteSpan content) : IStream("it"), content_(content) {}

    bool read(char to[], int count) override;
    uint64_t tellg() override { return at_; }
    void seekg(uint64_t at) override { at_ = at; }

private:
    ByteSpan content_;
    uint64_t at_ = 0;
};

// An open file, read where it is needed: never mapped, since it may become shorter.
class DescriptorStream : public Imf::IStream {
public:
    explicit DescriptorStream(const EncodedFile& file)
        : IStream("it"), descriptor_(file.descriptor), bytes_(file.bytes) {}

    bool read(char to[], int count) override;
    uint64_t tellg() override { return at_; }
    void seekg(uint64_t at) override { at_ = at; }

private:
    int descriptor_;
    uint64_t bytes_, at_ = 0;
};

// Throws Error: the OpenEXR is damaged, for the reason that the library gives.
[[noreturn]] void throw_damaged_exr(const std::string& reason);

// Returns what `work` returns; errors of the library become one sentence.
template <class Work> auto in_our_words(const Work& work) {
    try {
        return work();
    } catch (const Iex::BaseExc& error) {
        throw_damaged_exr(error.what());
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory to read it");
    }
}

}  // namespace texelscope
