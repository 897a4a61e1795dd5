#include "gpu/prefilter/projection.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <map>
#include <mutex>
#include <numbers>
#include <numeric>

#include "gpu/method/polar_method.h"
#include "gpu/prefilter/prefilter.h"

namespace texelscope {
namespace {

// A sequence that is zero but for indices first, first + 1, …
struct Sequence {
    int first = 0;
    std::vector<double> values;
    int last() const { return first + int(values.size()) - 1; }
};

Sequence zeros(int first, int last) { return {first, std::vector<double>(size_t(last - first + 1), 0.0)}; }

// sum += factor · other, shifted to the right.
void add(Sequence& sum, double factor, const Sequence& other, int shift) {
    double* const out = sum.values.data() + (other.first + shift - sum.first);
    for (size_t k = 0; k < other.values.size(); ++k) out[k] += factor * other.values[k];
}

// Nodes and weights of Gauss–Legendre quadrature on [−1, 1]: exact for degree 15, and the product of two pieces of the
// septic B-spline has degree 14.
constexpr int nodes = 8;
constexpr std::array<double, nodes> node_at = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                                               -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                                               0.7966664774136267,  0.9602898564975363};
constexpr std::array<double, nodes> node_weight = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873,
                                                   0.3626837833783620, 0.3626837833783620, 0.3137066458778873,
                                                   0.2223810344533745, 0.1012285362903763};

class Projection {
public:
    Projection(const MethodSpec& spec, double step)
        : method_(*spec.method), parameters_(spec.parameters), radius_(radius_of(method_)), step_(step) {
        prefilter_ = prefilter_response(spec);
        if (step_ > 1) set_postfilter();
    }

    // The samples that the pixel at x is a sum of.
    Sequence at(double x) {
        if (step_ <= 1) return of_samples(interpolating(x), 0);
        Sequence sum = zeros(int(std::floor(x - reach())), int(std::ceil(x + reach())));
        for (int k = -postfilter_reach_; k <= postfilter_reach_; ++k) {
            const double centre = x + k * step_, whole = std::floor(centre);
            add(sum, postfilter_[size_t(std::abs(k))], kept_products(centre - whole), int(whole));
        }
        return sum;
    }

    // By the weight function widened by `stretch`, over the sum of its weights.
    Sequence widened(double x, double stretch, const std::function<double(double)>& function) const {
        const double reach = radius_ * stretch;
        Sequence weights = zeros(int(std::floor(x - reach)), int(std::ceil(x + reach)));
        double sum = 0;
        for (size_t k = 0; k < weights.values.size(); ++k)
            sum += weights.values[k] = function((x - (weights.first + int(k))) / stretch);
        if (sum != 0)
            for (double& weight : weights.values) weight /= sum;
        return of_samples(weights, 0);
    }

private:
    double phi(double x) const { return method_.weight(x, parameters_); }

    // b(−n) … b(n), until nothing is left that float64 would show.
    static Sequence prefilter_response(const MethodSpec& spec) {
        const Prefilter prefilter = spec.effective_prefilter();
        if (prefilter.kind == Prefilter::Kind::none) return {0, {1}};
        const PrefilterKernel kernel = prefilter_kernel(prefilter, spec.inverse_filter());
        if (!kernel.recursive) {
            Sequence response = zeros(-kernel.half_taps, kernel.half_taps);
            for (int k = -kernel.half_taps; k <= kernel.half_taps; ++k)
                response.values[size_t(k + kernel.half_taps)] = kernel.taps[size_t(std::abs(k))];
            return response;
        }
        const int reach = kernel.horizon_double;
        Sequence response = zeros(-reach, reach);
        for (int k = -reach; k <= reach; ++k)
            for (int p = 0; p < kernel.poles; ++p)
                response.values[size_t(k + reach)] +=
                    kernel.gain[size_t(p)] * std::pow(kernel.pole[size_t(p)], std::abs(k));
        return response;
    }

    Sequence interpolating(double x) const {
        Sequence weights = zeros(int(std::floor(x - radius_)), int(std::ceil(x + radius_)));
        for (int l = weights.first; l <= weights.last(); ++l) weights.values[size_t(l - weights.first)] = phi(x - l);
        return weights;
    }

    // From coefficients to samples.
    Sequence of_samples(const Sequence& of_coefficients, int shift) const {
        Sequence sum = zeros(of_coefficients.first + prefilter_.first, of_coefficients.last() + prefilter_.last());
        for (size_t k = 0; k < of_coefficients.values.size(); ++k)
            if (of_coefficients.values[k] != 0)
                add(sum, of_coefficients.values[k], prefilter_, of_coefficients.first + int(k) + shift);
        return sum;
    }

