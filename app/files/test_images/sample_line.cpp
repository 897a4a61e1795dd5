// Lines of samples: typed or dragged numbers, and the samples of a formula.

#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/test_images/test_images.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"
#include "gpu/weights/weights.h"

namespace texelscope {
namespace {

constexpr std::string_view samples_prefix = "@samples:", signal_prefix = "@signal:";
constexpr double furthest = 1e6, least_rate = 1e-3, highest_rate = 1e6, largest_value = 1e30;

[[noreturn]] void refuse(std::string_view source, const std::string& why) {
    throw UsageError(fmt::format("{}: {}", source.substr(0, source.find(':')), why));
}

// The parts of "0..4@8": where the line begins and ends, and how many samples there are per unit. "0@8": without an end.
struct Place {
    double from = 0, to = 0, rate = 1;
};

std::optional<Place> parsed_place(std::string_view text, bool with_end) {
    const size_t at = text.find('@'), dots = text.find("..");
    if (at == text.npos || (dots != text.npos) != with_end || (with_end && dots > at)) return {};
    Place place;
    if (!parse_number(text.substr(0, with_end ? dots : at), place.from)) return {};
    place.to = place.from;
    if (with_end && !parse_number(text.substr(dots + 2, at - dots - 2), place.to)) return {};
    if (!parse_number(text.substr(at + 1), place.rate)) return {};
    if (!(std::abs(place.from) <= furthest && std::abs(place.to) <= furthest && place.from <= place.to)) return {};
    if (!(place.rate >= least_rate && place.rate <= highest_rate)) return {};
    return place;
}

void take_values(SampleLine& line, std::string_view source, std::string_view text) {
    for (bool more = true; more;) {
        const size_t comma = text.find(',');
        const std::string_view item = trimmed(text.substr(0, comma));
        double value = 0;
        if (!parse_number(item, value) || !(std::abs(value) <= largest_value))
            refuse(source, fmt::format("{} is not a number; write @samples:0,1,0.5, with commas between the samples",
                                       shown(item)));
        line.values.push_back(double(float(value)));
        if (line.values.size() > SampleLine::most)
            refuse(source, fmt::format("a line has up to {} samples", SampleLine::most));
        more = comma != text.npos;
        if (more) text.remove_prefix(comma + 1);
    }
}

}  // namespace

std::function<double(double)> SampleLine::function() const {
    if (formula.empty()) return {};
    WeightFile file;
    file.formula = formula;
    if (const auto problem = problem_of_words(file)) throw WeightError(*problem);
    return [parsed = std::make_shared<const Formula>(file)](double x) { return (*parsed)(x, {}); };
}

std::string SampleLine::source() const {
    if (!formula.empty()) return fmt::format("{}{}..{}@{}:{}", signal_prefix, from, to, rate, formula);
    const bool placed = from != 0 || rate != 1;
    return fmt::format("{}{}{}", samples_prefix, placed ? fmt::format("{}@{}:", from, rate) : "",
                       fmt::join(std::vector<float>(values.begin(), values.end()), ","));
}

std::optional<SampleLine> parse_sample_line(std::string_view source) {
    const bool typed = source.starts_with(samples_prefix);
    if (!typed && !source.starts_with(signal_prefix)) return {};
    SampleLine line;
    std::string_view rest = source.substr((typed ? samples_prefix : signal_prefix).size());
    const size_t colon = rest.find(':');
    const auto place = colon == rest.npos ? std::nullopt : parsed_place(rest.substr(0, colon), !typed);
    if (place) {
        line.from = place->from;
        line.to = place->to;
        line.rate = place->rate;
        rest = rest.substr(colon + 1);
    } else if (!typed || colon != rest.npos) {
        refuse(source, fmt::format("write {}, with |x| up to {} and a rate of {} … {}",
                                   typed ? "@samples:FROM@RATE:0,1,0.5"
                                         : "@signal:FROM..TO@RATE:FORMULA, "
                                           "as @signal:0..4@8:cos(2*pi*3*x)",
                                   furthest, least_rate, highest_rate));
    }
    if (typed) {
        take_values(line, source, rest);
        return line;
    }
    if (rest.empty() || rest.size() > WeightFile::most_formula_bytes)
        refuse(source, fmt::format("the formula must have 1 … {} characters", WeightFile::most_formula_bytes));
    line.formula = rest;
    const double count = std::floor((place->to - place->from) * place->rate + 1e-9) + 1;
    if (count > double(SampleLine::most))
        refuse(source, fmt::format("a line has up to {} samples, not {}", SampleLine::most, count));
    try {
        const auto value = line.function();
        for (size_t k = 0; k < size_t(count); ++k) {
            line.values.push_back(double(float(value(line.at(k)))));
            if (!(std::abs(line.values.back()) <= largest_value))
                refuse(source, fmt::format("the formula has no value at x = {:.6g}", line.at(k)));
        }
    } catch (const WeightError& error) {
        refuse(source, fmt::format("{} (character {} of the formula)", error.problem.sentence, error.problem.column));
    }
    return line;
}

Image samples_of(const SampleLine& line) {
    Image image(int(line.values.size()), 1, 1, SampleType::f32);
    for (size_t k = 0; k < line.values.size(); ++k) image.row_as<float>(0)[k] = float(line.values[k]);
    image.set_one_dimensional(true);
    return image;
}

}  // namespace texelscope
