#pragma once
// A method's weight function in float64 for host and device: polynomials over pieces of an eighth of a sample, fitted
// to the method's own float64 function at Chebyshev nodes. Every weight function here is analytic between the multiples
// of ½, so that 13 degrees leave less than 1e-13.

#include <cmath>
#include <vector>

#include "gpu/core/platform.h"
#include "gpu/method/method_info.h"
#include "gpu/weights/pieces.h"

namespace texelscope {

inline constexpr int pieces_a_sample = 8;
inline constexpr int piece_coefficients = 14;

// h on [−radius, radius), zero elsewhere; each piece includes only its left end.
struct WeightPieces {
    const double* coefficients = nullptr;  // memory of the backend; for 1, u, u², … with u from −1 to 1 over the piece
    double radius = 1;                     // samples: half the method's taps, or the radius of a polar method
    double a_sample = pieces_a_sample;  // pieces: a whole number of them is as wide as the function
    PieceTable<double> pieces = {};     // used instead if there are any: of a custom method
};

// Pieces of a function this wide to each side: at least pieces_a_sample a sample, and an even number.
inline int piece_count(double radius) { return 2 * int(std::ceil(radius * pieces_a_sample)); }

std::vector<double> weight_pieces(const MethodInfo& method, const MethodParameters& parameters);

TS_HD double weight_at(const WeightPieces& pieces, double d) {
    if (!(d >= -pieces.radius && d < pieces.radius)) return 0;
    if (pieces.pieces.pieces) {
        const double whole = floor(d);
        return piece_value(pieces.pieces, int(whole), d - whole);
    }
    const double at = (d + pieces.radius) * pieces.a_sample;
    const int last = int(2 * pieces.radius * pieces.a_sample + 0.5) - 1;
    const int piece = int(at) < last ? int(at) : last;
    const double u = 2 * (at - piece) - 1;
    const double* c = pieces.coefficients + piece * piece_coefficients;
    double sum = c[piece_coefficients - 1];
    TS_UNROLL
    for (int n = piece_coefficients - 2; n >= 0; --n) sum = sum * u + c[n];
    return sum;
}

}  // namespace texelscope
