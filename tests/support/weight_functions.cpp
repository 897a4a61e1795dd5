#include "tests/support/reference.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace texelscope::test::reference {
namespace {

constexpr double pi = std::numbers::pi;

// f(x) over the sum of f at all samples' distances.
template <class Function> double normalised(double x, int radius, Function f) {
    const double value = f(x);
    if (value == 0) return 0;
    const double phase = x - std::floor(x);
    double sum = 0;
    for (int k = -radius; k < radius; ++k) sum += f(phase + k);
    return value / sum;
}

double sinc(double x) { return x == 0 ? 1 : std::sin(pi * x) / (pi * x); }

// Second derivatives of the natural cubic spline through y: M[0] = M[n−1] = 0 and M[i−1] + 4 M[i] + M[i+1] is six times
// the second difference of y. Thomas' algorithm.
std::vector<double> second_derivatives(const std::vector<double>& y) {
    const size_t n = y.size();
    std::vector<double> m(n, 0.0), over(n, 0.0);
    for (size_t i = 1; i + 1 < n; ++i) {
        const double pivot = 4 - over[i - 1];
        over[i] = 1 / pivot;
        m[i] = (6 * (y[i - 1] - 2 * y[i] + y[i + 1]) - m[i - 1]) / pivot;
    }
    m[n - 1] = 0;
    for (size_t i = n - 2; i > 0; --i) m[i] -= over[i] * m[i + 1];
    return m;
}

// Poles z, |z| < 1, with z + 1/z = sum < −2.
double pole_of(double sum) { return (sum + std::sqrt(sum * sum - 4)) / 2; }

}  // namespace

double nearest(double x) { return -0.5 <= x && x < 0.5 ? 1 : 0; }

double linear(double x) { return std::max(0.0, 1 - std::abs(x)); }

// The (n + 1)-th difference of the truncated power, from the left, where few terms cancel.
double bspline(int degree, double x) {
    const long double left = -std::abs((long double)(x)) + (degree + 1) / 2.0L;
    long double sum = 0, binomial = 1, factorial = 1;
    for (int n = 2; n <= degree; ++n) factorial *= n;
    for (int j = 0; left > j; ++j) {
        sum += (j % 2 ? -binomial : binomial) * std::pow(left - j, degree);
        binomial = binomial * (degree + 1 - j) / (j + 1);
    }
    return double(sum / factorial);
}

double cubic_bspline(double x) { return bspline(3, x); }

double omoms(double x) { return bspline(3, x) + (linear(x - 1) - 2 * linear(x) + linear(x + 1)) / 42; }

double omoms5(double x) {
    const auto second_difference = [](auto f, double at) { return f(at - 1) - 2 * f(at) + f(at + 1); };
    const auto second = [&](double at) { return second_difference(linear, at); };
    return bspline(5, x) + second_difference(cubic_bspline, x) / 33 + second_difference(second, x) / 7920;
}

// J₁(x) = 1/π ∫ cos(τ − x sin τ) dτ over [0, π]: as a periodic function, whose sums over even steps converge geometrically.
double bessel1(double x) {
    constexpr int steps = 28;
    double sum = 0;
    for (int k = 0; k < steps; ++k) {
        const double tau = pi * (k + 0.5) / steps;
        sum += std::cos(tau - x * std::sin(tau));
    }
    return sum / steps;
}

// Zero number n of J₁, by Newton's method; J₁′ = J₀ − J₁/x with J₀ = ½ x (J₁(x)/x)″…: a central difference does here.
double zero_of_bessel1(int n) {
    double x = pi * (n + 0.25);
    for (int step = 0; step < 20; ++step) x -= bessel1(x) / ((bessel1(x + 1e-4) - bessel1(x - 1e-4)) / 2e-4);
    return x;
}

double jinc_windowed(double blur, double r) {
    static const double first = zero_of_bessel1(1) / pi, third = zero_of_bessel1(3) / pi;
    // 2 J₁(x)/x = 2/π ∫ cos(x cos τ) sin²τ dτ, where nothing cancels near 0.
    const auto jinc = [](double distance) {
        constexpr int steps = 28;
        double sum = 0;
        for (int k = 0; k < steps; ++k) {
            const double tau = pi * (k + 0.5) / steps;
            sum += std::cos(pi * distance * std::cos(tau)) * std::sin(tau) * std::sin(tau);
        }
        return 2 * sum / steps;
    };
    const double d = std::abs(r) / blur;
    return d < third ? jinc(d) * jinc(d * first / third) : 0;
}

