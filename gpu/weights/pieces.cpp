#include "gpu/weights/weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

using Function = std::function<double(double)>;
using Powers = std::array<double, piece_degree + 1>;

template <class Real> Real horner(const double* c, int degree, Real s) {
    Real sum = Real(c[degree]);
    for (int n = degree - 1; n >= 0; --n) sum = sum * s + Real(c[n]);
    return sum;
}

// Powers of s of the Chebyshev polynomials of u = 2s − 1.
const std::array<Powers, piece_degree + 1>& chebyshev_powers() {
    static const auto all = [] {
        std::array<Powers, piece_degree + 1> t{};
        t[0][0] = 1;
        t[1][0] = -1;
        t[1][1] = 2;
        for (size_t m = 2; m < t.size(); ++m)
            for (size_t p = 0; p < t.size(); ++p)
                t[m][p] = 4 * (p > 0 ? t[m - 1][p - 1] : 0) - 2 * t[m - 1][p] - t[m - 2][p];
        return t;
    }();
    return all;
}

class Fitter {
public:
    Fitter(const Function& h, double radius) : h_(h), radius_(radius) {}

    std::vector<FittedPiece> fit(int reach) {
        for (int n = -2 * reach; n <= 2 * reach; ++n) scale_ = std::max(scale_, std::abs(h_(n / 2.0 + 0.1)));
        std::vector<FittedPiece> result;
        for (int n = -reach; n < reach; ++n) {
            leaves_.clear();
            double at = n;
            for (const double edge : {-radius_, radius_, double(n) + 1})  // the ends of the support are known
                if (edge > at && edge <= n + 1) {
                    bisect(at, edge);
                    at = edge;
                }
            merge(result);
        }
        return result;
    }

private:
    static constexpr int nodes = piece_degree + 1, checks = 25, most_evaluations = 400'000;
    static constexpr size_t most_pieces = 2048;

    double h(double x) {
        if (++evaluations_ > most_evaluations)
            throw Error("the function varies too fast for its weights to be tabulated");
        return h_(x);
    }

    // The polynomial of least degree that is close enough.
    std::optional<FittedPiece> fitted(double a, double b) {
        const double width = b - a;
        std::array<double, nodes> values;
        for (int k = 0; k < nodes; ++k)
            values[size_t(k)] = h(a + width * (0.5 - 0.5 * std::cos(std::numbers::pi * (k + 0.5) / nodes)));
        std::array<double, checks> at, expected;
        at[0] = a;
        for (int k = 1; k < checks; ++k)
            at[size_t(k)] = k + 1 < checks ? a + width * k / (checks - 1) : std::nextafter(b, a);
        for (int k = 0; k < checks; ++k) expected[size_t(k)] = h(at[size_t(k)]);
        Powers powers{};
        for (int m = 0; m <= piece_degree; ++m) {
            double c = 0;
            for (int k = 0; k < nodes; ++k)  // u runs from −1 up with k
                c += values[size_t(k)] * std::cos(std::numbers::pi * m * (nodes - k - 0.5) / nodes);
            c *= (m == 0 ? 1.0 : 2.0) / nodes;
            for (int p = 0; p <= m; ++p) powers[size_t(p)] += c * chebyshev_powers()[size_t(m)][size_t(p)];
            FittedPiece piece{a, b, m, {}};
            std::copy_n(powers.begin(), m + 1, piece.c);
            piece.c[0] = expected[0];
            if (std::abs(powers[0] - expected[0]) <= tolerance() && is_close(piece, at, expected)) return piece;
        }
        return {};
    }

    double tolerance() const { return 2e-13 * scale_; }

    bool is_close(const FittedPiece& piece, const std::array<double, checks>& at,
                  const std::array<double, checks>& expected) const {
        for (int k = 0; k < checks; ++k) {
            const double s = (at[size_t(k)] - piece.begin) / piece.width();
            if (!(std::abs(horner(piece.c, piece.degree, s) - expected[size_t(k)]) <= tolerance())) return false;
            if (!(std::abs(double(horner(piece.c, piece.degree, float(s))) -
                           horner(piece.c, piece.degree, double(float(s)))) <= 2e-7 * scale_))
                return false;
        }
        return true;
    }

    void bisect(double a, double b) {
        if (leaves_.size() > most_pieces) throw Error("the function varies too fast for its weights to be tabulated");
        const double middle = a + (b - a) / 2;
        if (b - a < 1e-18 || middle <= a || middle >= b) {
            leaves_.push_back({a, b, 0, {h(a)}});
        } else if (const auto piece = fitted(a, b)) {
            leaves_.push_back(*piece);
        } else {
            bisect(a, middle);
            bisect(middle, b);
        }
    }

