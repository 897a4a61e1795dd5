#pragma once
// Option groups that several commands share, and their values. The getters throw UsageError.

#include <optional>
#include <string>
#include <string_view>

#include "app/cli/command.h"
#include "app/text/typed_values.h"
#include "gpu/backend/backend.h"
#include "gpu/core/colour.h"

namespace texelscope {

// --translate --scale --zoom --rotate
class ViewOptions {
public:
    void add_to(Command command);

    bool given() const { return translate_ || scale_ || zoom_ || rotate_; }
    View view() const;

private:
    std::optional<std::string> translate_, scale_, zoom_, rotate_;
};

inline constexpr std::string_view method_file_help =
    "A method of one's own: a weight function (docs/weights.md) or a CUDA kernel (docs/kernels.md), as a text";

// --method --method-file --path --address --border --prefilter --backend
class MethodOptions {
public:
    void add_to(Command command);
    void add_settings(Command command);                      // only --path --address --border --prefilter
    void add_file(Command command, std::string_view where);  // only --method-file; where: its place among other methods

    bool given() const { return method_ || method_file_ || path_ || address_ || border_ || prefilter_; }
    bool address_given() const { return address_ || (method_ && method_->find("address=") != std::string::npos); }
    MethodSpec spec() const;                     // the single options override the spec
    MethodSpec settings_over(MethodSpec) const;  // and this one
    const MethodInfo* own_method() const;        // that of --method-file, read each time; null without it
    BackendChoice backend() const { return parse_backend(backend_); }

private:
    std::optional<std::string> method_, method_file_, path_, address_, border_, prefilter_;
    std::string backend_ = "auto";
};

// The spec "custom:text=…" or "kernel:text=…" of a file that holds a method of one's own.
std::string spec_of_method_file(const std::string& file);

// How samples become values: --outside --antialias --linear-light --derivative, each added by its add_….
class SamplingOptions {
public:
    void add_outside(Command command, Outside other);  // extend, or this one
    void add_antialias(Command command, std::string_view standard);
    void add_linear_light(Command command);
    void add_derivative(Command command);

    std::optional<Outside> outside() const;
    std::optional<bool> antialias() const;
    Light light() const { return linear_light_ ? Light::linear : Light::stored; }

    // Refuses methods without a slope, and antialiased values: these cannot be differentiated.
    Derivative derivative(const MethodSpec& spec) const;

private:
    std::optional<std::string> outside_, antialias_, derivative_;
    Outside other_outside_ = Outside::background;
    bool linear_light_ = false;
};

// Refuses the derivative along an axis that the image does not have.
void check_axis(Derivative derivative, bool one_dimensional);

// Refuses a border value with another number of channels than the image.
void check_border(const MethodSpec& spec, int channels);

}  // namespace texelscope
