#include "app/cli/compare_options.h"

#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/bytes/json_text.h"
#include "app/files/reading/image_files.h"
#include "app/picture/pane_picture.h"
#include "app/text/glossary.h"
#include "app/text/text.h"

namespace texelscope {
namespace {

using Json = nlohmann::ordered_json;

// The method of a reference, without path and prefilter: these are always exact.
std::string spec_of(const ComparisonReference& reference) {
    const MethodSpec& spec = reference.spec;
    std::string settings;
    const auto add = [&](const std::string& setting) { settings += (settings.empty() ? ":" : ",") + setting; };
    if (!reference.own_address) add(to_settings(spec.address));
    for (size_t i = 0; i < spec.method->parameters.size(); ++i)
        add(fmt::format("{}={}", spec.method->parameters[i].id, spec.parameters.value[i]));
    return std::string(spec.method->id) + settings;
}

std::string reference_text(const ComparisonReference& reference) {
    switch (reference.kind) {
        case Reference::Kind::method: return spec_of(reference);
        case Reference::Kind::image: return reference.source;
        default: return std::string(name_of(reference.kind));
    }
}

std::string reference_words(const ComparisonPlan& plan) {
    const ComparisonReference& reference = plan.reference;
    switch (reference.kind) {
        case Reference::Kind::own: return "each method's own exact result, in float64";
        case Reference::Kind::method:
            return fmt::format("{} ({}), exact, in float64", name_in_text(*reference.spec.method), spec_of(reference));
        case Reference::Kind::image:
            if (plan.against_another_size())
                return fmt::format("{} ({}×{}), over the same field, in float64", reference.source,
                                   reference.image->width(), reference.image->height());
            return reference.source + ", interpolated by each method in float64";
        case Reference::Kind::truth: return "the formula that the picture is made by, in float64";
    }
    return "";
}

std::string size_words(const ComparisonPlan& plan) {
    if (plan.image) return describe(*plan.image);
    const ImageInfo info = plan.info();
    return fmt::format("{}×{} {}×{}, read by regions", info.width, info.height, name_of(info.type), info.channels);
}

std::string view_words(const ComparisonPlan& plan) {
    const View& view = plan.request.view;
    std::string text = zoom_text(view.zoom());
    if (view.translate_x != 0 || view.translate_y != 0)
        text += fmt::format(", translated by {}, {} samples", view.translate_x, view.translate_y);
    if (view.rotate != 0) text += fmt::format(", rotated by {}°", view.rotate);
    if (plan.request.antialias && view.scale > 1) text += ", antialiased";
    if (plan.light == Light::linear) text += ", linear light";
    if (plan.request.outside == Outside::background) text += ", only on the image";
    if (const auto& s = plan.selection)
        text += fmt::format(", measured from {}, {} to {}, {}", s->x0, s->y0, s->x1, s->y1);
    return text;
}

// Three digits or more: "71.2", "10400".
std::string microseconds_text(double microseconds) {
    return fmt::format("{:.{}f}", microseconds, microseconds < 10 ? 2 : microseconds < 100 ? 1 : 0);
}

// A column of the table, and its member in JSON.
struct ComparisonColumn {
    std::string heading;
    const char* key;
    std::function<Json(const PaneFigures&)> value;  // null if it is not known
    std::string (*text)(double);                    // null: only in JSON
    const char* of_reference = nullptr;             // for the pane that is the reference, instead of its value
};

std::string decibels(double psnr) { return psnr_text(psnr) + " dB"; }
std::string rate_text(double value) { return fmt::format("{:.3g}", value); }

// A map's figures; null if there is none.
Json map_json(const PaneFigures& figures, const ComparisonPlan& plan) {
    if (!figures.map || figures.map->pixels == 0) return {};
    const MapFigures& m = *figures.map;
    Json json = {{"kind", name_of(plan.difference->kind)},
                 {"mean", m.mean},
                 {"deviation", m.deviation},
                 {"weighted_median", m.weighted_median},
                 {"percentile_95", m.percentile_95},
                 {"largest", m.largest},
                 {"worst", {m.worst_x, m.worst_y}},
                 {"pixels", m.pixels},
                 {"histogram", m.histogram}};
    if (plan.difference->kind == DifferenceKind::flip) json["pixels_per_degree"] = plan.difference->pixels_per_degree;
    return json;
}

// The figures of a map of errors in the table.
void add_map_columns(std::vector<TextRow>& rows, const ComparisonResult& result) {
    for (size_t i = 0; i < result.figures.size(); ++i) {
        const auto& map = result.figures[i].map;
        if (!map) return;
        const std::vector<Figure> figures = map_figures(result.plan.difference->kind, *map);
        for (const Figure& figure : figures) {
            if (i == 0) rows[0].push_back(figure.name);
            rows[i + 1].push_back(figure.value);
        }
    }
}

// JSON has neither infinity nor NaN: it gets null instead.
std::vector<ComparisonColumn> comparison_columns(const ComparisonPlan& plan) {
    const auto metric = [](double Metrics::*of) {
        return [of](const PaneFigures& f) { return f.metrics->pixels > 0 ? Json((*f.metrics).*of) : Json(); };
    };
    const bool arithmetic = plan.only_arithmetic();
    const auto error = arithmetic ? arithmetic_text : error_text;
    const std::string psnr =
        arithmetic ? "" : (plan.tells_likeness() ? "likeness to " : "PSNR against ") + plan.reference_name();
    return {
        {arithmetic ? "arithmetic error" : "RMSE", "rmse", metric(&Metrics::rmse), error, "–"},
        {psnr, "psnr", metric(&Metrics::psnr), arithmetic ? nullptr : decibels, "is the reference"},
        {"max", "max_abs", metric(&Metrics::max_abs), error, "–"},
        {"SSIM", "ssim", metric(&Metrics::ssim), arithmetic ? nullptr : ssim_text, "–"},
        {"", "pixels", [](const PaneFigures& f) { return Json(f.metrics->pixels); }, nullptr},
        {"", "left_out", [](const PaneFigures& f) { return Json(f.metrics->left_out); }, nullptr},
        {"", "map", [&plan](const PaneFigures& f) { return map_json(f, plan); }, nullptr},
        {"µs", "microseconds",
         [](const PaneFigures& f) { return f.milliseconds > 0 ? Json(f.milliseconds * 1000) : Json(); },
         microseconds_text},
        {"Gpixel/s", "gigapixels_per_second",
         [](const PaneFigures& f) { return f.milliseconds > 0 ? Json(f.gigapixels_per_second()) : Json(); }, rate_text},
        {"fetches", "fetches", [](const PaneFigures& f) { return f.cost.fetches > 0 ? Json(f.cost.fetches) : Json(); },
         rate_text}};
}

}  // namespace

// Where the figures do not tell what to choose.
std::string hint(const ComparisonPlan& plan) {
    if (plan.tells_likeness())
        return "\nZoomed out, each method is widened against aliasing: figures say how much alike they are, not which is "
               "best. --restore shrink:2 says that.\n";
    // At 100 % there is nothing to interpolate.
    const ImageInfo image = plan.info();
    const bool whole = plan.request.width == image.width && plan.request.height == image.height;
    if (!(plan.request.view == View{}) || !whole || plan.only_arithmetic()) return "";
    return "\nAt 100 % interpolating methods show the stored samples: --zoom 4 tells them apart, --restore 4 says which is "
           "best.\n";
}

// The remarks on a reference that is a formula.
std::string remarks(const ComparisonResult& result) {
    if (!result.plan.reference.formula || result.figures.empty()) return "";
    const std::string text = truth_remarks(result.plan.info().type, *result.figures.front().metrics);
    return text.empty() ? "" : "\n" + text;
}

std::string comparison_table(const ComparisonResult& result) {
    const ComparisonPlan& plan = result.plan;
    std::vector<ComparisonColumn> columns = comparison_columns(plan);
    std::erase_if(columns, [](const ComparisonColumn& column) { return !column.text; });
    std::vector<TextRow> rows = {TextRow{"", "method"}};
    for (const ComparisonColumn& column : columns) rows[0].push_back(column.heading);
    for (size_t i = 0; i < plan.specs.size(); ++i) {
        TextRow& row =
            rows.emplace_back(TextRow{pane_name(int(i)), is_outside(plan.specs[i]) ? full_spec_text(plan.specs[i])
                                                                                   : shown_spec_text(plan.specs[i])});
        const bool is_reference = plan.pane(int(i)).against.tells == Against::Tells::nothing;
        for (const ComparisonColumn& column : columns) {
            const Json value = column.value(result.figures[i]);
            row.push_back(is_reference && column.of_reference ? column.of_reference
                          : value.is_null()                   ? "–"
                                                              : column.text(value.get<double>()));
        }
    }
    add_map_columns(rows, result);
    return fmt::format("image      {}, {}\noutput     {}×{}, {}\nreference  {}\ndevice     {} ({})\n\n{}",
                       words_of_source(plan.source), size_words(plan), plan.request.width, plan.request.height,
                       view_words(plan), reference_words(plan), result.backend.device, name_of(result.backend.kind),
                       aligned(rows, 2)) +
           hint(plan) + remarks(result);
}

std::string comparison_json(const ComparisonResult& result) {
    const ComparisonPlan& plan = result.plan;
    const View& view = plan.request.view;
    Json json = {{"image", plan.source},
                 {"width", plan.request.width},
                 {"height", plan.request.height},
                 {"view",
                  {{"translate_x", view.translate_x},
                   {"translate_y", view.translate_y},
                   {"scale", view.scale},
                   {"rotate", view.rotate}}},
                 {"outside", name_of(plan.request.outside)},
                 {"antialias", plan.request.antialias},
                 {"linear_light", plan.light == Light::linear}};
    if (const auto& s = plan.selection) json["selection"] = {s->x0, s->y0, s->x1, s->y1};
    json["reference"] = reference_text(plan.reference);
    json["backend"] = name_of(result.backend.kind);
    json["device"] = result.backend.device;
    json["panes"] = Json::array();
    for (size_t i = 0; i < plan.specs.size(); ++i) {
        Json pane;
        pane["spec"] = full_spec_text(plan.specs[i]);
        for (const ComparisonColumn& column : comparison_columns(plan))
            if (std::string_view(column.key) != "map" || (plan.difference && is_map(plan.difference->kind)))
                pane[column.key] = column.value(result.figures[i]);
        json["panes"].push_back(std::move(pane));
    }
    return json_text(json, 2) + "\n";
}

Image map_image(const ComparisonResult& result, size_t pane) {
    const RenderRequest& request = result.plan.request;
    Image image(request.width, request.height, 1, SampleType::f32);
    std::copy(result.figures[pane].numbers.begin(), result.figures[pane].numbers.end(), image.row_as<float>(0));
    return image;
}

SheetText sheet_text(const ComparisonResult& result) {
    Document document;
    document.source = words_of_source(result.plan.source);
    return {fmt::format("{} · {}", document.title(), view_words(result.plan)),
            (result.plan.tells_likeness() ? "Likeness to " : "Figures against ") + reference_words(result.plan),
            result.backend.device};
}

}  // namespace texelscope
