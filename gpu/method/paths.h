#pragma once
// Fetch paths and prefilters by name: how taps are read, and how samples become B-spline coefficients.

#include <array>
#include <string_view>

namespace texelscope {

enum class FetchPath { automatic, global, lookup, hardware };

inline constexpr std::array<FetchPath, 4> all_fetch_paths = {FetchPath::automatic, FetchPath::global, FetchPath::lookup,
                                                             FetchPath::hardware};

constexpr std::string_view name_of(FetchPath path) {
    switch (path) {
        case FetchPath::automatic: return "auto";
        case FetchPath::global: return "global";
        case FetchPath::lookup: return "lookup";
        case FetchPath::hardware: return "hardware";
    }
    return "";
}

// none: the samples themselves · fir: `taps` central taps of the exact inverse, normalised to sum 1 · iir: exact.
struct Prefilter {
    enum class Kind { none, fir, iir };
    static constexpr int min_taps = 3, max_taps = 31, default_taps = 15;

    Kind kind = Kind::iir;
    int taps = default_taps;  // odd, 3 … 31; only for fir
    bool half_float = false;  // coefficients are kept as binary16, in half the memory; not for none

    friend bool operator==(const Prefilter& a, const Prefilter& b) {
        return a.kind == b.kind && (a.kind != Kind::fir || a.taps == b.taps) &&
               (a.kind == Kind::none || a.half_float == b.half_float);
    }
};

}  // namespace texelscope
