#pragma once
// A weight function as polynomials over pieces, for host and device: found by bisection, so that kinks and jumps lie
// between two pieces wherever they are.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "gpu/core/platform.h"

namespace texelscope {

inline constexpr int piece_degree = 13;

// Σ c[n]·sⁿ on begin ≤ x < end, s = (x − begin) / (end − begin). Never beyond an integer.
struct FittedPiece {
    double begin = 0, end = 0;
    int degree = 0;
    double c[piece_degree + 1] = {};

    double width() const { return end - begin; }
    double operator()(double x) const;
    // The n-th derivative at begin or, as a limit, at end.
    double derivative(int n, bool at_end) const;
};

// h on [−reach, reach), in order and without gaps; reach: a whole number of samples. Within 2e-13 of h times its largest
// value or 1, and by float32 arithmetic within 2e-7, except within 1e-14 of a place where h is not analytic. Exact at
// the left end of each piece. Throws Error if that takes more pieces or more evaluations than there is time for.
std::vector<FittedPiece> fit_pieces(const std::function<double(double)>& h, int reach, double radius);

// Their derivatives.
std::vector<FittedPiece> derivatives(std::vector<FittedPiece> pieces);

// Evaluated; zero outside.
double value_of(std::span<const FittedPiece> pieces, double x);

// A piece as plain data that a kernel reads.
template <class Real> struct PackedPiece {
    Real begin = 0, scale = 0;  // s = (t − begin) · scale, where t counts from the integer below
    Real c[piece_degree + 1] = {};
};

template <class Real> struct PieceTable {
    const PackedPiece<Real>* pieces = nullptr;  // memory of the backend
    const int* first = nullptr;                 // of each integer's pieces, from −reach; one more than 2 · reach
    int reach = 0, degree = 0;
};

// The memory of a table: its pieces, then `first`.
template <class Real> struct PackedPieces {
    std::vector<std::byte> bytes;
    size_t first_offset = 0;
    int reach = 0, degree = 0;

    PieceTable<Real> at(const void* memory) const {
        const char* start = static_cast<const char*>(memory);
        return {reinterpret_cast<const PackedPiece<Real>*>(start), reinterpret_cast<const int*>(start + first_offset),
                reach, degree};
    }
};

template <class Real> PackedPieces<Real> packed(std::span<const FittedPiece> pieces, int reach);

// At `whole` + t, 0 ≤ t < 1: two numbers, so that t is not rounded.
template <class Real> TS_HD Real piece_value(const PieceTable<Real>& table, int whole, Real t) {
    if (whole < -table.reach || whole >= table.reach) return 0;
    int low = table.first[whole + table.reach], high = table.first[whole + table.reach + 1] - 1;
    while (low < high) {  // the last one that begins at t or before
        const int middle = (low + high + 1) / 2;
        if (table.pieces[middle].begin <= t) low = middle;
        else high = middle - 1;
    }
    const PackedPiece<Real>& piece = table.pieces[low];
    const Real s = (t - piece.begin) * piece.scale;
    Real sum = piece.c[table.degree];
    for (int n = table.degree - 1; n >= 0; --n) sum = sum * s + piece.c[n];
    return sum;
}

// The largest difference of the float32 table to h, at closely spaced distances.
double largest_error(const PackedPieces<float>& table, const std::function<double(double)>& h,
                     std::span<const FittedPiece> pieces);

}  // namespace texelscope
