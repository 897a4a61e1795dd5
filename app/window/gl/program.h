#pragma once
// A shader program made of embedded sources.

#include <string>
#include <string_view>

#include "app/window/gl/handles.h"

namespace texelscope::gl {

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

}  // namespace texelscope::gl
