#pragma once
// Renderings as values: float64 references read back, and values handed to a backend.

#include <memory>
#include <vector>

#include "gpu/backend/source_image.h"
#include "gpu/display/display.h"

namespace texelscope::test {

// The request's float64 reference, channels() values per pixel.
inline std::vector<double> reference_values(SourceImage& source, const RenderRequest& request) {
    std::vector<double> values(size_t(request.width) * size_t(request.height) * size_t(source.samples().channels()));
    Backend& backend = source.backend();
    const std::shared_ptr<void> memory = backend.allocate(values.size() * sizeof(double));
    source.render_reference(request, static_cast<double*>(memory.get()));
    backend.read_back(values.data(), memory.get(), values.size() * sizeof(double));
    return values;
}

// Floats or doubles in the backend's memory.
class Plane {
public:
    template <class Number> Plane(Backend& backend, const std::vector<Number>& values) {
        memory_ = backend.allocate(values.size() * sizeof(Number));
        backend.write(memory_.get(), values.data(), values.size() * sizeof(Number));
        view_ = {memory_.get(), sizeof(Number) == sizeof(double)};
    }
    operator ValuePlane() const { return view_; }

private:
    std::shared_ptr<void> memory_;
    ValuePlane view_;
};

// The pixels that the backend displays: `job` without pixels and rows.
inline std::vector<uint32_t> displayed(Backend& backend, DisplayJob job) {
    std::vector<uint32_t> pixels(size_t(job.width) * size_t(job.height));
    const std::shared_ptr<void> memory = backend.allocate(pixels.size() * sizeof(uint32_t));
    job.pixels = static_cast<uint32_t*>(memory.get());
    job.row_bytes = size_t(job.width) * sizeof(uint32_t);
    backend.display(job);
    backend.read_back(pixels.data(), memory.get(), pixels.size() * sizeof(uint32_t));
    return pixels;
}

}  // namespace texelscope::test
