// The least that a start can take: GLFW, an OpenGL context and one picture of the window's size, without any of the
// program. Says on stderr when that is on the screen, for bench/loading.py --floor.

#include <cstdint>
#include <cstdio>
#include <vector>

#include <glad/gl.h>
// GLFW after glad
#include <GLFW/glfw3.h>

namespace {

constexpr int width = 1280, height = 800;
constexpr const char* vertices =
    "#version 330 core\n"
    "void main() { gl_Position = vec4(vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0, 0, 1); }";
constexpr const char* fragments =
    "#version 330 core\n"
    "uniform sampler2D picture; out vec4 colour;\n"
    "void main() { colour = texelFetch(picture, ivec2(gl_FragCoord.xy), 0); }";

void attach(GLuint program, GLenum kind, const char* text) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    glAttachShader(program, shader);
}

}  // namespace

int main() {
    if (!glfwInit()) return 1;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    GLFWwindow* window = glfwCreateWindow(width, height, "bare window", nullptr, nullptr);
    if (!window) return 1;
    glfwMakeContextCurrent(window);
    if (!gladLoadGL(glfwGetProcAddress)) return 1;
    std::vector<uint32_t> pixels(size_t(width) * height);
    for (size_t n = 0; n < pixels.size(); ++n) pixels[n] = uint32_t(n) * 77;
    GLuint texture = 0, array = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    const GLuint program = glCreateProgram();
    attach(program, GL_VERTEX_SHADER, vertices);
    attach(program, GL_FRAGMENT_SHADER, fragments);
    glLinkProgram(program);
    glUseProgram(program);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    if (glGetError() != GL_NO_ERROR) return 1;
    glfwSwapBuffers(window);
    std::fputs("shown\n", stderr);
    glfwDestroyWindow(window);
    glfwTerminate();
    return 0;
}
