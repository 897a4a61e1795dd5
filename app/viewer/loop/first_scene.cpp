#include "app/viewer/loop/first_scene.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/state/derived_sources.h"
#include "app/state/references.h"
#include "app/viewer/editing/pane_edits.h"
#include "gpu/core/colour.h"

namespace texelscope {
namespace {

constexpr double part_width = 80, part_height = 64;  // samples: enlarged 8 to 16 times in most windows

// Where an image has edges, curves and fine lines, as a fraction of its size.
struct Spot {
    std::string_view id;
    double x, y;
};
constexpr std::array spots = {Spot{"basilica", 0.5, 0.302}, Spot{"zone-plate", 0.68, 0.68}};
constexpr std::array smooth = {std::string_view("parabola"), std::string_view("alpha")};

}  // namespace

Scene first_scene(const ViewerOptions& options) {
    const MethodInfo* usual = find_method("bspline");
    const MethodSpec a = options.spec.value_or(default_spec(usual ? *usual : *all_methods().front()));
    Scene scene;
    scene.panes = {{a}, {contrasting_spec(a)}};
    scene.reference = default_reference();
    scene.outside = options.outside.value_or(Outside::background);
    scene.antialias = options.antialias.value_or(true);
    scene.light = options.linear_light ? Light::linear : Light::stored;
    scene.warp = options.warp.value_or(Warp{});
    return scene;
}

std::optional<Region> first_region(const Document& document) {
    if (document.is_file() || pushed_name(document.source) || !document.image) return {};
    const Image& image = *document.image;
    if (image.width() <= 2 * part_width && image.height() <= 2 * part_height) return {};
    const std::string_view id = std::string_view(document.source).substr(1, document.source.find(':') - 1);
    if (std::find(smooth.begin(), smooth.end(), id) != smooth.end()) return {};
    const auto found = std::find_if(spots.begin(), spots.end(), [&](const Spot& spot) { return spot.id == id; });
    const Spot spot = found == spots.end() ? Spot{id, 0.5, 0.5} : *found;
    const double width = std::min<double>(part_width, image.width()),
                 height = std::min<double>(part_height, image.height());
    const auto low = [](double at, int size, double part) {
        return std::clamp(at * size - part / 2, 0.0, size - part) - 0.5;
    };
    const double x = low(spot.x, image.width(), width), y = low(spot.y, image.height(), height);
    return Region{x, y, x + width, y + height};
}

}  // namespace texelscope
