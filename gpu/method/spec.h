#pragma once
// MethodSpec: a method with all its settings, and its written form
//   ID[:key=value[,key=value…]]   e.g.  bspline:prefilter=fir15,path=hardware,address=mirror/wrap
//                                       or  bilinear:address=border,border=0.2:0.4:0.6

#include <string>
#include <string_view>

#include "gpu/core/address.h"
#include "gpu/method/method_info.h"
#include "gpu/method/paths.h"
#include "gpu/weights/inverse_filter.h"

namespace texelscope {

struct MethodSpec {
    const MethodInfo* method = nullptr;  // never null in a spec made by a function of this header
    MethodParameters parameters;
    FetchPath path = FetchPath::automatic;
    AddressPair address;
    Prefilter prefilter;
    bool operator==(const MethodSpec&) const = default;

    // The prefilter that the method's weights need with these parameters; empty: it takes samples.
    InverseFilter inverse_filter() const;

    // What the method will really use: none for methods without such a filter.
    Prefilter effective_prefilter() const;

    // The path that it will really be computed by: a custom method whose taps cannot be merged has no `hardware`.
    FetchPath effective_path() const;
};

// The method with default parameters, path auto, clamp, iir.
MethodSpec default_spec(const MethodInfo& method);

// Each throws UsageError that names the word and lists valid ones.
MethodSpec parse_spec(std::string_view text, const MethodSpec* defaults = nullptr);
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

}  // namespace texelscope
