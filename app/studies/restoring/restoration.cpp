#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <new>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "app/picture/fourier.h"
#include "app/studies/restoring/restoring.h"
#include "app/text/text.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/parallel.h"
#include "gpu/core/timing.h"
#include "gpu/method/polar_method.h"
#include "gpu/recipes/recipe.h"

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

namespace {

using Kind = Restoration::Kind;

constexpr int most_times = 1000;
constexpr int least_side = 16;     // of the interior, pixels: a few windows of SSIM fit
constexpr double disc = 0.45;      // of the shorter side, as in the experiment on rotation
constexpr int reduced_margin = 8;  // pixels: methods reach over five, the ideal reduction farther, but fades

// The largest radius of all methods, so that figures do not depend on which ones are compared.
double largest_radius() {
    double radius = 0;
    for (const MethodInfo* method : all_methods()) radius = std::max(radius, radius_of(*method));
    return radius;
}

[[noreturn]] void refuse(std::string_view option, std::string_view text) {
    throw UsageError(fmt::format(
        "{} must be a factor of at least 1, rotate:TIMESxDEGREES, shift:SAMPLESxTIMES or shrink:FACTOR, for example 4, "
        "rotate:36x10, shift:0.5x8 or shrink:3, not '{}'",
        option, text));
}

struct Halves {
    double before, after;
};

// The numbers on both sides of the x.
Halves around_cross(std::string_view option, std::string_view text, std::string_view whole) {
    const size_t cross = text.find('x');
    if (cross == text.npos) refuse(option, whole);
    try {
        return {parse_real(option, text.substr(0, cross)), parse_real(option, text.substr(cross + 1))};
    } catch (const UsageError&) {
        refuse(option, whole);
    }
}

bool is_count(double value) { return value >= 1 && value <= most_times && value == std::floor(value); }

// Pixels that the border may reach at worst.
double margin_of(const Restoration& restoration) {
    const double half = largest_radius();
    if (restoration.kind == Kind::reduce) return reduced_margin;
    if (restoration.kind == Kind::shrink) return 2 * half * restoration.factor;  // when shrinking and when restoring
    return std::ceil(std::abs(restoration.step) * restoration.times) + half * (restoration.times + 1);
}

}  // namespace

MethodSpec usual_filter() { return default_spec(parse_method("lanczos3")); }

std::vector<const MethodInfo*> shrinking_methods() {
    std::vector<const MethodInfo*> all(all_methods().begin(), all_methods().end());
    const auto add = [&](const std::string& text) {
        try {
            all.push_back(parse_spec(text).method);
        } catch (const UsageError&) {  // options that the library does not take together
        }
    };
    for (const Recipe& recipe : all_recipes()) {
        if (recipe.given_positions) continue;
        const std::string text = fmt::format("{}{}/{}", recipe_prefix, recipe.library, recipe.function);
        add(text);
        for (const RecipeOption& option : recipe.options)
            for (const std::string_view value : option.values)
                if (option.id == "antialias" && value != option.standard)
                    add(fmt::format("{}:{}={}", text, option.id, value));
    }
    return all;
}

Restoration parse_restoration(std::string_view option, std::string_view text) {
    Restoration restoration;
    restoration.filter = usual_filter();
    if (text.starts_with("rotate:")) {
        const auto [times, degrees] = around_cross(option, text.substr(7), text);
        if (!is_count(times) || degrees == 0 || std::abs(degrees) > 360) refuse(option, text);
        restoration.kind = Kind::rotate;
        restoration.times = int(times);
        restoration.step = degrees;
        return restoration;
    }
    if (text.starts_with("shift:")) {
        const auto [samples, times] = around_cross(option, text.substr(6), text);
        if (!is_count(times) || samples == 0) refuse(option, text);
        restoration.kind = Kind::shift;
        restoration.times = int(times);
        restoration.step = samples;
        return restoration;
    }
    const bool reduces = text.starts_with("shrink:");
    if (reduces) restoration.kind = Kind::reduce;
    try {
        restoration.factor = parse_real(option, reduces ? text.substr(7) : text);
    } catch (const UsageError&) {
        refuse(option, text);
    }
    if (restoration.factor < 1) refuse(option, text);
    return restoration;
}

