#pragma once
// The options of an experiment, as typed and as values.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/method/spec.h"

namespace texelscope {

struct ExperimentOption {
    enum class Kind {
        integer,
        real,
        image,   // a file or @test-image
        methods  // "SPEC; SPEC; …"
    };
    std::string_view name;  // "turns", typed as --turns
    Kind kind;
    std::string_view meaning;    // with its unit
    std::string_view standard;   // as typed
    double least = 0, most = 0;  // of numbers, both allowed
};

inline constexpr size_t most_experiment_methods = 12;

class ExperimentOptions {
public:
    // All at their defaults.
    explicit ExperimentOptions(std::span<const ExperimentOption> known);

    // Throws UsageError that names the option, the word, and what would be right; an image is not read yet.
    void set(std::string_view name, const std::string& text);

    const std::string& text(std::string_view name) const;
    bool is_standard(std::string_view name) const;
    std::span<const ExperimentOption> known() const { return known_; }

    int integer(std::string_view name) const { return int(real(name)); }
    double real(std::string_view name) const;

    // What a spec leaves open is taken from `defaults`.
    std::vector<MethodSpec> methods(std::string_view name, const MethodSpec& defaults) const;

    // Throws Error.
    Image image(std::string_view name) const;

private:
    const ExperimentOption& find(std::string_view name) const;

    std::span<const ExperimentOption> known_;
    std::map<std::string, std::string, std::less<>> texts_;
};

// A refusal in the window's words, where options are fields: "turns must be …" for "--turns must be …".
std::string without_dashes(std::string text);

}  // namespace texelscope
