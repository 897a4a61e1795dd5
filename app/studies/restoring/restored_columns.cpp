#include "app/studies/restoring/restored_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/text/figures.h"
#include "app/text/spec_words.h"

namespace texelscope {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// The id alone if nothing else was chosen.
std::string short_spec(const MethodSpec& spec, const MethodSpec& defaults) {
    const bool standard = !spec.method->custom && spec == parse_spec(spec.method->id, &defaults);
    return standard ? std::string(spec.method->id) : shown_spec_text(spec);
}

// As many for a number of this size to have so many digits.
int decimals_of(double size, int digits) {
    constexpr int most = 6;
    return size > 0 ? std::clamp(digits - 1 - int(std::floor(std::log10(size))), 0, most) : 0;
}

// One number of decimals for all of a column: three digits of the largest, four from 100 on, and two of the smallest as
// far as two decimals more give them.
int common_decimals(const std::vector<double>& values) {
    double low = 0, high = 0;
    bool whole = true;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        whole = whole && value == std::round(value);
        high = std::max(high, value);
        if (value > 0) low = low > 0 ? std::min(low, value) : value;
    }
    if (whole) return 0;
    const int needed = decimals_of(high, high < 100 ? 3 : 4);
    return std::clamp(decimals_of(low, 2), needed, needed + 2);
}

// "0.0" is exactly 0.
std::string with_decimals(double value, int decimals) {
    if (std::isnan(value)) return "–";
    const double least = std::pow(10.0, -decimals);
    if (value > 0 && value < least / 2) return fmt::format("< {:.{}f}", least, decimals);
    return fmt::format("{:.{}f}", value, decimals);
}

std::string colour_text(double difference) { return std::isnan(difference) ? "–" : fmt::format("{:.2f}", difference); }

// A column of figures; without `text`, for aligned_figure.
RestoredColumn figure(std::string name, std::string unit, std::string meaning, double (*value)(const RestoredMethod&),
                      std::string (*text)(double), int digits = 3) {
    RestoredColumn column{std::move(name), std::move(unit), std::move(meaning), {}, value, digits};
    if (text) column.text = [value, text](const RestoredMethod& method) { return text(value(method)); };
    return column;
}

// A column whose numbers have equally many decimals, as many as these methods need.
RestoredColumn aligned_figure(RestoredColumn column, const std::vector<RestoredMethod>& methods) {
    std::vector<double> values;
    for (const RestoredMethod& method : methods) values.push_back(column.value(method));
    column.text = [value = column.value, decimals = common_decimals(values)](const RestoredMethod& method) {
        return with_decimals(value(method), decimals);
    };
    return column;
}

// A column of errors, in the unit of values: "max of 255".
RestoredColumn error(std::string name, std::string meaning, const ValueScale& scale,
                     double (*value)(const RestoredMethod&)) {
    const std::string whole = scale.of_whole();
    meaning += whole.empty() ? ", of a range of 0 to 1 for integers." : "," + whole + ".";
    RestoredColumn column{std::move(name), whole.empty() ? "" : whole.substr(1), std::move(meaning), {}};
    column.value = [value, factor = scale.factor()](const RestoredMethod& m) { return value(m) * factor; };
    return column;
}

}  // namespace

std::vector<RestoredColumn> restored_columns(const RestoringResult& result, const ValueScale& scale) {
    const RestoringPlan& plan = result.plan;
    const auto aligned = [&](RestoredColumn column) { return aligned_figure(std::move(column), result.methods); };
    const MethodSpec defaults = restoring_defaults(plan.restoration);
    const std::string truth(reference_name(plan.restoration));
    std::vector<RestoredColumn> columns = {
        {"method", "", "The method that restored the picture.",
         [](const RestoredMethod& m) { return std::string(m.spec.method->name); }},
        {"spec", "", "The same for the command line, with the settings that are not the default.",
         [defaults](const RestoredMethod& m) { return short_spec(m.spec, defaults); }}};
    columns.push_back(figure(
        "PSNR", "dB",
        "Peak signal-to-noise ratio against " + truth +
            ", over the interior: more is "
            "better, and 0.5 dB is hardly visible.",
        [](const RestoredMethod& m) { return m.inside.metrics.psnr; }, fine_psnr_text, 4));
    columns.back().more_is_better = true;
    columns.push_back(figure(
        "SSIM", "", "Structural similarity to " + truth + ", over the interior: 1 is equal.",
        [](const RestoredMethod& m) { return m.inside.metrics.ssim; }, ssim_text, 4));
    columns.back().more_is_better = true;
    if (has_colours(*plan.image)) {
        columns.push_back(figure(
            "ΔE mean", "",
            "ΔE2000 between the two colours of a pixel, the mean over the interior: "
            "about 1 is just noticeable.",
            [](const RestoredMethod& m) { return m.inside.colours ? m.inside.colours->mean : none; }, colour_text));
        columns.push_back(figure(
            "ΔE 95 %", "", "The ΔE2000 that 95 % of the interior's pixels do not exceed.",
            [](const RestoredMethod& m) { return m.inside.colours ? m.inside.colours->percentile_95 : none; },
            colour_text));
    }
    columns.push_back(aligned(error("RMSE", "Root of the mean squared error over the interior", scale,
                                    [](const RestoredMethod& m) { return m.inside.metrics.rmse; })));
    columns.push_back(aligned(error("max", "The largest error over the interior", scale,
                                    [](const RestoredMethod& m) { return m.inside.metrics.max_abs; })));
    columns.push_back(figure(
        "PSNR of all", "dB", "PSNR over all pixels, those near the edges included.",
        [](const RestoredMethod& m) { return m.all.metrics.psnr; }, fine_psnr_text, 4));
    columns.back().more_is_better = true;
    columns.push_back(aligned(figure(
        "time", "ms",
        "Of one rendering of the whole picture, without upload and prefilter, on the "
        "backend's own clock.",
        [](const RestoredMethod& m) { return m.milliseconds; }, nullptr)));
    columns.push_back(aligned(figure(
        "fetches", "", "Reads of memory or texture per pixel.", [](const RestoredMethod& m) { return m.fetches; },
        nullptr, 0)));
    return columns;
}

std::string done_words(const RestoringPlan& plan) {
    return words(plan.restoration, *plan.image) + (plan.light == Light::linear ? ", in linear light" : "");
}

std::string front_words(const RestoringResult& result) {
    const std::vector<RestoredMethod>& methods = result.methods;
    const std::vector<bool> front = on_the_front(methods);
    std::vector<std::string> names;
    for (size_t k = methods.size(); k-- > 0;)  // the worst and cheapest first
        if (front[k]) names.push_back(name_in_text(*methods[k].spec.method));
    std::string text;
    for (size_t k = 0; k < names.size(); ++k) text += (k == 0 ? "" : k + 1 < names.size() ? ", " : " and ") + names[k];
    if (text.empty()) return text;
    return fmt::format("Closer to {} than anything with as few fetches: {}.", reference_name(result.plan.restoration),
                       text);
}

}  // namespace texelscope
