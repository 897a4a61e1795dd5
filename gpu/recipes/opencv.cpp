// OpenCV: cv2.resize. Weights are those of float32 positions; in 8 bits they are integers of 1/2048.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gpu/recipes/recipe.h"
#include "gpu/recipes/shared_rules.h"

namespace texelscope {
namespace {

constexpr int weight_bits = 11;
const RecipeOption by_x{"fx", "0",  {},
                        0,    1000, "Factor along x instead of the one that follows from the sizes; 0: that."},
    by_y{"fy", "0", {}, 0, 1000, "The same along y."};

// Pixels per sample as the library computes it.
double factor_of(const RecipeCall& call, const ResizedAxis& axis, std::string_view option) {
    const double given = call.options.number(option);
    return given > 0 ? given : axis.pixels / axis.samples;
}
double factor_x(const RecipeCall& call) { return factor_of(call, call.x, by_x.id); }
double factor_y(const RecipeCall& call) { return factor_of(call, call.y, by_y.id); }

bool copied(const RecipeCall& call) {
    return call.x.whole() && call.y.whole() && call.x.pixels == call.x.samples && call.y.pixels == call.y.samples;
}

ResizeRule plain(const Rule& x, const Rule& y) { return {.x = x, .y = y, .passes = {}, .premultiplied = false}; }

Rule nearest_rule(NearestRule nearest, Alignment alignment) {
    return {.tap_rule = TapRule::nearest, .nearest = nearest, .alignment = alignment, .edges = AddressMode::clamp};
}

void round_weights(const Rule& rule, std::span<float> weights) {
    if (rule.bits == 0) return;
    for (float& w : weights) w = std::nearbyint(std::ldexp(w, rule.bits));
}

// A position in float32: its sample, and what it is beyond that.
struct Place {
    int sample = 0;
    float fraction = 0;
};

Place place_of(const Rule& rule, int i) {
    const float position = float((i + 0.5) * (1 / *rule.factor) - 0.5);
    const int sample = int(std::floor(position));
    return {sample, position - float(sample)};
}

Place area_place(const Rule& rule, int i) {
    const int sample = int(std::floor(i * (1 / *rule.factor)));
    const float fraction = float((i + 1) - (sample + 1) * *rule.factor);
    return {sample, fraction <= 0 ? 0 : fraction - std::floor(fraction)};
}

// Along x, positions end at the edges; along y both taps beyond an edge are the edge's sample, each with its weight.
Place within(const Place& place, int samples) {
    if (place.sample < 0) return {0, 0};
    return place.sample >= samples - 1 ? Place{samples - 1, 0} : place;
}

template <bool area, bool along_x> LongTaps linear_table(const Rule& rule, const ResizedAxis& axis) {
    return tap_table(axis, 2, [&](int i, std::span<float> weights) {
        const Place anywhere = area ? area_place(rule, i) : place_of(rule, i);
        const Place place = along_x ? within(anywhere, axis.samples) : anywhere;
        weights[0] = 1 - place.fraction;
        weights[1] = place.fraction;
        round_weights(rule, weights);
        return place.sample;
    });
}

LongTaps cubic_table(const Rule& rule, const ResizedAxis& axis) {
    return tap_table(axis, 4, [&](int i, std::span<float> weights) {
        constexpr float a = -0.75f;
        const Place place = place_of(rule, i);
        const float x = place.fraction, before = x + 1, after = 1 - x;
        weights[0] = ((a * before - 5 * a) * before + 8 * a) * before - 4 * a;
        weights[1] = ((a + 2) * x - (a + 3)) * x * x + 1;
        weights[2] = ((a + 2) * after - (a + 3)) * after * after + 1;
        weights[3] = 1 - weights[0] - weights[1] - weights[2];
        round_weights(rule, weights);
        return place.sample - 1;
    });
}

LongTaps lanczos_table(const Rule& rule, const ResizedAxis& axis) {
    return tap_table(axis, 8, [&](int i, std::span<float> weights) {
        const Place place = place_of(rule, i);
        float sum = 0;
        for (int k = 0; k < 8; ++k) {
            const float distance = place.fraction + 3 - float(k);
            if (std::abs(distance) < 1e-6f) {
                weights[size_t(k)] = 1e30f;
            } else {
                // sin(πd)·sin(πd/4) up to a factor that all taps have in common.
                const double quarter = distance * M_PI / 4;
                weights[size_t(k)] = float((k % 2 ? -1 : 1) * std::sin(quarter) / (quarter * quarter));
            }
            sum += weights[size_t(k)];
        }
        const float inverse = 1 / sum;
        for (float& w : weights) w *= inverse;
        round_weights(rule, weights);
        return place.sample - 3;
    });
}

// In steps of 1/65536 sample, less one: in newer versions where the number of samples is odd.
LongTaps nearest_exact_table(const Rule& rule, const ResizedAxis& axis) {
    const bool newer = rule.table.parameters[0] >= 5;
    return tap_table(axis, 1, [&](int i, std::span<float> weights) {
        const auto pixels = int64_t(axis.pixels);
        const int64_t step = ((int64_t(axis.samples) << 16) + pixels / 2) / pixels, less = newer ? axis.samples % 2 : 1;
        weights[0] = 1;
        return std::min(int((step * i + step / 2 - less) >> 16), axis.samples - 1);
    });
}

// Parts of samples below 1/1000 are left out.
LongTaps area_table(const Rule& rule, const ResizedAxis& axis) {
    const double step = 1 / *rule.factor;
    return tap_table(axis, int(std::ceil(step)) + 2, [&](int i, std::span<float> weights) {
        const double from = i * step, to = from + step, length = std::min(step, axis.samples - from);
        const int end = std::min(int(std::floor(to)), axis.samples - 1), begin = std::min(int(std::ceil(from)), end);
        const bool part_before = begin - from > 1e-3;
        size_t taps = 0;
        if (part_before) weights[taps++] = float((begin - from) / length);
        for (int k = begin; k < end; ++k) weights[taps++] = float(1 / length);
        if (to - end > 1e-3) weights[taps] = float(std::min(std::min(to - end, 1.0), length) / length);
        return begin - part_before;
    });
}

// Sums of whole samples, which the pass divides; where some are beyond the image, the others count as much more.
LongTaps block_table(const Rule& rule, const ResizedAxis& axis) {
    const int block = int(rule.table.parameters[0]);
    return tap_table(axis, block, [&](int i, std::span<float> weights) {
        const int inside = std::clamp(axis.samples - i * block, 1, block);
        std::fill_n(weights.begin(), inside, float(block) / float(inside));
        return i * block;
    });
}

// What becomes of sums: nothing in floats; whole numbers of the type in others.
LongPasses real_passes(RecipeType type) {
    LongPasses passes;
    if (type == RecipeType::f32) return passes;
    passes.unit = type == RecipeType::u8 ? 255 : 65535;
    passes.whole = true;
    passes.second = {.round = Rounding::half_even, .clipped = true, .low = 0, .high = passes.unit};
    return passes;
}

LongPasses whole_passes(RecipeType type, int64_t add, int shift) {
    LongPasses passes = real_passes(type);
    passes.first = {.fixed = true};
    passes.second = {.fixed = true, .shift = shift, .add = add, .clipped = true, .low = 0, .high = passes.unit};
    return passes;
}

// Two taps: in 8 bits the second pass cuts each of its products off.
LongPasses linear_passes(RecipeType type) {
    if (type != RecipeType::u8) return real_passes(type);
    LongPasses passes = whole_passes(type, 2, 2);
    passes.second.value_shift = 4;
    passes.second.product_shift = 16;
    return passes;
}

Rule along(double factor, std::string_view weight, RecipeType type) {
    return {.weight = std::string(weight),
            .unit_area = false,
            .window = TapWindow::taps,
            .factor = factor,
            .edges = AddressMode::clamp,
            .bits = type == RecipeType::u8 ? weight_bits : 0};
}

ResizeRule weighed(const RecipeCall& call, std::string_view weight, LongTaps (*x)(const Rule&, const ResizedAxis&),
                   LongTaps (*y)(const Rule&, const ResizedAxis&), const LongPasses& passes) {
    ResizeRule rule = plain(along(factor_x(call), weight, call.type), along(factor_y(call), weight, call.type));
    rule.x.table.make = x;
    rule.y.table.make = y;
    rule.passes = passes;
    return rule;
}

ResizeRule nearest(const RecipeCall& call) {
    const Rule rule = nearest_rule(NearestRule::floor, Alignment::asymmetric);
    ResizeRule both = plain(rule, rule);
    both.x.factor = factor_x(call);
    both.y.factor = factor_y(call);
    return both;
}

ResizeRule nearest_exact(const RecipeCall& call) {
    const bool newer = call.options.is("version", "5");
    Rule rule = nearest_rule(newer ? NearestRule::half_up : NearestRule::half_down, Alignment::centers);
    rule.table = {nearest_exact_table, {newer ? 5.0 : 4.0}};
    return plain(rule, rule);
}

// Samples per pixel where that is whole on both axes; else 0.
struct Blocks {
    int x = 0, y = 0;

