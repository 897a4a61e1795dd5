#pragma once
// Address modes: how a row of n samples is extended beyond its ends.

#include "gpu/core/names.h"
#include "gpu/core/platform.h"

namespace texelscope {

// reflect101 is the whole-sample mirror (OpenCV's BORDER_REFLECT_101, SciPy's `mirror`, PyTorch's `reflect`), mirror the
// half-sample one.
enum class AddressMode { clamp, border, wrap, mirror, reflect101 };

inline constexpr NamedValue<AddressMode> address_modes[] = {
    {AddressMode::clamp, "clamp", "repeats the edge sample", "repeat the edge"},
    {AddressMode::border, "border", "one value outside the image: zero and transparent unless another one is typed",
     "one value"},
    {AddressMode::wrap, "wrap", "repeats the image", "repeat the picture"},
    {AddressMode::mirror, "mirror", "mirrored at each edge, repeating the edge sample: … 1 0 | 0 1 …",
     "edge sample twice"},
    {AddressMode::reflect101, "reflect101",
     "mirrored at the edge sample, which is not repeated: … 2 1 | 0 1 2 … (REFLECT_101 in OpenCV, mirror in SciPy)",
     "mirrored, edge sample once"}};
constexpr auto& names_table(AddressMode) { return address_modes; }
inline constexpr auto all_address_modes = all_values<AddressMode>;

// What lies beyond an edge with the mode border: one number for every channel, alpha included, or one per channel: straight
// colour, and stored levels also where linear light is interpolated. Finite.
struct BorderValue {
    static constexpr int most = 4;
    float value[most] = {};
    int count = 1;
    bool operator==(const BorderValue&) const = default;
};

// One address mode per axis. What is beyond an edge of a border axis is the border value, wherever it is along the other.
struct AddressPair {
    AddressMode x = AddressMode::clamp;
    AddressMode y = AddressMode::clamp;
    BorderValue border = {};
    bool operator==(const AddressPair&) const = default;
    constexpr bool has_border() const { return x == AddressMode::border || y == AddressMode::border; }
};

// The modes of `modes`, and the border value of `address`.
constexpr AddressPair with_modes(const AddressPair& address, const AddressPair& modes) {
    return {modes.x, modes.y, address.border};
}

// wrap and both mirrors repeat the signal; clamp and border do not.
TS_HD constexpr bool is_periodic(AddressMode mode) {
    return mode == AddressMode::wrap || mode == AddressMode::mirror || mode == AddressMode::reflect101;
}

// Samples after which the extended row of n ≥ 1 repeats, if is_periodic(mode); at least 1.
TS_HD constexpr long long period_of(AddressMode mode, int n) {
    if (mode == AddressMode::wrap) return n;
    if (mode == AddressMode::mirror) return 2LL * n;
    return n > 1 ? 2LL * n - 2 : 1;
}

// What a texture unit does instead: it has no whole-sample mirror. Coordinates are folded before it gets them.
TS_HD constexpr AddressMode texture_address(AddressMode mode) {
    return mode == AddressMode::reflect101 ? AddressMode::clamp : mode;
}

// addressed() for an index beyond the ends.
TS_HD_RARE int addressed_beyond(AddressMode mode, int i, int n) {
    switch (mode) {
        case AddressMode::clamp: return i < 0 ? 0 : n - 1;
        case AddressMode::border: return -1;
        case AddressMode::wrap: {
            const int r = i % n;
            return r < 0 ? r + n : r;
        }
        case AddressMode::mirror:        // half-sample symmetric: … 1 0 | 0 1 … n−1 | n−1 n−2 …
        case AddressMode::reflect101: {  // whole-sample symmetric: … 2 1 | 0 1 … n−1 | n−2 n−3 …
            const long long period = period_of(mode, n);
            long long r = i % period;
            if (r < 0) r += period;
            return int(r < n ? r : period - (mode == AddressMode::mirror ? 1 : 0) - r);
        }
    }
    return -1;
}

// The stored sample for index i of a row of n ≥ 1, or −1 for a sample that is beyond a border.
TS_HD int addressed(AddressMode mode, int i, int n) {
    return unsigned(i) < unsigned(n) ? i : addressed_beyond(mode, i, n);
}

}  // namespace texelscope