std::string to_string(const Restoration& restoration) {
    switch (restoration.kind) {
        case Kind::shrink: return fmt::format("{}", restoration.factor);
        case Kind::reduce: return fmt::format("shrink:{}", restoration.factor);
        case Kind::rotate: return fmt::format("rotate:{}x{}", restoration.times, restoration.step);
        case Kind::shift: return fmt::format("shift:{}x{}", restoration.step, restoration.times);
    }
    return "";
}

double last_step(const Restoration& restoration) {
    const double period = restoration.kind == Kind::rotate ? 360 : 1;
    const double rest = std::remainder(restoration.times * restoration.step, period);
    return std::abs(rest) < 1e-9 ? 0 : -rest;
}

MethodSpec restoring_defaults(const Restoration& restoration) {
    MethodSpec spec = default_spec(parse_method("bspline"));
    if (restoration.kind != Kind::shrink) spec.address = {AddressMode::mirror, AddressMode::mirror};
    return spec;
}

Extent shrunk_size(const Restoration& restoration, const Image& image) {
    const auto side = [&](int samples) { return int(std::max(1.0, std::round(samples / restoration.factor))); };
    return {side(image.width()), image.one_dimensional() ? 1 : side(image.height())};
}

Extent compared_size(const Restoration& restoration, const Image& image) {
    return restoration.kind == Kind::reduce ? shrunk_size(restoration, image) : Extent{image.width(), image.height()};
}

std::string_view reference_name(const Restoration& restoration) {
    return restoration.kind == Kind::reduce ? "the ideal reduction" : "the original";
}

Interior interior_of(const Restoration& restoration, const Image& image) {
    const bool signal = image.one_dimensional();
    if (restoration.kind == Kind::rotate) {
        if (signal) throw Error(fmt::format("{}: a one-dimensional signal cannot be rotated", describe(image)));
        const int shorter = std::min(image.width(), image.height());
        if (disc * shorter < least_side / 2.0)
            throw Error(fmt::format("{} is too small to be rotated: it needs at least {:.0f} samples per side",
                                    describe(image), std::ceil(least_side / 2 / disc)));
        return {.radius = disc * shorter};
    }
    const double margin = std::ceil(margin_of(restoration)), least = least_side + 2 * margin;
    const Extent size = compared_size(restoration, image);
    const double samples = restoration.kind == Kind::reduce ? std::ceil(least * restoration.factor) : least;
    if (size.width < least || (!signal && size.height < least))
        throw Error(fmt::format(
            "{} is too small to be {}: it needs at least {:.0f} samples {}", describe(image),
            restoration.kind == Kind::shift ? "shifted so often" : fmt::format("shrunk by {:g}", restoration.factor),
            samples, signal ? "in all" : "per side"));
    if (restoration.kind == Kind::reduce && !all_finite(image))
        throw Error(
            fmt::format("{} has a sample that is not finite, which spoils the whole spectrum: its ideal reduction "
                        "needs finite ones",
                        describe(image)));
    return {.margin_x = int(margin), .margin_y = signal ? 0 : int(margin)};
}

