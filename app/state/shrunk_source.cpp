#include "app/state/shrunk_source.h"

#include <charconv>

#include <fmt/format.h>

namespace texelscope {
namespace {

constexpr std::string_view prefix = "@shrunk:", stored = "stored", linear = "linear";

// Up to the next colon, which is dropped as well.
std::string_view taken(std::string_view& text) {
    const size_t colon = text.find(':');
    const std::string_view part = text.substr(0, colon);
    text.remove_prefix(colon == text.npos ? text.size() : colon + 1);
    return part;
}

}  // namespace

std::string ShrunkSource::text() const {
    // As many digits as the factor needs, so that it is read back exactly.
    return fmt::format("{}{}:{}:{}:{}", prefix, factor, filter, light == Light::linear ? linear : stored, original);
}

std::string original_source(const std::string& source) {
    const auto shrunk = parse_shrunk_source(source);
    return shrunk ? shrunk->original : source;
}

std::optional<ShrunkSource> parse_shrunk_source(std::string_view source) {
    if (!source.starts_with(prefix)) return {};
    source.remove_prefix(prefix.size());
    ShrunkSource result;
    const std::string_view factor = taken(source);
    const auto [end, error] = std::from_chars(factor.data(), factor.data() + factor.size(), result.factor);
    result.filter = taken(source);
    const std::string_view light = taken(source);
    result.original = source;
    const bool whole = error == std::errc{} && end == factor.data() + factor.size() && result.factor >= 1;
    if (!whole || (light != stored && light != linear) || result.original.empty()) return {};
    result.light = light == linear ? Light::linear : Light::stored;
    return result;
}

}  // namespace texelscope