    explicit Blocks(const RecipeCall& call) {
        const double step_x = 1 / factor_x(call), step_y = 1 / factor_y(call),
                     slack = std::numeric_limits<double>::epsilon();
        if (std::abs(step_x - std::nearbyint(step_x)) >= slack || std::abs(step_y - std::nearbyint(step_y)) >= slack)
            return;
        x = int(std::nearbyint(step_x));
        y = int(std::nearbyint(step_y));
    }
    bool halves() const { return x == 2 && y == 2; }
};

ResizeRule block_means(const RecipeCall& call, const Blocks& blocks) {
    const auto axis = [](int block, double factor) {
        return Rule{.tap_rule = TapRule::box,
                    .factor = factor,
                    .edges = AddressMode::clamp,
                    .bits = int(std::bit_width(unsigned(block))),
                    .one = double(block),
                    .table = {block_table, {double(block)}}};
    };
    ResizeRule rule = plain(axis(blocks.x, factor_x(call)), axis(blocks.y, factor_y(call)));
    const bool whole_numbers = blocks.halves() && call.channels != 2 && call.type != RecipeType::f32;
    rule.passes = whole_numbers ? whole_passes(call.type, 2, 2) : real_passes(call.type);
    if (!whole_numbers) rule.passes.second.scale = 1.0f / float(blocks.x * blocks.y);
    return rule;
}

ResizeRule area(const RecipeCall& call) {
    const double x = factor_x(call), y = factor_y(call);
    if (copied(call)) return nearest(call);
    if (1 / x >= 1 && 1 / y >= 1) {
        const Blocks blocks(call);
        // In views the sums of blocks are those of areas.
        if (blocks.x > 0 && call.x.whole() && call.y.whole()) return block_means(call, blocks);
        const auto axis = [](double factor) {
            return Rule{.tap_rule = TapRule::box, .factor = factor, .edges = AddressMode::clamp, .table = {area_table}};
        };
        ResizeRule rule = plain(axis(x), axis(y));
        rule.passes = real_passes(call.type);
        return rule;
    }
    ResizeRule rule =
        weighed(call, "bilinear", linear_table<true, true>, linear_table<true, false>, linear_passes(call.type));
    rule.x.tap_rule = rule.y.tap_rule = TapRule::opencv_linear;
    return rule;
}

ResizeRule linear(const RecipeCall& call) {
    if (copied(call)) return nearest(call);
    if (const Blocks blocks(call); blocks.halves() && call.x.whole() && call.y.whole())
        return block_means(call, blocks);
    return weighed(call, "bilinear", linear_table<false, true>, linear_table<false, false>, linear_passes(call.type));
}

ResizeRule linear_exact(const RecipeCall& call) {
    if (call.type == RecipeType::f32) return linear(call);
    if (copied(call)) return nearest(call);
    const Blocks blocks(call);
    if (blocks.halves() && call.channels != 2 && call.x.whole() && call.y.whole()) return block_means(call, blocks);
    ResizeRule rule = plain(along(factor_x(call), "bilinear", call.type), along(factor_y(call), "bilinear", call.type));
    rule.x.bits = rule.y.bits = call.type == RecipeType::u8 ? 8 : 16;
    rule.passes = whole_passes(call.type, int64_t(1) << (2 * rule.x.bits - 1), 2 * rule.x.bits);
    return rule;
}

// Weights of 11 bits along both axes, in 8 bits.
LongPasses weighed_passes(RecipeType type) {
    return type == RecipeType::u8 ? whole_passes(type, 1 << (2 * weight_bits - 1), 2 * weight_bits) : real_passes(type);
}

// In 8 bits, too, sums along y are of floats, and ties go to the even level: but for the last pixels of a row.
ResizeRule cubic(const RecipeCall& call) {
    if (copied(call)) return nearest(call);
    LongPasses passes = real_passes(call.type);
    if (call.type == RecipeType::u8) {
        passes.first.fixed = true;
        passes.second.scale = std::ldexp(1.0f, -2 * weight_bits);
    }
    return weighed(call, "bicubic:a=-0.75", cubic_table, cubic_table, passes);
}

ResizeRule lanczos4(const RecipeCall& call) {
    if (copied(call)) return nearest(call);
    return weighed(call, "lanczos4", lanczos_table, lanczos_table, weighed_passes(call.type));
}

}  // namespace

std::vector<Recipe> opencv_recipes() {
    constexpr std::string_view versions = "OpenCV 4.6, 5.0, without IPP",
                               floats = "bit-exact in 8 bits; 16 bits: one level; floats 2e-6";
    const std::vector<RecipeOption> factors{by_x, by_y};
    return {
        {"opencv", "nearest", "cv2.resize(a, size, interpolation=cv2.INTER_NEAREST)", versions, "bit-exact", "",
         factors, nearest},
        {"opencv",
         "nearest_exact",
         "cv2.resize(a, size, interpolation=cv2.INTER_NEAREST_EXACT)",
         versions,
         "bit-exact",
         "version=5 is read from the source, not asked",
         {{"version", "4", {"4", "5"}, 0, 0, "At ties; newer releases of 4 are as 5."}},
         nearest_exact},
        {"opencv", "linear", "cv2.resize(a, size, interpolation=cv2.INTER_LINEAR)", versions, floats, "", factors,
         linear},
        {"opencv", "linear_exact", "cv2.resize(a, size, interpolation=cv2.INTER_LINEAR_EXACT)", versions, floats, "",
         factors, linear_exact},
        {"opencv", "cubic", "cv2.resize(a, size, interpolation=cv2.INTER_CUBIC)", versions,
         "8 bits: one level in 0.1 %; 16 bits: one level; floats 2e-6",
         "its vector code adds eight samples at a time up in float32, in another order; what is left of a row it adds "
         "up in whole numbers, and ties go up there",
         factors, cubic},
        {"opencv", "lanczos4", "cv2.resize(a, size, interpolation=cv2.INTER_LANCZOS4)", versions, floats, "", factors,
         lanczos4},
        {"opencv", "area", "cv2.resize(a, size, interpolation=cv2.INTER_AREA)", versions, floats, "", factors, area},
    };
}

}  // namespace texelscope