    // What bisection has cut although nothing is there grows together again.
    void merge(std::vector<FittedPiece>& result) {
        FittedPiece current = leaves_.front();
        for (size_t i = 1; i < leaves_.size(); ++i) {
            if (const auto both = fitted(current.begin, leaves_[i].end)) {
                current = *both;
            } else {
                result.push_back(current);
                current = leaves_[i];
            }
        }
        result.push_back(current);
        if (result.size() > most_pieces) throw Error("the function varies too fast for its weights to be tabulated");
    }

    const Function& h_;
    double radius_, scale_ = 1;
    int evaluations_ = 0;
    std::vector<FittedPiece> leaves_;
};

// The least float that is not below x.
float float_from(double x) {
    const float rounded = float(x);
    return double(rounded) < x ? std::nextafter(rounded, 2.0f) : rounded;
}
double float_from(double x, double) { return x; }
float float_from(double x, float) { return float_from(x); }

}  // namespace

double FittedPiece::operator()(double x) const { return horner(c, degree, (x - begin) / width()); }

double FittedPiece::derivative(int n, bool at_end) const {
    double sum = 0;
    for (int k = degree; k >= n; --k) {
        double factor = c[k];
        for (int i = 0; i < n; ++i) factor *= (k - i) / width();
        if (at_end || k == n) sum += factor;
    }
    return sum;
}

std::vector<FittedPiece> fit_pieces(const Function& h, int reach, double radius) {
    return Fitter(h, radius).fit(reach);
}

std::vector<FittedPiece> derivatives(std::vector<FittedPiece> pieces) {
    for (FittedPiece& piece : pieces) {
        for (int n = 0; n < piece.degree; ++n) piece.c[n] = (n + 1) * piece.c[n + 1] / piece.width();
        piece.c[piece.degree] = 0;
        piece.degree = std::max(0, piece.degree - 1);
    }
    return pieces;
}

double value_of(std::span<const FittedPiece> pieces, double x) {
    const auto after = std::upper_bound(pieces.begin(), pieces.end(), x,
                                        [](double at, const FittedPiece& piece) { return at < piece.begin; });
    if (after == pieces.begin()) return 0;
    const FittedPiece& piece = *(after - 1);
    return x < piece.end ? piece(x) : 0;
}

template <class Real> PackedPieces<Real> packed(std::span<const FittedPiece> pieces, int reach) {
    PackedPieces<Real> result;
    result.reach = reach;
    std::vector<PackedPiece<Real>> all;
    std::vector<int> first;
    for (int n = -reach; n < reach; ++n) {
        first.push_back(int(all.size()));
        for (const FittedPiece& piece : pieces) {
            if (piece.begin < n || piece.begin >= n + 1) continue;
            PackedPiece<Real> one;
            one.begin = float_from(piece.begin - n, Real());
            one.scale = Real(1 / piece.width());
            std::transform(piece.c, piece.c + piece.degree + 1, one.c, [](double v) { return Real(v); });
            result.degree = std::max(result.degree, piece.degree);
            if (!(one.begin < 1)) continue;  // narrower than the numbers here resolve
            if (int(all.size()) > first.back() && all.back().begin == one.begin) all.back() = one;
            else all.push_back(one);
        }
    }
    first.push_back(int(all.size()));
    result.first_offset = all.size() * sizeof(all[0]);
    result.bytes.resize(result.first_offset + first.size() * sizeof(int));
    std::memcpy(result.bytes.data(), all.data(), result.first_offset);
    std::memcpy(result.bytes.data() + result.first_offset, first.data(), first.size() * sizeof(int));
    return result;
}
template PackedPieces<float> packed<float>(std::span<const FittedPiece>, int);
template PackedPieces<double> packed<double>(std::span<const FittedPiece>, int);

double largest_error(const PackedPieces<float>& table, const Function& h, std::span<const FittedPiece> pieces) {
    const PieceTable<float> view = table.at(table.bytes.data());
    double largest = 0;
    for (const FittedPiece& piece : pieces) {
        const double whole = std::floor(piece.begin);
        for (int k = 0; k < 32; ++k) {
            const float t = float(piece.begin - whole + piece.width() * (k + 0.37) / 32);
            const double x = whole + double(t);
            if (t >= 1 || x < piece.begin || x >= piece.end) continue;
            largest = std::max(largest, std::abs(double(piece_value(view, int(whole), t)) - h(x)));
        }
    }
    return largest;
}

}  // namespace texelscope
