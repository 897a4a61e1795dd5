#pragma once
// OpenGL as WebGL 2 has it, under the name of the native build's header. What WebGL lacks is here in its nearest form, so that
// the drawing code need not ask where it runs: no timers, no buffer textures, no debug messages; grey textures as luminance.

#include <GLES3/gl3.h>

#include <cstddef>
#include <map>
#include <vector>

#define GLAD_API_PTR
#define GLAD_GL_KHR_debug 0
#define GLAD_GL_VERSION_4_3 0

using GLADloadfunc = void (*(*)(const char*))();
inline int gladLoadGL(GLADloadfunc) { return 1; }

// Zero texels fit into a buffer texture: pictures are drawn from textures.
#define GL_TEXTURE_BUFFER 0x8C2A
#define GL_MAX_TEXTURE_BUFFER_SIZE 0x8C2B
inline void glTexBuffer(GLenum, GLenum, GLuint) {}
inline void webgl_get_integer(GLenum name, GLint* value) {
    if (name == GL_MAX_TEXTURE_BUFFER_SIZE) *value = 0;
    else glGetIntegerv(name, value);
}
#define glGetIntegerv webgl_get_integer

// Pixel buffers are memory of the program, from which textures are filled: WebGL maps no buffers, and would only copy them.
inline std::map<GLuint, std::vector<unsigned char>> webgl_pixel_buffers;
inline GLuint webgl_pixel_buffer = 0;
inline void webgl_bind_buffer(GLenum target, GLuint buffer) {
    if (target == GL_PIXEL_UNPACK_BUFFER) webgl_pixel_buffer = buffer;
    else glBindBuffer(target, buffer);
}
inline void webgl_buffer_data(GLenum target, GLsizeiptr bytes, const void* data, GLenum usage) {
    if (target == GL_PIXEL_UNPACK_BUFFER) webgl_pixel_buffers[webgl_pixel_buffer].resize(size_t(bytes));
    else glBufferData(target, bytes, data, usage);
}
inline void* webgl_map(GLenum, GLintptr from, GLsizeiptr, GLbitfield) {
    return webgl_pixel_buffers[webgl_pixel_buffer].data() + from;
}
inline GLboolean webgl_unmap(GLenum) { return GL_TRUE; }
inline void webgl_delete_buffers(GLsizei count, const GLuint* names) {
    for (GLsizei i = 0; i < count; ++i) webgl_pixel_buffers.erase(names[i]);
    glDeleteBuffers(count, names);
}
inline void webgl_sub_image(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                            GLenum type, const void* pixels) {
    if (webgl_pixel_buffer != 0)
        pixels = webgl_pixel_buffers[webgl_pixel_buffer].data() + reinterpret_cast<size_t>(pixels);
    glTexSubImage2D(target, level, x, y, width, height, format == GL_RED ? GL_LUMINANCE : format, type, pixels);
}
#define glBindBuffer webgl_bind_buffer
#define glBufferData webgl_buffer_data
#define glMapBufferRange webgl_map
#define glUnmapBuffer webgl_unmap
#define glDeleteBuffers webgl_delete_buffers
#define glTexSubImage2D webgl_sub_image

// No measurement ever arrives.
#define GL_TIME_ELAPSED 0x88BF
inline void webgl_query_name(GLsizei, GLuint* name) { *name = 0; }
inline void webgl_no_query(...) {}
inline void webgl_query_result(GLuint, GLenum, GLint* value) { *value = 0; }
inline void glGetQueryObjectui64v(GLuint, GLenum, GLuint64* value) { *value = 0; }
#define glGenQueries webgl_query_name
#define glDeleteQueries webgl_no_query
#define glBeginQuery webgl_no_query
#define glEndQuery webgl_no_query
#define glGetQueryObjectiv webgl_query_result

#define GL_DEBUG_OUTPUT 0x92E0
#define GL_DEBUG_OUTPUT_SYNCHRONOUS 0x8242
#define GL_DEBUG_SEVERITY_HIGH 0x9146
#define GL_DEBUG_SEVERITY_MEDIUM 0x9147
#define GL_DEBUG_SEVERITY_LOW 0x9148
#define GL_DEBUG_SEVERITY_NOTIFICATION 0x826B
inline void glDebugMessageCallback(void (*)(GLenum, GLenum, GLuint, GLenum, GLsizei, const GLchar*, const void*),
                                   const void*) {}

// One channel is shown as grey: WebGL has no swizzles.
inline void webgl_image(GLenum target, GLint level, GLint inside, GLsizei width, GLsizei height, GLint border,
                        GLenum format, GLenum type, const void* pixels) {
    const bool grey = format == GL_RED;
    glTexImage2D(target, level, grey ? GL_LUMINANCE : inside, width, height, border, grey ? GL_LUMINANCE : format, type,
                 pixels);
}
inline void webgl_parameter(GLenum target, GLenum name, GLint value) {
    if (name != GL_TEXTURE_SWIZZLE_G && name != GL_TEXTURE_SWIZZLE_B) glTexParameteri(target, name, value);
}
#define glTexImage2D webgl_image
#define glTexParameteri webgl_parameter

// Only four channels can be read.
inline void webgl_read(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void* pixels) {
    if (format != GL_RGB) return glReadPixels(x, y, width, height, format, type, pixels);
    std::vector<unsigned char> rgba(size_t(width) * size_t(height) * 4);
    glReadPixels(x, y, width, height, GL_RGBA, type, rgba.data());
    auto* to = static_cast<unsigned char*>(pixels);
    for (size_t i = 0; i < rgba.size(); ++i)
        if (i % 4 != 3) *to++ = rgba[i];
}
#define glReadPixels webgl_read
