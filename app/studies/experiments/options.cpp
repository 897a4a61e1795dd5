#include "app/studies/experiments/options.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/files/bytes/naming.h"
#include "app/files/reading/image_source.h"
#include "app/files/test_images/test_images.h"
#include "app/text/typed_values.h"

namespace texelscope {
namespace {

using Kind = ExperimentOption::Kind;

std::vector<std::string> parts_of(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    std::vector<std::string> parts;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(';', at), text.size());
        std::string_view part = text.substr(at, end - at);
        part.remove_prefix(std::min(part.find_first_not_of(blanks), part.size()));
        part = part.substr(0, part.find_last_not_of(blanks) + 1);
        parts.emplace_back(part);
        at = end + 1;
    }
    if (parts.size() > 1 && parts.back().empty()) parts.pop_back();
    return parts;
}

void check_number(const ExperimentOption& option, const std::string& text) {
    const std::string name = fmt::format("--{}", option.name);
    const double value = parse_real(name, text);
    if (option.kind == Kind::integer && value != double(int64_t(value)))
        throw UsageError(fmt::format("{} must be a whole number, not '{}'", name, text));
    if (!(value >= option.least && value <= option.most))
        throw UsageError(fmt::format("{} must be from {} to {}, not '{}'", name, option.least, option.most, text));
}

void check_methods(const ExperimentOption& option, const std::string& text) {
    const std::vector<std::string> parts = parts_of(text);
    if (parts.size() > most_experiment_methods)
        throw UsageError(
            fmt::format("--{} takes at most {} methods, not {}", option.name, most_experiment_methods, parts.size()));
    for (const std::string& part : parts) {
        if (part.empty())
            throw UsageError(fmt::format("--{} '{}' has an empty part; write SPEC; SPEC; …", option.name, text));
        try {
            parse_spec(part);
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("--{}: {}", option.name, error.what()));
        }
    }
}

}  // namespace

ExperimentOptions::ExperimentOptions(std::span<const ExperimentOption> known) : known_(known) {
    for (const ExperimentOption& option : known) texts_.emplace(option.name, option.standard);
}

const ExperimentOption& ExperimentOptions::find(std::string_view name) const {
    for (const ExperimentOption& option : known_)
        if (option.name == name) return option;
    throw UsageError(fmt::format("this experiment has no option --{}", name));
}

void ExperimentOptions::set(std::string_view name, const std::string& text) {
    const ExperimentOption& option = find(name);
    switch (option.kind) {
        case Kind::integer:
        case Kind::real: check_number(option, text); break;
        case Kind::methods: check_methods(option, text); break;
        case Kind::image:
            if (text.empty()) throw UsageError(fmt::format("--{} must name a file or a test image", name));
            if (text.starts_with('@')) parse_test_image(text);
            break;
    }
    texts_.find(name)->second = text;
}

const std::string& ExperimentOptions::text(std::string_view name) const {
    find(name);
    return texts_.find(name)->second;
}

bool ExperimentOptions::is_standard(std::string_view name) const { return text(name) == find(name).standard; }

double ExperimentOptions::real(std::string_view name) const { return parse_real(name, text(name)); }

std::vector<MethodSpec> ExperimentOptions::methods(std::string_view name, const MethodSpec& defaults) const {
    std::vector<MethodSpec> specs;
    for (const std::string& part : parts_of(text(name))) specs.push_back(parse_spec(part, &defaults));
    return specs;
}

std::string without_dashes(std::string text) {
    for (size_t at = 0; (at = text.find("--", at)) != std::string::npos;) {
        const bool begins_word = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
        const bool option = at + 2 < text.size() && text[at + 2] >= 'a' && text[at + 2] <= 'z';
        if (begins_word && option) text.erase(at, 2);
        else at += 2;
    }
    return text;
}

Image ExperimentOptions::image(std::string_view name) const {
    Image image = load_image(text(name));
    if (image.missing().empty()) return image;
    throw Error(fmt::format("{}: {}", text(name), words_of_missing(image.missing(), image.width(), image.height())));
}

}  // namespace texelscope