double bc_cubic(double b, double c, double x) {
    x = std::abs(x);
    const double x2 = x * x, x3 = x2 * x;
    if (x < 1) return ((12 - 9 * b - 6 * c) * x3 + (-18 + 12 * b + 6 * c) * x2 + 6 - 2 * b) / 6;
    if (x < 2) return ((-b - 6 * c) * x3 + (6 * b + 30 * c) * x2 + (-12 * b - 48 * c) * x + 8 * b + 24 * c) / 6;
    return 0;
}

double keys(double x) { return bc_cubic(0, 0.5, x); }

double hermite(double x) {
    x = std::abs(x);
    return x < 1 ? 2 * x * x * x - 3 * x * x + 1 : 0;
}

double lagrange(double x) {
    const int first = int(std::floor(x)) - 1;
    if (first > 0 || first + 3 < 0) return 0;
    double product = 1;
    for (int j = first; j < first + 4; ++j)
        if (j != 0) product *= (x - j) / -j;
    return product;
}

double windowed_sinc(int lobes, double x) { return std::abs(x) < lobes ? sinc(x) * sinc(x / lobes) : 0; }

double lanczos(int lobes, double x) {
    return normalised(x, lobes, [&](double at) { return windowed_sinc(lobes, at); });
}

double natural_spline(int points, double x) {
    const int base = int(std::floor(x)), before = points / 2 - 1;
    if (base - before > 0 || base - before + points <= 0) return 0;
    std::vector<double> y(size_t(points), 0.0);
    y[size_t(before - base)] = 1;
    const std::vector<double> m = second_derivatives(y);
    const size_t i = size_t(before);
    const double t = x - base, u = 1 - t;
    return u * y[i] + t * y[i + 1] + ((u * u * u - u) * m[i] + (t * t * t - t) * m[i + 1]) / 6;
}

double bell(double sigma, double x) {
    const auto gauss = [&](double at) { return std::exp(-0.5 * (at / sigma) * (at / sigma)); };
    constexpr double end = 4;
    const double slope_at_end = -end / (sigma * sigma) * gauss(end);
    if (std::abs(x) >= end) return 0.0;
    return gauss(x) - (gauss(end) + slope_at_end * (x * x - end * end) / (2 * end));
}

double gaussian(double sigma, double x) {
    return normalised(x, 4, [&](double at) { return bell(sigma, at); });
}

double hamming_lobe(double x) { return std::abs(x) < 1 ? sinc(x) * (0.54 + 0.46 * std::cos(pi * x)) : 0; }

double mks2013(double x) {
    x = std::abs(x);
    if (x <= 0.5) return 17.0 / 16 - 7 * x * x / 4;
    if (x <= 1.5) return (1 - x) * (7.0 / 4 - x);
    return x <= 2.5 ? -(x - 2.5) * (x - 2.5) / 8 : 0;
}

double mks2021(double x) {
    x = std::abs(x);
    if (x <= 0.5) return 577.0 / 576 - 239 * x * x / 144;
    if (x <= 1.5) return (140 * x * x - 379 * x + 239) / 144;
    if (x <= 2.5) return -(24 * x * x - 113 * x + 130) / 144;
    if (x <= 3.5) return (4 * x * x - 27 * x + 45) / 144;
    return x <= 4.5 ? -(4 * x * x - 36 * x + 81) / 1152 : 0;
}

