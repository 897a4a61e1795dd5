#pragma once
// Renderings as values, and images in memory of a backend.

#include <cstring>
#include <memory>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/image.h"

namespace texelscope::test {

// Renderings as values: float64 references read back, and values handed to a backend.

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

// Images in memory of a backend, rows anywhere apart.

// An image in memory of a backend that ends with its last sample. All bytes around it are 0xff, which is NaN in both float
// formats.
struct Placed {
    std::shared_ptr<void> memory;
    ImageView view;
};

inline Placed placed(Backend& backend, const Image& image, size_t row_bytes, size_t before) {
    const size_t bytes = before + row_bytes * size_t(image.height() - 1) + image.row_bytes();
    std::vector<unsigned char> content(bytes, 0xff);
    for (int y = 0; y < image.height(); ++y)
        std::memcpy(content.data() + before + size_t(y) * row_bytes, image.row(y), image.row_bytes());
    Placed result{backend.allocate(bytes), view_of(image)};
    backend.write(result.memory.get(), content.data(), bytes);
    result.view.samples = static_cast<const char*>(result.memory.get()) + before;
    result.view.row_bytes = row_bytes;
    return result;
}

}  // namespace texelscope::test
