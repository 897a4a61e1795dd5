// The polynomials of a weight function: within their stated error of it, with kinks and jumps at their place.

#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "gpu/core/errors.h"
#include "gpu/weights/pieces.h"

namespace texelscope {
namespace {

using Function = std::function<double(double)>;

double sinc(double x) { return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x); }

struct Case {
    const char* name;
    double radius;
    Function h;
};

const Case cases[] = {
    {"hat", 1, [](double x) { return std::max(0.0, 1 - std::abs(x)); }},
    {"box", 1, [](double x) { return x >= -0.3 && x < 0.41 ? 1.0 : 0.0; }},
    {"box, the other ends included", 1, [](double x) { return x > -0.3 && x <= 0.41 ? 1.0 : 0.0; }},
    {"kink", 2, [](double x) { return std::abs(x - 0.123456789) + 0.5 * std::abs(x + 1.1); }},
    {"saw", 3, [](double x) { return x - std::floor(x * 1.7) / 1.7; }},
    {"Lanczos 8", 8, [](double x) { return sinc(x) * sinc(x / 8); }},
    {"Lanczos stretched", 3.6, [](double x) { return std::abs(x) < 3.6 ? sinc(x / 1.2) * sinc(x / 3.6) : 0; }},
    {"Gauss", 2.5, [](double x) { return std::abs(x) <= 2.5 ? std::exp(-2 * x * x) : 0; }},
    {"fast", 1, [](double x) { return std::sin(60 * x); }},
    {"root", 1, [](double x) { return std::sqrt(std::abs(x)); }},
};

TEST(Pieces, FunctionsAreWithinTheirErrorEverywhere) {
    std::mt19937 random(1);
    for (const Case& c : cases) {
        const int reach = int(std::ceil(c.radius));
        const Function h = [&](double x) { return x >= -c.radius && x < c.radius ? c.h(x) : 0; };
        const std::vector<FittedPiece> pieces = fit_pieces(h, reach, c.radius);
        ASSERT_EQ(pieces.front().begin, -reach);
        ASSERT_EQ(pieces.back().end, reach);
        const PackedPieces<float> floats = packed<float>(pieces, reach);
        const PackedPieces<double> doubles = packed<double>(pieces, reach);
        for (int i = 0; i < 20000; ++i) {
            const int whole = int(random() % unsigned(2 * reach)) - reach;
            const float t = float(random() % (1 << 24)) / (1 << 24);  // any phase that float32 has
            const double x = whole + double(t);
            ASSERT_NEAR(value_of(pieces, x), h(x), 1e-12) << c.name << " at " << x;
            ASSERT_NEAR(piece_value(doubles.at(doubles.bytes.data()), whole, double(t)), h(x), 1e-12) << c.name;
            ASSERT_NEAR(piece_value(floats.at(floats.bytes.data()), whole, t), h(x), 1e-6) << c.name << " at " << x;
        }
        EXPECT_LT(largest_error(floats, h, pieces), 1e-6) << c.name;
        EXPECT_EQ(value_of(pieces, -reach - 0.5), 0);
        EXPECT_EQ(value_of(pieces, reach), 0);
    }
}

TEST(Pieces, JumpsAreAtTheirPlaceToTheLastBit) {
    const double at = 0.41;
    const auto box = [&](double x) { return x < at ? 1.0 : 0.0; };
    const std::vector<FittedPiece> pieces = fit_pieces(box, 1, 1);
    const PackedPieces<float> floats = packed<float>(pieces, 1);
    const float after = std::nextafter(float(at), double(float(at)) < at ? 2.0f : float(at));
    const float first = double(after) >= at ? after : std::nextafter(after, 2.0f), last = std::nextafter(first, 0.0f);
    EXPECT_EQ(piece_value(floats.at(floats.bytes.data()), 0, first), 0);
    EXPECT_EQ(piece_value(floats.at(floats.bytes.data()), 0, last), 1);
    EXPECT_EQ(value_of(pieces, std::nextafter(at, 0.0)), 1);
    EXPECT_EQ(value_of(pieces, at), 0);
}

TEST(Pieces, APolynomialIsOnePieceBetweenSamples) {
    const auto cubic = [](double x) { return 1 - 0.3 * x + 0.7 * x * x - 0.2 * x * x * x; };
    const std::vector<FittedPiece> pieces = fit_pieces(cubic, 2, 2);
    ASSERT_EQ(pieces.size(), 4u);
    for (const FittedPiece& piece : pieces) {
        EXPECT_EQ(piece.degree, 3);
        EXPECT_NEAR(piece.derivative(1, true), -0.3 + 1.4 * piece.end - 0.6 * piece.end * piece.end, 1e-11);
        EXPECT_NEAR(piece.derivative(2, false), 1.4 - 1.2 * piece.begin, 1e-11);
    }
}

TEST(Pieces, AKinkHasOnePieceOnEachSide) {
    const auto kink = [](double x) { return std::abs(x - 0.3); };
    const std::vector<FittedPiece> pieces = fit_pieces(kink, 1, 1);
    int wide = 0;
    for (const FittedPiece& piece : pieces) wide += piece.width() > 1e-9;
    EXPECT_EQ(wide, 3);
}

TEST(Pieces, WhatVariesTooFastIsRefused) {
    EXPECT_THROW(fit_pieces([](double x) { return std::sin(1e6 * x); }, 8, 8), Error);
}

}  // namespace
}  // namespace texelscope
