#include "app/studies/restoring/colour_figures.h"

#include <algorithm>
#include <random>

namespace texelscope {
namespace {

constexpr long long most_pixels = 1 << 21;

}  // namespace

bool has_colours(const Image& image) {
    return image.channels() == 3 || (image.channels() == 4 && image.alpha() != Alpha::none);
}

// At random places: regular ones would always meet the same phase of a picture shrunk by a whole factor.
std::vector<int> compared_rows(Extent size) {
    const int strip = int((size.width * (long long)(size.height) + most_pixels - 1) / most_pixels);
    std::minstd_rand random;
    std::vector<int> rows;
    for (int top = 0; top < size.height; top += strip)
        rows.push_back(top + int(random() % unsigned(std::min(strip, size.height - top))));
    return rows;
}

}  // namespace texelscope
