#pragma once
// A GL pixel buffer.

#include <bit>
#include <cstddef>
#include <string>

#include <glad/gl.h>

#include "gpu/core/errors.h"
#include "gpu/core/timing.h"

namespace texelscope {

class PixelBuffer {
public:
    PixelBuffer() { glGenBuffers(1, &name_); }
    ~PixelBuffer() {
        if (name_) glDeleteBuffers(1, &name_);
    }
    PixelBuffer(const PixelBuffer&) = delete;
    PixelBuffer& operator=(const PixelBuffer&) = delete;

    unsigned name() const { return name_; }

    // New storage; the old content is lost. Throws OutOfMemory.
    void allocate(size_t bytes) {
        while (glGetError() != GL_NO_ERROR) {}
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name_);
        glBufferData(GL_PIXEL_UNPACK_BUFFER, GLsizeiptr(bytes), nullptr, GL_STREAM_DRAW);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        if (glGetError() != GL_NO_ERROR)
            throw OutOfMemory("OpenGL has no memory for a picture of " + std::to_string(bytes >> 20) + " MiB");
    }

    // Host pointer to the whole buffer, its old content discarded. Throws Error.
    void* map(size_t bytes) {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name_);
        void* memory = glMapBufferRange(GL_PIXEL_UNPACK_BUFFER, 0, GLsizeiptr(bytes),
                                        GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        if (!memory) throw Error("OpenGL refused to map the pixel buffer");
        return memory;
    }

    // False if OpenGL has lost what was written meanwhile, as a change of the display mode may cause.
    bool unmap() {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, name_);
        const bool kept = glUnmapBuffer(GL_PIXEL_UNPACK_BUFFER) == GL_TRUE;
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        return kept;
    }

private:
    unsigned name_ = 0;
};

// How large a pixel buffer is made, so that a window that is dragged to another size needs few new ones: making one and
// registering it with CUDA takes milliseconds.

inline constexpr size_t least_room = size_t(1) << 20;

// At least `bytes`, in steps of a quarter to an eighth of it.
constexpr size_t rounded_room(size_t bytes) {
    if (bytes <= least_room) return least_room;
    const size_t step = std::bit_floor(bytes - 1) / 4;
    return (bytes + step - 1) / step * step;
}

// The new size of a buffer of `held` bytes (0: none yet) if `bytes` are needed: it stays until it is too small, or
// twice too large.
constexpr size_t buffer_room(size_t bytes, size_t held) {
    const size_t wanted = rounded_room(bytes);
    return bytes <= held && held <= 2 * wanted ? held : wanted;
}

}  // namespace texelscope
