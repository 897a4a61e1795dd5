#include "app/window/gl/gl_objects.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <glad/gl.h>

#include "app/files/bytes/embedded_files.h"
#include "gpu/core/errors.h"

namespace texelscope {

Offscreen::Offscreen(int width, int height) : width_(width), height_(height) {
    glBindRenderbuffer(GL_RENDERBUFFER, colour_.name());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_.name());
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    throw Error(fmt::format("OpenGL cannot draw a picture of {}×{} pixels", width, height));
}

Offscreen::~Offscreen() { glBindFramebuffer(GL_FRAMEBUFFER, 0); }

Image Offscreen::picture() const { return back_buffer(width_, height_); }

}  // namespace texelscope

namespace texelscope::gl {
namespace {

// Lives until its program is linked.
struct Shader {
    GLuint name;
    explicit Shader(GLenum stage) : name(glCreateShader(stage)) {}
    ~Shader() { glDeleteShader(name); }
    Shader(const Shader&) = delete;
    Shader& operator=(const Shader&) = delete;
};

std::string with_defines(std::string_view source, std::string_view defines) {
    const size_t first_line = source.find('\n') + 1;
    return std::string(source.substr(0, first_line)) + std::string(defines) + std::string(source.substr(first_line));
}

std::string shader_log(GLuint shader) {
    GLint length = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string log(size_t(length), '\0');
    glGetShaderInfoLog(shader, length, &length, log.data());
    log.resize(size_t(length));
    return log;
}

std::string program_log(GLuint program) {
    GLint length = 0;
    glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
    std::string log(size_t(length), '\0');
    glGetProgramInfoLog(program, length, &length, log.data());
    log.resize(size_t(length));
    return log;
}

void compile(const Shader& shader, std::string_view name, std::string_view defines) {
    const EmbeddedFile* file = find_file(embedded_shaders(), name);
    if (!file) throw Error(fmt::format("shader {} is missing from this program", name));
    const std::string source = with_defines(file->text, defines);
    const GLchar* text = source.data();
    const GLint length = GLint(source.size());
    glShaderSource(shader.name, 1, &text, &length);
    glCompileShader(shader.name);
    GLint compiled = 0;
    glGetShaderiv(shader.name, GL_COMPILE_STATUS, &compiled);
    if (!compiled)
        throw Error(
            fmt::format("shader {} does not compile:\n{}\n{}", name, shader_log(shader.name), numbered(source)));
}

}  // namespace

std::string numbered(std::string_view source) {
    std::string result;
    for (int line = 1; !source.empty(); ++line) {
        const size_t end = source.find('\n');
        result += fmt::format("{:4}  {}\n", line, source.substr(0, end));
        source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    }
    return result;
}

Program::Program(std::string_view vertex_name, std::string_view fragment_name, std::string_view defines)
    : program_(Handle<ProgramTraits>::create()) {
    const Shader vertex(GL_VERTEX_SHADER), fragment(GL_FRAGMENT_SHADER);
    compile(vertex, vertex_name, defines);
    compile(fragment, fragment_name, defines);
    glAttachShader(program_.name(), vertex.name);
    glAttachShader(program_.name(), fragment.name);
    glLinkProgram(program_.name());
    glDetachShader(program_.name(), vertex.name);
    glDetachShader(program_.name(), fragment.name);
    GLint linked = 0;
    glGetProgramiv(program_.name(), GL_LINK_STATUS, &linked);
    if (!linked)
        throw Error(fmt::format("shaders {} and {} do not link:\n{}", vertex_name, fragment_name,
                                program_log(program_.name())));
}

void Program::set(const char* uniform, int x) const { glUniform1i(glGetUniformLocation(program_.name(), uniform), x); }

void Program::set(const char* uniform, int x, int y) const {
    glUniform2i(glGetUniformLocation(program_.name(), uniform), x, y);
}

void Program::set(const char* uniform, float x) const {
    glUniform1f(glGetUniformLocation(program_.name(), uniform), x);
}

}  // namespace texelscope::gl

namespace texelscope {

Image back_buffer(int width, int height) {
    Image rows(width, height, 3, SampleType::u8), image(width, height, 3, SampleType::u8);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
    for (int y = 0; y < height; ++y) std::copy_n(rows.row(height - 1 - y), rows.row_bytes(), image.row(y));
    return image;
}

}  // namespace texelscope

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