std::optional<Kernel> formula_of(const MethodInfo& method, const MethodParameters& parameters) {
    const std::string_view id = method.id;
    const double* p = parameters.value;
    const auto cubic = [](double b, double c) { return [b, c](double x) { return bc_cubic(b, c, x); }; };
    const auto windowed = [](int lobes) {
        Kernel kernel{[lobes](double x) { return lanczos(lobes, x); }, 2 * lobes, {}};
        kernel.undivided = [lobes](double x) { return windowed_sinc(lobes, x); };
        return kernel;
    };
    const auto polar = [](auto radial, double radius, int taps) {
        // Over its integral over the plane, by Simpson's rule.
        constexpr int steps = 1 << 14;
        double integral = 0;
        for (int n = 1; n < steps; ++n) {
            const double r = radius * n / steps;
            integral += (n % 2 ? 4.0 : 2.0) / 3 * radius / steps * 2 * pi * r * radial(r);
        }
        return Kernel{[radial, integral](double r) { return radial(std::abs(r)) / integral; }, taps, {}, false, radius};
    };
    const auto jinc = [&](double blur) {
        static const double third = zero_of_bessel1(3) / pi;
        return polar([blur](double r) { return jinc_windowed(blur, r); }, blur * third, 7);
    };
    const auto robidoux = [&](double b) {  // a Keys cubic
        return polar([b](double r) { return bc_cubic(b, (1 - b) / 2, r); }, 2, 4);
    };
    const auto natural = [](int points) { return [points](double x) { return natural_spline(points, x); }; };
    if (id == "nearest") return Kernel{nearest, 1, {}, true};
    if (id == "bilinear") return Kernel{linear, 2, {}};
    if (id == "hermite") return Kernel{hermite, 2, {}};
    if (id == "catmull-rom") return Kernel{keys, 4, {}};
    if (id == "mitchell") return Kernel{cubic(1.0 / 3, 1.0 / 3), 4, {}};
    if (id == "bicubic") return Kernel{cubic(0, -p[0]), 4, {}};
    if (id == "bc") return Kernel{cubic(p[0], p[1]), 4, {}};
    if (id == "lagrange") return Kernel{lagrange, 4, {}};
    if (id == "lanczos2") return windowed(2);
    if (id == "lanczos3") return windowed(3);
    if (id == "lanczos4") return windowed(4);
    if (id == "spline16") return Kernel{natural(4), 4, {}};
    if (id == "spline36") return Kernel{natural(6), 6, {}};
    if (id == "spline64") return Kernel{natural(8), 8, {}};
    if (id == "hamming") {
        Kernel kernel{[](double x) { return normalised(x, 1, hamming_lobe); }, 2, {}};
        kernel.undivided = hamming_lobe;
        return kernel;
    }
    if (id == "mks2013") return Kernel{mks2013, 6, {}};
    if (id == "mks2021") return Kernel{mks2021, 10, {}};
    if (id == "gaussian") {
        Kernel kernel{[sigma = p[0]](double x) { return gaussian(sigma, x); }, 8, {}};
        kernel.undivided = [sigma = p[0]](double x) { return bell(sigma, x); };
        return kernel;
    }
    if (id == "ewa-lanczos" || id == "ewa-lanczossharp") {
        static const Kernel plain = jinc(1), sharp = jinc(0.9812505644269356);  // as in ImageMagick's source
        return id == "ewa-lanczos" ? plain : sharp;
    }
    // Robidoux' closed forms.
    if (id == "ewa-robidoux") return robidoux(12 / (19 + 9 * std::sqrt(2.0)));
    if (id == "ewa-robidouxsharp") return robidoux(6 / (13 + 7 * std::sqrt(2.0)));
    // At the samples these are (1, 6, 1)/8, (1, 4, 1)/6, (4, 13, 4)/21, (1, 76, 230, 76, 1)/384, (1, 26, 66, 26, 1)/120,
    // (107, 1792, 4122, 1792, 107)/7920 and (1, 120, 1191, 2416, 1191, 120, 1)/5040.
    if (id == "quadratic") return Kernel{[](double x) { return bspline(2, x); }, 4, {pole_of(-6)}};
    if (id == "quartic") {
        const double root = std::sqrt(1216.0);  // y² + 76 y + 228 = 0 for y = z + 1/z
        return Kernel{[](double x) { return bspline(4, x); }, 6, {pole_of(-38 + root), pole_of(-38 - root)}};
    }
    if (id == "bspline") return Kernel{cubic_bspline, 4, {pole_of(-4)}};
    if (id == "omoms") return Kernel{omoms, 4, {pole_of(-13.0 / 4)}};
    if (id == "quintic") {
        const double root = std::sqrt(105.0);  // y² + 26 y + 64 = 0 for y = z + 1/z
        return Kernel{[](double x) { return bspline(5, x); }, 6, {pole_of(-13 + root), pole_of(-13 - root)}};
    }
    if (id == "omoms5") {  // 107 y² + 1792 y + 3908 = 0
        const double root = std::sqrt(896.0 * 896 - 107 * 3908);
        return Kernel{omoms5, 6, {pole_of((-896 + root) / 107), pole_of((-896 - root) / 107)}};
    }
    if (id == "septic") {  // y³ + 120 y² + 1188 y + 2176 = 0, whose three real roots are cosines (Viète)
        const double a = 1188 - 120.0 * 120 / 3, b = 2 * 120.0 * 120 * 120 / 27 - 120 * 1188.0 / 3 + 2176;
        const double angle = std::acos(3 * b / (2 * a) * std::sqrt(-3 / a)) / 3;
        std::vector<double> poles;
        for (const int k : {2, 1, 0})
            poles.push_back(pole_of(2 * std::sqrt(-a / 3) * std::cos(angle - 2 * pi * k / 3) - 40));
        std::sort(poles.begin(), poles.end());
        return Kernel{[](double x) { return bspline(7, x); }, 8, poles};
    }
    return std::nullopt;
}

Kernel kernel_of(const MethodSpec& spec) {
    if (auto kernel = formula_of(*spec.method, spec.parameters)) return *kernel;
    return {[info = spec.method, parameters = spec.parameters](double x) { return info->weight(x, parameters); },
            spec.method->taps, spec.method->poles};
}

}  // namespace texelscope::test::reference
