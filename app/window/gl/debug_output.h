#pragma once
// OpenGL's own messages (KHR_debug) on stderr.

namespace texelscope::gl {

// Needs a current debug context. False where the context has none to give.
bool print_debug_output();

}  // namespace texelscope::gl
