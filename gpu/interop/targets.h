#pragma once
// The three present targets, each of which throws if it is unavailable (presenter.cpp climbs down), and CUDA's copies to
// the host.

#include <memory>
#include <string>
#include <vector>

#include "gpu/interop/host_copy.h"
#include "gpu/interop/present_target.h"

namespace texelscope {

// CPU rung: the backend writes straight into the mapped pixel buffer.
std::unique_ptr<PresentTarget> make_host_target();

#if TEXELSCOPE_WITH_CUDA
// CUDA devices that drive the current GL context; if there are none, why.
std::vector<int> cuda_devices_of_gl_context(std::string& why_none);

// Registered pixel buffer, mapped into CUDA.
std::unique_ptr<PresentTarget> make_registered_target(std::shared_ptr<Backend> backend);

// Device memory, copied through pinned host memory into the pixel buffer.
std::unique_ptr<PresentTarget> make_staged_target(std::shared_ptr<Backend> backend);

// See make_host_copy.
std::unique_ptr<HostCopy> make_enqueued_copy(std::shared_ptr<Backend> backend);
#endif

}  // namespace texelscope
