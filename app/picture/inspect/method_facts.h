#pragma once
// Facts about a method that follow from its weights.

#include <optional>
#include <string>
#include <vector>

#include "gpu/method/spec.h"

namespace texelscope {

// "6 taps along each axis", or how many a polar method has on average.
std::string taps_words(const MethodInfo& method);

// Whether the method passes through the samples with these parameters: the tap at a sample weighs 1, all others 0.
// For methods with a prefilter: whether it does so with the prefilter.
bool interpolates(const MethodSpec& spec);

// The position at which a linear-filtered fetch would have to read between two taps of a four-tap method, as a fraction
// of their distance: w1 / (w0 + w1) and w3 / (w2 + w3). The texture unit can do it only within [0, 1].
struct FetchFraction {
    double minimum, maximum;
    bool possible() const { return minimum >= 0 && maximum <= 1; }
};
struct FetchFractions {
    FetchFraction h0, h1;
};

// Over t in [0, 1), by the float64 weight function. Empty for methods without four taps.
std::optional<FetchFractions> fetch_fractions(const MethodSpec& spec);

// What is derived from a custom method's formula, in words.
struct CustomFact {
    std::string label, text;
};

// With the spec's parameters; the method is custom. Throws Error if its formula has no weights with these.
std::vector<CustomFact> custom_facts(const MethodSpec& spec);

// The built-in method that has, with standard parameters, the same weights to 1e-6; null if there is none.
const MethodInfo* equal_method(const MethodSpec& spec);

}  // namespace texelscope
