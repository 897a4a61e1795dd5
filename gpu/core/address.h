#pragma once
// Address modes: how a row of n samples is extended beyond its ends.

#include <array>
#include <string_view>

#include "gpu/core/platform.h"

namespace texelscope {

enum class AddressMode { clamp, border, wrap, mirror };

inline constexpr std::array<AddressMode, 4> all_address_modes = {AddressMode::clamp, AddressMode::border,
                                                                 AddressMode::wrap, AddressMode::mirror};

// One address mode per axis.
struct AddressPair {
    AddressMode x = AddressMode::clamp;
    AddressMode y = AddressMode::clamp;
    bool operator==(const AddressPair&) const = default;
};

constexpr std::string_view name_of(AddressMode mode) {
    switch (mode) {
        case AddressMode::clamp: return "clamp";
        case AddressMode::border: return "border";
        case AddressMode::wrap: return "wrap";
        case AddressMode::mirror: return "mirror";
    }
    return "";
}

// wrap and mirror repeat the signal; clamp and border do not.
TS_HD constexpr bool is_periodic(AddressMode mode) { return mode == AddressMode::wrap || mode == AddressMode::mirror; }

// addressed() for an index beyond the ends.
TS_HD_RARE int addressed_beyond(AddressMode mode, int i, int n) {
    switch (mode) {
        case AddressMode::clamp: return i < 0 ? 0 : n - 1;
        case AddressMode::border: return -1;
        case AddressMode::wrap: {
            const int r = i % n;
            return r < 0 ? r + n : r;
        }
        case AddressMode::mirror: {  // half-sample symmetric: … 1 0 | 0 1 … n−1 | n−1 n−2 …
            const long long period = 2LL * n;
            long long r = i % period;
            if (r < 0) r += period;
            return int(r < n ? r : period - 1 - r);
        }
    }
    return -1;
}

// The stored sample for index i of a row of n ≥ 1, or −1 for a sample that is zero (border).
TS_HD int addressed(AddressMode mode, int i, int n) {
    return unsigned(i) < unsigned(n) ? i : addressed_beyond(mode, i, n);
}

}  // namespace texelscope
