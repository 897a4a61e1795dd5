// The least that a start can take: GLFW, an OpenGL context and one picture of the window's size, without any of the
// program. Says on stderr when that is on the screen, for bench/loading.py --floor.
//
//   bare_window [WIDTH HEIGHT SECONDS]   then draws a new frame as soon as the last one is on the screen, for so long, and says
//                                        how many there were a second, for bench/dragging.py --floor

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <glad/gl.h>
// GLFW after glad
#include <GLFW/glfw3.h>

namespace {

constexpr const char* vertices =
    "#version 330 core\n"
    "void main() { gl_Position = vec4(vec2(gl_VertexID % 2, gl_VertexID / 2) * 2.0 - 1.0, 0, 1); }";
constexpr const char* fragments =
    "#version 330 core\n"
    "uniform sampler2D picture; uniform int moved; out vec4 colour;\n"
    "void main() { colour = texelFetch(picture, ivec2(gl_FragCoord.xy) ^ ivec2(moved & 1, 0), 0); }";

void attach(GLuint program, GLenum kind, const char* text) {
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    glAttachShader(program, shader);
}

}  // namespace

int main(int count, char** arguments) {
    const int width = count > 3 ? std::atoi(arguments[1]) : 1280, height = count > 3 ? std::atoi(arguments[2]) : 800;
    const double seconds = count > 3 ? std::atof(arguments[3]) : 0;
    if (width < 1 || height < 1) return 1;
    if (!glfwInit()) return 1;
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    GLFWwindow* window = glfwCreateWindow(width, height, "bare window", nullptr, nullptr);
    if (!window) return 1;
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
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
    const GLint moved = glGetUniformLocation(program, "moved");
    const double start = glfwGetTime();
    int frames = 0;
    while (glfwGetTime() < start + seconds) {
        glfwPollEvents();
        glUniform1i(moved, ++frames);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glfwSwapBuffers(window);
    }
    glFinish();
    if (frames > 0) std::fprintf(stderr, "%.1f\n", frames / (glfwGetTime() - start));
    glfwDestroyWindow(window);
    glfwTerminate();
    return 0;
}
