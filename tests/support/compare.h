#pragma once
// Measures a rendering against the float64 reference.

#include <ostream>
#include <string>

#include "tests/support/reference.h"

namespace texelscope::test {

// The largest difference and its position. NaN counts as infinite.
struct Difference {
    double error = 0;
    int x = 0, y = 0, channel = 0;
    double got = 0, expected = 0;
    std::string what;  // source and request, to reproduce it
};
std::ostream& operator<<(std::ostream& out, const Difference& difference);

// All pixels of the rendering, or `pixels` of them, corners included, if it has more.
// If the method jumps (nearest's ties), the value from either side of a position within tolerance::jump is right; so
// are both sides of the extent's edge under Outside::background, outside of which `background` is expected.
Difference against_reference(const Image& rendered, const Image& source, const RenderRequest& request, int pixels = 400,
                             const reference::Value& background = {});

// The same, rendering first.
Difference render_and_compare(const std::shared_ptr<Backend>& backend, const Image& source,
                              const RenderRequest& request, int pixels = 400);

// Largest difference between two renderings of one size.
Difference between(const Image& a, const Image& b);

// "bspline:… of 61×47 u8×3, 20×30 pixels, translate …"
std::string describe_request(const Image& source, const RenderRequest& request);

}  // namespace texelscope::test
