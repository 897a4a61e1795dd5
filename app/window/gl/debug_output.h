#pragma once
// OpenGL's own messages (KHR_debug) on stderr.

namespace texelscope::gl {

// Needs a current debug context. False if the context gives no messages.
bool print_debug_output();

}  // namespace texelscope::gl
