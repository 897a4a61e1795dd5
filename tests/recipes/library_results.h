#pragma once
// What a library returned, compared with what its recipe makes.

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/source_image.h"

namespace texelscope::test {

struct Off {
    double largest = 0;
    size_t different = 0, samples = 0;
    double share() const { return double(different) / double(samples); }
};

inline Off off(const Image& made, const Image& wanted, double unit, bool levels) {
    Off result;
    for (int y = 0; y < wanted.height(); ++y)
        for (int x = 0; x < wanted.width(); ++x)
            for (int c = 0; c < wanted.channels(); ++c) {
                double value = double(made.value(x, y, c)) * unit;
                if (levels) value = std::clamp(std::nearbyint(value), 0.0, unit);
                double expected = double(wanted.value(x, y, c)) * unit;
                if (levels) expected = std::nearbyint(expected);
                const double difference = std::abs(value - expected);
                result.largest = std::max(result.largest, std::isnan(difference) ? INFINITY : difference);
                result.different += difference > (levels ? 0.5 : 0);
                ++result.samples;
            }
    return result;
}

// Of a function that is given positions: what the case's pixels read.
inline Image read_at(const std::shared_ptr<Backend>& backend, const Image& input, const nlohmann::json& of,
                     std::span<const double> map, Extent size) {
    SourceImage source(backend, input);
    RenderRequest request;
    request.spec = recipe_spec(std::string(of["spec"]));
    request.width = size.width;
    request.height = size.height;
    if (!map.empty()) {
        Image made(size.width, size.height, input.channels(), SampleType::f32);
        const auto values = source.sample_to_host(request, PointsView::pairs(map.data(), map.size() / 2));
        std::copy(values.begin(), values.end(), made.row_as<float>(0));
        return made;
    }
    request.view.rotate = of.value("rotate", 0.0);
    if (of.contains("translate")) {
        request.view.translate_x = of["translate"][0];
        request.view.translate_y = of["translate"][1];
    }
    if (of.contains("affine")) {
        const std::vector<double> a = of["affine"];
        request.positions = Affine{a[0], a[1], a[2], a[3], a[4], a[5]};
    }
    return source.render_to_image(request);
}

// `of`: the recipe ("spec"), the samples' type ("type"), a bound, and positions of functions that are given them, unless a map.
inline void expect_result(const std::shared_ptr<Backend>& backend, const nlohmann::json& of, const Image& input,
                          const Image& wanted, std::span<const double> map = {}) {
    const std::string spec = of["spec"], type = of["type"];
    const double unit = type == "u8" ? 255 : type == "u16" ? 65535 : 1;
    const Extent size{wanted.width(), wanted.height()};
    const BoundRecipe recipe = parse_recipe(spec);
    const Image made = recipe.recipe->given_positions ? read_at(backend, input, of, map, size)
                                                      : resized_like(backend, input, recipe, size);
    const bool levels = unit > 1;
    const Off found = off(made, wanted, unit, levels);
    const auto& bound = of["bound"];
    const std::string where = fmt::format("{} {} {}×{}×{} → {}×{}", spec, type, input.width(), input.height(),
                                          input.channels(), size.width, size.height);
    if (!levels) {
        EXPECT_LE(found.largest, double(bound.value("absolute", 2e-6))) << where;
        return;
    }
    EXPECT_LE(found.largest, double(bound.value("levels", 0.0))) << where;
    // A share is one of many pictures: of a small one a single sample may be as much.
    EXPECT_LE(found.different, std::max(1.0, 3 * bound.value("share", 0.0) * double(found.samples))) << where;
    if (bound.value("levels", 0.0) == 0) {
        EXPECT_EQ(found.different, 0u) << where;
    }
}

}  // namespace texelscope::test
