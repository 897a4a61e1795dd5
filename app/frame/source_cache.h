#pragma once
// Images in the backend's memory, with their coefficients: the few that were used last.

#include <list>
#include <memory>

#include "gpu/backend/backend.h"

namespace texelscope {

class SourceCache {
public:
    explicit SourceCache(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}

    // Uploads where needed. Throws OutOfMemory or Error.
    SourceImage& at(const std::shared_ptr<const Image>& image, Light light = Light::stored);

private:
    static constexpr size_t capacity = 3;
    struct Entry {
        std::shared_ptr<const Image> image;
        Light light;
        SourceImage source;
    };
    std::shared_ptr<Backend> backend_;
    std::list<Entry> entries_;  // the most recently used first
};

}  // namespace texelscope