    // Σ over the pieces between the knots of `f` and of `g`, which lie at multiples of ½ from its centre, of the integral of
    // visit(x, weight) at the nodes.
    template <class Visit> void integrate(double from, double to, double centre, double scale, Visit visit) const {
        std::vector<double> knots = {from, to};
        for (double knot = std::ceil(2 * from) / 2; knot < to; knot += 0.5) knots.push_back(knot);
        for (int n = -method_.taps; n <= method_.taps; ++n) knots.push_back(centre + n * scale / 2);
        std::sort(knots.begin(), knots.end());
        for (size_t k = 0; k + 1 < knots.size(); ++k) {
            const double a = std::clamp(knots[k], from, to), b = std::clamp(knots[k + 1], from, to);
            if (b - a < 1e-14) continue;
            for (size_t n = 0; n < nodes; ++n)
                visit((a + b) / 2 + (b - a) / 2 * node_at[n], (b - a) / 2 * node_weight[n]);
        }
    }

    // ∫ φ(x − l) φ((x − t) / step) dx / step as weights of coefficients l, and then of samples.
    Sequence products(double t) const {
        const double wide = radius_ * step_;
        Sequence sum = zeros(int(std::floor(t - wide - radius_)), int(std::ceil(t + wide + radius_)));
        integrate(t - wide, t + wide, t, step_, [&](double x, double weight) {
            const double widened = phi((x - t) / step_) * weight / step_;
            for (int l = int(std::ceil(x - radius_)); l <= int(std::floor(x + radius_)); ++l)
                sum.values[size_t(l - sum.first)] += widened * phi(x - l);
        });
        return of_samples(sum, 0);
    }

    // For a fraction t in [0, 1), of which there are few if the step is a simple fraction.
    const Sequence& kept_products(double t) {
        const auto [found, is_new] = kept_.try_emplace(std::llround(t * 0x1p36));
        if (is_new) found->second = products(t);
        return found->second;
    }

    // The inner products of the widened functions with each other, and their values at the pixels, as gains at a frequency:
    // their quotient turns inner products into samples.
    void set_postfilter() {
        std::vector<double> gram, sampled;
        for (int k = 0; k <= method_.taps; ++k) {
            double sum = 0;
            integrate(-radius_, radius_, 0, 1, [&](double x, double w) { sum += w * phi(x) * phi(x - k); });
            gram.push_back(sum);
            sampled.push_back(phi(k));
        }
        const auto gain = [](const std::vector<double>& half, double omega) {
            double sum = half[0];
            for (size_t k = 1; k < half.size(); ++k) sum += 2 * half[k] * std::cos(omega * double(k));
            return sum;
        };
        constexpr int period = 1024, longest = 200;  // 0.75^200 < 1e-24, and no spline here has a slower pole
        std::vector<double> quotient;
        for (int m = 0; m < period; ++m) {
            const double omega = 2 * std::numbers::pi * m / period;
            quotient.push_back(gain(sampled, omega) / gain(gram, omega));
        }
        for (int k = 0; k <= longest; ++k) {
            double sum = 0;
            for (int m = 0; m < period; ++m)
                sum += quotient[size_t(m)] * std::cos(2 * std::numbers::pi * (m * k % period) / period);
            postfilter_.push_back(sum / period);
        }
        postfilter_reach_ = longest;
        while (postfilter_reach_ > 0 && std::abs(postfilter_[size_t(postfilter_reach_)]) < 1e-11) --postfilter_reach_;
    }

    double reach() const { return step_ * (radius_ + postfilter_reach_) + radius_ + prefilter_.last() + 2; }

    const MethodInfo& method_;
    MethodParameters parameters_;
    double radius_, step_;
    Sequence prefilter_;
    std::vector<double> postfilter_;
    int postfilter_reach_ = 0;
    std::map<long long, Sequence> kept_;
};

// Without the ends that do not matter, where no weight is above `least`.
Sequence trimmed(const Sequence& all, double least) {
    const auto matters = [&](double weight) { return std::abs(weight) > least; };
    const auto end = std::find_if(all.values.rbegin(), all.values.rend(), matters).base();
    const auto begin = std::find_if(all.values.begin(), end, matters);
    if (begin == end) return {all.first, {0}};
    return {all.first + int(begin - all.values.begin()), {begin, end}};
}

constexpr double negligible = 1e-9;

// All with the same number of taps, in float32.
LongTaps joined(const std::vector<Sequence>& all) {
    LongTaps result;
    for (const Sequence& one : all) {
        result.first.push_back(one.first);
        result.taps = std::max(result.taps, int(one.values.size()));
    }
    result.weights.assign(all.size() * size_t(result.taps), 0.0f);
    for (size_t i = 0; i < all.size(); ++i)
        std::transform(all[i].values.begin(), all[i].values.end(),
                       result.weights.begin() + std::ptrdiff_t(i * size_t(result.taps)),
                       [](double weight) { return float(weight); });
    return result;
}

}  // namespace

