#pragma once
// The CPU backend with a choice of vector instructions.

#include <memory>

#include "gpu/backend/backend.h"
#include "gpu/method/simd/kernels.h"

namespace texelscope {

// make_cpu_backend() takes the best; others are for tests and for comparing. Throws Error if they are missing.
std::shared_ptr<Backend> make_cpu_backend(simd::Instructions instructions);

}  // namespace texelscope