std::string words(const Restoration& restoration, const Image& image) {
    switch (restoration.kind) {
        case Kind::shrink: {
            const Extent size = shrunk_size(restoration, image);
            const MethodInfo& filter = *restoration.filter.method;
            return fmt::format("shrunk to {}×{} by {}{}", size.width, size.height, filter.id,
                               filter.recipe           ? ""
                               : restoration.antialias ? ", antialiased"
                                                       : ", without antialiasing");
        }
        case Kind::reduce: {
            const Extent size = shrunk_size(restoration, image);
            return fmt::format("shrunk to {}×{} by each method, antialiased", size.width, size.height);
        }
        case Kind::rotate:
            return fmt::format("rotated {} times by {:g}°{}", restoration.times, restoration.step,
                               last_step(restoration) == 0 ? "" : ", and once more until upright");
        case Kind::shift:
            return fmt::format("shifted {} times by {:g} samples{}", restoration.times, restoration.step,
                               last_step(restoration) == 0 ? "" : ", and once more to a whole number of them");
    }
    return "";
}

Image part_of(const Image& image, const SampleRegion& part) {
    Image result(part.width, part.height, image.channels(), image.type(), image.alpha());
    result.set_profile(image.profile());
    result.set_one_dimensional(image.one_dimensional());
    const size_t texel = image.row_bytes() / size_t(image.width());
    for (int y = 0; y < part.height; ++y)
        std::memcpy(result.row(y), image.row(int(part.y) + y) + size_t(part.x) * texel, result.row_bytes());
    return result;
}

std::string reference_words(const Restoration& restoration) {
    if (restoration.kind != Kind::reduce) return "the image itself";
    return "the ideal reduction: the image's spectrum, cut off at the small image's Nyquist frequency, in float64";
}

std::string words(const Interior& interior) {
    if (interior.radius > 0) return fmt::format("the central disc with a radius of {:g} pixels", interior.radius);
    return fmt::format("all but {} pixels at each edge", interior.margin_x);
}

namespace {

using Line = std::vector<double>;
using Complex = std::complex<double>;

// e^{sign · πi k / 2n}, k < count
std::vector<Complex> quarter_turns(double sign, size_t n, size_t count) {
    std::vector<Complex> turns(count);
    for (size_t k = 0; k < count; ++k) turns[k] = std::polar(1.0, sign * std::numbers::pi * double(k) / double(2 * n));
    return turns;
}

// Reduces lines of n samples to m, two at a time. The spectrum of a mirrored line is its discrete cosine transform
// X(k) = Σ x(i) cos(πk(i + ½)/n), whose term k is below the Nyquist frequency of m samples if k < m; sample j of them lies
// at (j + ½)·n/m − ½, where that term is cos(πk(j + ½)/m). Both transforms become Fourier transforms of the same length if
// the even samples are followed by the odd ones in reverse (Makhoul 1980); the two lines are the real and the imaginary part.
class LineReducer {
public:
    LineReducer(size_t n, size_t m)
        : n_(n), m_(m), long_(n), short_(m), forward_(quarter_turns(-1, n, m)), backward_(quarter_turns(1, m, m)) {}

    // n samples of each line become m.
    void reduce(Line& a, Line& b) {
        if (n_ == m_) return;
        values_.resize(n_);
        for (size_t i = 0; i < n_; ++i) values_[place(i, n_)] = {a[i], b[i]};
        long_.forward(values_);
        cosines_.resize(m_);
        for (size_t k = 0; k < m_; ++k) {
            const Complex z = values_[k], mirrored = std::conj(values_[(n_ - k) % n_]);
            const Complex of_a = forward_[k] * ((z + mirrored) / 2.0);
            const Complex of_b = forward_[k] * ((z - mirrored) / Complex(0, 2));
            cosines_[k] = {of_a.real(), of_b.real()};
        }
        values_.resize(m_);
        for (size_t k = 0; k < m_; ++k) {
            const Complex here = cosines_[k], there = k > 0 ? cosines_[m_ - k] : Complex();
            const Complex of_a = backward_[k] * Complex(here.real(), -there.real());
            const Complex of_b = backward_[k] * Complex(here.imag(), -there.imag());
            values_[k] = of_a + Complex(-of_b.imag(), of_b.real());
        }
        short_.backward(values_);
        a.resize(m_);
        b.resize(m_);
        for (size_t j = 0; j < m_; ++j) {
            const Complex value = values_[place(j, m_)] / double(n_);
            a[j] = value.real();
            b[j] = value.imag();
        }
    }

private:
    static size_t place(size_t i, size_t n) { return i % 2 == 0 ? i / 2 : n - 1 - i / 2; }