bool has_least_squares(const MethodInfo& method) {
    return !method.custom && !is_polar(method) && method.order == 2 * radius_of(method);
}

LongTaps least_squares_taps(const MethodSpec& spec, double origin, double step, int count) {
    Projection projection(spec, step);
    std::vector<Sequence> all;
    for (int i = 0; i < count; ++i) all.push_back(trimmed(projection.at(origin + i * step), negligible));
    return joined(all);
}

LongTaps antialiasing_taps(const MethodSpec& spec, double origin, double step, int count) {
    const Projection taps(spec, 1);
    const auto function = widened_function(*spec.method, spec.parameters);
    std::vector<Sequence> all;
    for (int i = 0; i < count; ++i) {
        const Sequence pixel = taps.widened(origin + i * step, std::max(std::abs(step), 1.0), function);
        const double largest = std::transform_reduce(
            pixel.values.begin(), pixel.values.end(), 0.0, [](double a, double b) { return std::max(a, b); },
            [](double weight) { return std::abs(weight); });
        all.push_back(trimmed(pixel, negligible * largest));
    }
    return joined(all);
}

std::vector<ExactTaps> interpolating_taps(const MethodSpec& spec, std::span<const double> positions) {
    Projection projection(spec, 1);
    std::vector<ExactTaps> result;
    for (const double x : positions) {
        Sequence taps = projection.at(x);
        result.push_back({taps.first, std::move(taps.values)});
    }
    return result;
}

LongTaps single_taps(int count, int step) {
    LongTaps result;
    for (int i = 0; i < count; ++i) result.first.push_back(i * step);
    result.weights.assign(size_t(count), 1.0f);
    return result;
}

namespace {

// The taps of a FIR count only for one; coefficients as half floats are none of least squares.
using MakeTaps = LongTaps (*)(const MethodSpec& spec, double origin, double step, int count);

struct Key {
    MakeTaps make;
    const MethodInfo* method;
    MethodParameters parameters;
    Prefilter::Kind prefilter;
    int prefilter_taps;
    double origin, step;
    int count;
    bool operator==(const Key&) const = default;
};

Key key_of(MakeTaps make, const MethodSpec& spec, double origin, double step, int count) {
    const Prefilter prefilter = spec.effective_prefilter();
    const bool fir = prefilter.kind == Prefilter::Kind::fir;
    return {make, spec.method, spec.parameters, prefilter.kind, fir ? prefilter.taps : 0, origin, step, count};
}

size_t bytes_of(const LongTaps& taps) {
    return taps.first.size() * sizeof(taps.first[0]) + taps.weights.size() * sizeof(taps.weights[0]);
}

class Kept {
public:
    std::shared_ptr<const LongTaps> find(const Key& key) {
        const std::scoped_lock lock(mutex_);
        const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
        if (found == entries_.end()) return nullptr;
        entries_.splice(entries_.begin(), entries_, found);
        return found->taps;
    }

    // What is larger than all that may be kept is not.
    void keep(const Key& key, const std::shared_ptr<const LongTaps>& taps) {
        const std::scoped_lock lock(mutex_);
        entries_.push_front({key, taps});
        bytes_ += bytes_of(*taps);
        while (entries_.size() > most_kept_long_taps || bytes_ > most_kept_long_taps_bytes) {
            bytes_ -= bytes_of(*entries_.back().taps);
            entries_.pop_back();
        }
    }

    size_t bytes() {
        const std::scoped_lock lock(mutex_);
        return bytes_;
    }

private:
    struct Entry {
        Key key;
        std::shared_ptr<const LongTaps> taps;
    };
    std::mutex mutex_;
    std::list<Entry> entries_;  // the most recently used first
    size_t bytes_ = 0;
};

Kept& kept() {
    static Kept all;
    return all;
}

std::shared_ptr<const LongTaps> kept_taps(MakeTaps make, const MethodSpec& spec, double origin, double step,
                                          int count) {
    // A text's method may go, and another come in its place.
    if (spec.method->custom) return std::make_shared<const LongTaps>(make(spec, origin, step, count));
    const Key key = key_of(make, spec, origin, step, count);
    if (auto found = kept().find(key)) return found;
    auto taps = std::make_shared<const LongTaps>(make(spec, origin, step, count));
    kept().keep(key, taps);
    return taps;
}

}  // namespace

std::shared_ptr<const LongTaps> kept_least_squares_taps(const MethodSpec& spec, double origin, double step, int count) {
    return kept_taps(&least_squares_taps, spec, origin, step, count);
}

std::shared_ptr<const LongTaps> kept_antialiasing_taps(const MethodSpec& spec, double origin, double step, int count) {
    return kept_taps(&antialiasing_taps, spec, origin, step, count);
}

size_t kept_long_taps_bytes() { return kept().bytes(); }

}  // namespace texelscope
