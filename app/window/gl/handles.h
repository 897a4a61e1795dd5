#pragma once
// OpenGL objects as move-only values. A context must be current when they are created and destroyed.

#include <glad/gl.h>

#include <utility>

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
