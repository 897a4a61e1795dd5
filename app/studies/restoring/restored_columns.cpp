#include "app/studies/restoring/restored_columns.h"

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
    const bool standard = spec == parse_spec(spec.method->id, &defaults);
    return standard ? std::string(spec.method->id) : to_string(spec);
}

std::string plain_error(double error) { return std::isnan(error) ? "–" : error_text(error); }
// In one unit for all rows, three digits or more.
std::string millisecond_text(double ms) {
    return fmt::format("{:.{}f}", ms, ms < 0.1 ? 4 : ms < 1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

std::string colour_text(double difference) { return std::isnan(difference) ? "–" : fmt::format("{:.2f}", difference); }

// A column of figures.
RestoredColumn figure(std::string name, std::string unit, std::string meaning, double (*value)(const RestoredMethod&),
                      std::string (*text)(double), int digits = 3) {
    RestoredColumn column{std::move(name), std::move(unit), std::move(meaning), {}, value, digits};
    column.text = [value, text](const RestoredMethod& method) { return text(value(method)); };
    return column;
}

// A column of errors, in the unit of values: "max of 255".
RestoredColumn error(std::string name, std::string meaning, const ValueScale& scale,
                     double (*value)(const RestoredMethod&)) {
    const std::string whole = scale.of_whole();
    meaning += whole.empty() ? ", of a range of 0 to 1 for integers." : "," + whole + ".";
    RestoredColumn column{std::move(name), whole.empty() ? "" : whole.substr(1), std::move(meaning), {}};
    column.value = [value, factor = scale.factor()](const RestoredMethod& m) { return value(m) * factor; };
    column.text = [in_unit = column.value](const RestoredMethod& m) { return plain_error(in_unit(m)); };
    return column;
}

}  // namespace

std::vector<RestoredColumn> restored_columns(const RestoringPlan& plan, const ValueScale& scale) {
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
    columns.push_back(error("RMSE", "Root of the mean squared error over the interior", scale,
                            [](const RestoredMethod& m) { return m.inside.metrics.rmse; }));
    columns.push_back(error("max", "The largest error over the interior", scale,
                            [](const RestoredMethod& m) { return m.inside.metrics.max_abs; }));
    columns.push_back(figure(
        "PSNR of all", "dB", "PSNR over all pixels, those near the edges included.",
        [](const RestoredMethod& m) { return m.all.metrics.psnr; }, fine_psnr_text, 4));
    columns.back().more_is_better = true;
    columns.push_back(figure(
        "time", "ms",
        "Of one rendering of the whole picture, without upload and prefilter, on the "
        "backend's own clock.",
        [](const RestoredMethod& m) { return m.milliseconds; }, millisecond_text));
    columns.push_back(figure(
        "fetches", "", "Reads of memory or texture per pixel.", [](const RestoredMethod& m) { return m.fetches; },
        [](double fetches) { return fmt::format("{:.3g}", fetches); }, 0));
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
