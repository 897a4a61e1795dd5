#pragma once
// Option groups that several commands share, and their values.

#include <optional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

#include "gpu/backend/backend.h"

namespace texelscope {

// --translate --scale --zoom --rotate --outside --antialias
class ViewOptions {
public:
    void add_to(CLI::App& command);

    // True where one of them places the view.
    bool given() const { return translate_ || scale_ || zoom_ || rotate_; }
    View view() const;                        // throws UsageError
    std::optional<Outside> outside() const;   // unset: not given; throws UsageError
    void check_antialias() const;             // throws UsageError

private:
    std::optional<std::string> translate_, scale_, zoom_, rotate_, outside_, antialias_;
};

// --method --path --address --prefilter --backend
class MethodOptions {
public:
    void add_to(CLI::App& command);

    bool given() const { return method_ || path_ || address_ || prefilter_; }
    bool address_given() const { return address_ || (method_ && method_->find("address=") != std::string::npos); }
    MethodSpec spec() const;         // throws UsageError; the single options overrule the spec's own words
    BackendChoice backend() const { return parse_backend(backend_); }

private:
    std::optional<std::string> method_, path_, address_, prefilter_;
    std::string backend_ = "auto";
};

struct Size {
    int width, height;
};

// "640x480". Throws UsageError that names the option.
Size parse_size(std::string_view option, const std::string& text);

// A finite number. Throws UsageError that names the option.
double parse_real(std::string_view option, std::string_view text);

}  // namespace texelscope
