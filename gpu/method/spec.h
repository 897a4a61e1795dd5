#pragma once
// MethodSpec: a method with all its settings, and its written form
//   ID[:key=value[,key=value…]]   e.g.  bspline:prefilter=fir15,path=hardware,address=mirror/wrap
//                                       or  bilinear:address=border,border=0.2:0.4:0.6

#include <array>
#include <string>
#include <string_view>

#include "gpu/core/address.h"
#include "gpu/core/names.h"
#include "gpu/method/method_info.h"
#include "gpu/weights/inverse_filter.h"

namespace texelscope {

// Fetch paths and prefilters by name: how taps are read, and how samples become B-spline coefficients.

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
    // For a level of the pyramid, on which the filter acts as on the image: samples of that from one of the level to the next. Set where
    // a request is planned; 1: the image itself.
    double step_x = 1, step_y = 1;

    friend bool operator==(const Prefilter& a, const Prefilter& b) {
        return a.kind == b.kind && (a.kind != Kind::fir || a.taps == b.taps) &&
               (a.kind == Kind::none || (a.half_float == b.half_float && a.step_x == b.step_x && a.step_y == b.step_y));
    }
};

// Smaller images of the picture (a pyramid, "mip levels") for pixels on which many samples fall, as texture units read them,
// with a level for each pixel. Of nearest and bilinear; instead of antialiasing.
//   nearest   the level whose samples are nearest in size to the pixel's longer side on the picture
//   linear    the two levels on either side of that size, blended: trilinear
//   level     no picture but the level that `linear` blends about, an eighth of white for each
//   x2 … x16  anisotropic: up to so many of those along the longer side, of the levels for the shorter one
enum class Mip { none, nearest, linear, level, x2, x4, x8, x16 };
inline constexpr NamedValue<Mip> mip_names[] = {
    {Mip::none, "none"}, {Mip::nearest, "nearest"}, {Mip::linear, "linear"}, {Mip::level, "level"},
    {Mip::x2, "x2"},     {Mip::x4, "x4"},           {Mip::x8, "x8"},         {Mip::x16, "x16"}};
constexpr auto& names_table(Mip) { return mip_names; }
constexpr int most_probes(Mip mip) { return mip >= Mip::x2 ? 2 << (int(mip) - int(Mip::x2)) : 1; }

struct MethodSpec {
    const MethodInfo* method = nullptr;  // never null in a spec made by a function of this header
    MethodParameters parameters;
    FetchPath path = FetchPath::automatic;
    AddressPair address;
    Prefilter prefilter;
    Mip mip = Mip::none;
    bool operator==(const MethodSpec&) const = default;

    // The prefilter that the method's weights need with these parameters; empty: it takes samples.
    InverseFilter inverse_filter() const;

    // What the method will really use: none for methods without such a filter.
    Prefilter effective_prefilter() const;
    bool filters() const { return effective_prefilter().kind != Prefilter::Kind::none; }

    // The path that it will really be computed by: polar methods and those of many taps read linear memory on every path;
    // a custom one whose taps cannot be merged has no `hardware`.
    FetchPath effective_path() const;

    // None for methods that texture units do not filter by.
    Mip effective_mip() const;
};

// Methods that are named by more than an id, as they are written: prefix, then value.
struct MethodForm {
    std::string_view id, prefix, value, summary, page;
};
inline constexpr MethodForm method_forms[] = {
    {"custom", "custom:file=", "FILE", "A weight function of one's own, from its formula.", "docs/weights.md"},
    {"kernel", "kernel:file=", "FILE", "A CUDA function of one's own; interpreted without a GPU.", "docs/kernels.md"},
    {"like", "like:", "LIBRARY/FUNCTION",
     "Resizing as another library does it; \"texelscope methods like:\" lists all.", "docs/libraries.md"}};

// Recipes of other libraries (gpu/recipes), which are methods too: like:LIBRARY/FUNCTION[:key=value,…].
inline constexpr std::string_view recipe_prefix = "like:";
struct RegisterRecipes {
    // The method of such a text, and how its image continues beyond its edges. Throws UsageError.
    explicit RegisterRecipes(MethodSpec (*spec_of)(std::string_view text));
};

std::string words_of_method_forms();  // "custom:file=FILE, kernel:file=FILE or like:LIBRARY/FUNCTION"

// The method with default parameters, path auto, clamp, iir.
MethodSpec default_spec(const MethodInfo& method);

// Each throws UsageError that names the word and lists valid ones.
MethodSpec parse_spec(std::string_view text, const MethodSpec* defaults = nullptr);
// One setting, as in a spec. Refused for a recipe, whose text says all. check_border_acts() comes after all of them.
void set_setting(MethodSpec& spec, std::string_view key, std::string_view value);
const MethodInfo& parse_method(std::string_view id);
FetchPath parse_path(std::string_view text);
AddressMode parse_address_mode(std::string_view text);
AddressPair parse_address(std::string_view text);  // "mirror", "mirror,wrap" or "mirror/wrap"
BorderValue parse_border(std::string_view text);   // "0.5", or one number per channel: "0.2:0.4:0.6"
void check_border_acts(const AddressPair& address, std::string_view text);  // refused where no axis is `border`
Prefilter parse_prefilter(std::string_view text, bool half_float = false);  // "none", "fir", "fir15", "iir"
bool parse_half_float(std::string_view text);  // how coefficients are kept: "float" or "half"

std::string to_string(const Prefilter& prefilter);    // "fir15": its kind and taps
std::string to_settings(const Prefilter& prefilter);  // all of it, as in a spec: "prefilter=fir15,coefficients=half"
std::string to_string(const AddressPair& address);    // "mirror/wrap", or "mirror" if both are the same
std::string to_string(const BorderValue& border);     // "0.2:0.4:0.6"
std::string to_settings(const AddressPair& address);  // all of it that acts, as in a spec: "address=border,border=0.5"
std::string to_string(const MethodSpec& spec);        // parse_spec reads it back (a prefilter only if it acts)
std::string shown_spec_text(const MethodSpec& spec);  // the same, with a custom method's name for its text

// What is computed at a position, whatever the positions are: the same in a caller's request, a backend's and a kernel's.

// The value at a position outside the samples: the image extended by its address modes; the background outside the
// extent [−0.5, n − 0.5); NaN outside the interval [0, n − 1] of the samples.
enum class Outside { extend, background, nan };

constexpr std::string_view name_of(Outside outside) {
    return outside == Outside::extend ? "extend" : outside == Outside::background ? "background" : "nan";
}

// A picture's value, or its first derivative along an axis of sample space, per sample.
enum class Derivative { none, x, y };

struct Sampling {
    MethodSpec spec;
    Outside outside = Outside::extend;
    Derivative derivative = Derivative::none;  // for a method with a slope; not together with antialiasing
    bool operator==(const Sampling&) const = default;
};

}  // namespace texelscope