    size_t n_, m_;
    Fourier long_, short_;
    std::vector<Complex> forward_, backward_, values_, cosines_;
};

// What a thread needs: it is made when the thread begins its first line.
struct Workplace {
    std::optional<LineReducer> reducer;
    std::vector<Line> lines;

    LineReducer& for_lengths(size_t n, size_t m) { return reducer ? *reducer : reducer.emplace(n, m); }
};

constexpr int lines_together = 8;  // of columns: what a line of the cache holds

}  // namespace

bool all_finite(const Image& picture) {
    if (is_integer(picture.type())) return true;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            for (int c = 0; c < picture.channels(); ++c)
                if (!std::isfinite(picture.value(x, y, c))) return false;
    return true;
}

Image band_limited(const Image& picture, Extent size) try {
    if (!all_finite(picture)) throw Error("a picture with samples that are not finite has no ideal reduction");
    const size_t channels = size_t(picture.channels()), n = size_t(picture.width()), m = size_t(size.width);
    const size_t height = size_t(picture.height()), row = m * channels;
    std::vector<double> narrow(row * height);
    const size_t lines = height * channels;
    parallel_for_with<Workplace>(work::reduction, (lines + 1) / 2, 8, [&](Workplace& at, size_t pair) {
        at.lines.resize(2);
        for (size_t k = 0; k < 2; ++k) {
            const size_t line = std::min(2 * pair + k, lines - 1);
            const float* from = picture.row_as<float>(int(line / channels)) + line % channels;
            at.lines[k].resize(n);
            for (size_t x = 0; x < n; ++x) at.lines[k][x] = from[x * channels];
        }
        at.for_lengths(n, m).reduce(at.lines[0], at.lines[1]);
        for (size_t k = 0; k < 2 && 2 * pair + k < lines; ++k) {
            const size_t line = 2 * pair + k;
            double* to = narrow.data() + line / channels * row + line % channels;
            for (size_t x = 0; x < m; ++x) to[x * channels] = at.lines[k][x];
        }
    });

    Image small(size.width, size.height, picture.channels(), SampleType::f32, picture.alpha());
    const size_t blocks = (row + lines_together - 1) / lines_together;
    parallel_for_with<Workplace>(work::reduction, blocks, 1, [&](Workplace& at, size_t block) {
        const size_t first = block * lines_together, count = std::min(row - first, size_t(lines_together));
        at.lines.assign(lines_together, Line(height));
        for (size_t y = 0; y < height; ++y)
            for (size_t k = 0; k < count; ++k) at.lines[k][y] = narrow[y * row + first + k];
        for (size_t k = 0; k < count; k += 2)
            at.for_lengths(height, size_t(size.height)).reduce(at.lines[k], at.lines[k + 1]);
        for (int y = 0; y < size.height; ++y)
            for (size_t k = 0; k < count; ++k) small.row_as<float>(y)[first + k] = float(at.lines[k][size_t(y)]);
    });
    return small;
} catch (const std::bad_alloc&) {
    throw OutOfMemory("no memory for the ideal reduction");
}

Image shrunk_picture(const RestoringPlan& plan, const std::shared_ptr<Backend>& backend) {
    SourceImage source(backend, plan.image, plan.light);
    const Extent size = shrunk_size(plan.restoration, *plan.image);
    const RenderRequest request = resize_request(source.samples(), plan.restoration.filter, size.width, size.height,
                                                 Align::centers, plan.restoration.antialias);
    Image small = source.render_to_image(request);
    small.set_one_dimensional(plan.image->one_dimensional());
    small.set_profile(plan.image->profile());
    return small;
}

}  // namespace texelscope
