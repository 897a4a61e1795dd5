#include "app/window/gl/debug_output.h"

#include <cstdio>

#include <fmt/format.h>
#include <glad/gl.h>

namespace texelscope::gl {
namespace {

const char* severity_name(GLenum severity) {
    switch (severity) {
        case GL_DEBUG_SEVERITY_HIGH: return "high";
        case GL_DEBUG_SEVERITY_MEDIUM: return "medium";
        case GL_DEBUG_SEVERITY_LOW: return "low";
        default: return "note";
    }
}

void GLAD_API_PTR print(GLenum, GLenum, GLuint id, GLenum severity, GLsizei, const GLchar* text, const void*) {
    // Notifications only say where buffers live; they do not report problems.
    if (severity != GL_DEBUG_SEVERITY_NOTIFICATION)
        fmt::print(stderr, "texelscope: OpenGL ({}, {}): {}\n", severity_name(severity), id, text);
}

}  // namespace

bool print_debug_output() {
    if (!GLAD_GL_KHR_debug && !GLAD_GL_VERSION_4_3) return false;
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(print, nullptr);
    return true;
}

}  // namespace texelscope::gl
