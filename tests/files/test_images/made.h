#pragma once

#include <string_view>

#include <fmt/format.h>

#include "app/files/test_images/test_images.h"

namespace texelscope::test {

// The test image with this name, at this size.
inline Image made(std::string_view id, int width, int height) {
    return make_test_image(fmt::format("@{}:{}x{}", id, width, height));
}

inline double mean_of(const Image& image) {
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) sum += double(image.value(x, y, 0));
    return sum / (double(image.width()) * image.height());
}

}  // namespace texelscope::test
