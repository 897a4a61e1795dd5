#pragma once
// OpenGL objects as move-only values. A context must be current when they are created and destroyed.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <glad/gl.h>

#include "gpu/core/image.h"

namespace texelscope::gl {

template <class Traits> class Handle {
public:
    Handle() = default;
    ~Handle() { reset(); }
    Handle(Handle&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
    Handle& operator=(Handle&& other) noexcept {
        if (this != &other) {
            reset();
            name_ = std::exchange(other.name_, 0);
        }
        return *this;
    }

    static Handle create() {
        Handle handle;
        handle.name_ = Traits::create();
        return handle;
    }

    GLuint name() const { return name_; }
    explicit operator bool() const { return name_ != 0; }

private:
    void reset() {
        if (name_) Traits::destroy(name_);
        name_ = 0;
    }
    GLuint name_ = 0;
};

// clang-format off
struct TextureTraits {
    static GLuint create() { GLuint n = 0; glGenTextures(1, &n); return n; }
    static void destroy(GLuint n) { glDeleteTextures(1, &n); }
};
struct VertexArrayTraits {
    static GLuint create() { GLuint n = 0; glGenVertexArrays(1, &n); return n; }
    static void destroy(GLuint n) { glDeleteVertexArrays(1, &n); }
};
struct FramebufferTraits {
    static GLuint create() { GLuint n = 0; glGenFramebuffers(1, &n); return n; }
    static void destroy(GLuint n) { glDeleteFramebuffers(1, &n); }
};
struct RenderbufferTraits {
    static GLuint create() { GLuint n = 0; glGenRenderbuffers(1, &n); return n; }
    static void destroy(GLuint n) { glDeleteRenderbuffers(1, &n); }
};
struct QueryTraits {
    static GLuint create() { GLuint n = 0; glGenQueries(1, &n); return n; }
    static void destroy(GLuint n) { glDeleteQueries(1, &n); }
};
struct ProgramTraits {
    static GLuint create() { return glCreateProgram(); }
    static void destroy(GLuint n) { glDeleteProgram(n); }
};
// clang-format on

using Texture = Handle<TextureTraits>;
using VertexArray = Handle<VertexArrayTraits>;
using Framebuffer = Handle<FramebufferTraits>;
using Renderbuffer = Handle<RenderbufferTraits>;
using Query = Handle<QueryTraits>;

}  // namespace texelscope::gl

namespace texelscope {

// An off-screen framebuffer: pictures of any size, independent of the window's size and visibility.

// Receives all drawing as long as it lives.
class Offscreen {
public:
    // Throws Error for a size that this OpenGL implementation cannot draw.
    Offscreen(int width, int height);
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    // The finished drawing: u8 × 3, top row first. Waits for it.
    Image picture() const;

private:
    int width_, height_;
    gl::Framebuffer framebuffer_ = gl::Framebuffer::create();
    gl::Renderbuffer colour_ = gl::Renderbuffer::create();
};

}  // namespace texelscope

namespace texelscope::gl {

// A shader program made of embedded sources.

class Program {
public:
    // Names in shaders/. `defines` go below the #version line, e.g. "#define FROM_TEXTURE\n".
    // Throws Error with the shader's name, the driver's log and the numbered source.
    Program(std::string_view vertex_name, std::string_view fragment_name, std::string_view defines = {});

    void use() const { glUseProgram(program_.name()); }

    // Sets a uniform of the program in use. A name that the compiler has removed is ignored.
    void set(const char* uniform, int x) const;
    void set(const char* uniform, int x, int y) const;
    void set(const char* uniform, float x) const;

private:
    Handle<ProgramTraits> program_;
};

// The source with line numbers, as the driver's log counts them.
std::string numbered(std::string_view source);

// Measures how long OpenGL works on something, without waiting for it.

// begin … end around the calls; the time comes some frames later.
class Timer {
public:
    void begin() {
        Slot& slot = slots_[next_];
        if (!slot.query) slot.query = Query::create();
        if (slot.pending) collect(slot);  // all are pending: give up the oldest unless it has arrived
        glBeginQuery(GL_TIME_ELAPSED, slot.query.name());
    }
    void end() {
        glEndQuery(GL_TIME_ELAPSED);
        slots_[next_].pending = true;
        next_ = (next_ + 1) % slots_.size();
    }

    // Milliseconds of the last measurement available; empty before the first.
    std::optional<double> milliseconds() {
        for (size_t i = 0; i < slots_.size(); ++i) collect(slots_[(next_ + i) % slots_.size()]);
        return last_;
    }

private:
    struct Slot {
        Query query;
        bool pending = false;
    };
    void collect(Slot& slot) {
        if (!slot.pending) return;
        GLint available = 0;
        glGetQueryObjectiv(slot.query.name(), GL_QUERY_RESULT_AVAILABLE, &available);
        if (!available) return;
        GLuint64 nanoseconds = 0;
        glGetQueryObjectui64v(slot.query.name(), GL_QUERY_RESULT, &nanoseconds);
        last_ = double(nanoseconds) * 1e-6;
        slot.pending = false;
    }
    std::array<Slot, 4> slots_;
    size_t next_ = 0;
    std::optional<double> last_;
};

}  // namespace texelscope::gl

namespace texelscope {

// The picture drawn into the window that is not shown yet.

// The upper left width × height pixels of the framebuffer in use, u8×3, first row on top.
Image back_buffer(int width, int height);

}  // namespace texelscope

namespace texelscope::gl {

// OpenGL's own messages (KHR_debug) on stderr.

// Needs a current debug context. False if the context gives no messages.
bool print_debug_output();

}  // namespace texelscope::gl
