#include "app/picture/pane_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "app/text/glossary.h"
#include "gpu/core/colour.h"

namespace texelscope {
namespace {

constexpr const char* formula_words = "Formula, in float64";

// Than the one that the pane shows.
bool of_another_size(const Scene& scene, int pane, const Document& document) {
    const auto image = image_of(scene, pane);
    return image && document.image &&
           (image->width() != document.image->width() || image->height() != document.image->height());
}

// While Shift is held over the pane.
bool shows_formula(const AppState& state, int pane) {
    return state.scene.reference.kind == Reference::Kind::truth && shows_reference(state, pane) &&
           compared_with(state.scene, pane) == Pane::reference_pane;
}

}  // namespace

// Without settings that have no effect: the path if weights come from a table, the prefilter on a smaller image.
std::string shown_words(const AppState& state, std::optional<int> pane) {
    const int index = pane.value_or(focused_pane(state));
    if (shows_formula(state, index)) return formula_words;
    const MethodSpec spec = shown_spec(state, pane);
    const ReadPlan reading = shown_reading(state, pane);
    std::string text = reading.widened() && !reading.prefiltered ? std::string(spec.method->name)
                                                                 : full_words(spec, !reading.widened());
    if (reading.widened()) text += reading.level == Level{} ? " · antialiased" : " · antialiased by a pyramid";
    if (state.scene.light_of(index) == Light::linear) text += " · linear light";
    if (const Warp warp = acting_warp(state, pane); warp.kind != Warp::Kind::none) text += " · " + words(warp);
    return text;
}

std::string reference_name(const Scene& scene, int pane) {
    if (const int other = compared_with(scene, pane); other != Pane::reference_pane) return pane_name(other);
    const Reference& reference = scene.reference;
    if (reference.kind == Reference::Kind::method && reference.spec.method) return name_in_text(*reference.spec.method);
    if (reference.kind == Reference::Kind::truth) return "the formula";
    if (reference.kind != Reference::Kind::image) return "its exact result";
    const Document* document = document_named(scene, reference.source);
    if (!document) return "an image that is not open";
    // With more samples of the same field, it is what the image was before it was shrunk.
    const auto image = image_of(scene, pane), other = document->image;
    const bool larger = image && other && other->width() > image->width() && other->height() >= image->height();
    return larger ? "the original" : document->title();
}

namespace {

std::string words_of_reference(const Scene& scene, int pane) {
    const Reference& reference = scene.reference;
    switch (reference.kind) {
        case Reference::Kind::own: return "each pane's own method, exact, in float64";
        case Reference::Kind::method:
            return reference.spec.method ? fmt::format("{}, exact, in float64", name_in_text(*reference.spec.method))
                                         : "";
        case Reference::Kind::image:
            if (const Document* document = document_named(scene, reference.source)) {
                if (!of_another_size(scene, pane, *document))
                    return fmt::format("{}, interpolated the same way in float64", document->title());
                const bool original = reference_name(scene, pane) != document->title();
                return fmt::format("{}{}, over the same field, read by the cubic B-spline in float64",
                                   original ? "the original, " : "", document->title());
            }
            return "an image that is not open";
        case Reference::Kind::truth: return "the formula that the picture is made by, in float64";
    }
    return "";
}

}  // namespace

std::string reference_words(const AppState& state, int pane) {
    const int other = compared_with(state.scene, pane);
    return other == Pane::reference_pane ? words_of_reference(state.scene, pane)
                                         : fmt::format("pane {}: {}", pane_name(other), pane_label(state, other));
}

std::string difference_meaning(const AppState& state, int pane) {
    const std::string reference = reference_words(state, pane);
    const DifferenceKind kind = state.scene.difference.kind;
    if (is_map(kind))
        return fmt::format("The value here of the map that the pane shows, {}, of the picture against {}. {}",
                           row_of(kind).formula, reference, row_of(kind).meaning);
    const auto image = image_of(state.scene, pane);
    return fmt::format("The difference that the pane shows here: a is its picture's value, r that of {}.{}", reference,
                       !image || image->alpha() == Alpha::none ? "" : " Colours are multiplied by alpha.");
}

std::string scene_reference_words(const Scene& scene) { return words_of_reference(scene, scene.active); }

std::string reference_label(const AppState& state, int pane) {
    if (const std::string why = why_no_reference(state, pane); !why.empty()) return "no reference: " + why;
    if (const int other = compared_with(state.scene, pane); other != Pane::reference_pane)
        return fmt::format("pane {} · {}", pane_name(other), pane_label(state, other));
    const Reference& reference = state.scene.reference;
    if (reference.kind == Reference::Kind::truth) return "reference · the formula";
    if (const Document* document = document_named(state.scene, reference.source);
        document && reference.kind == Reference::Kind::image)
        return fmt::format("reference · {}", document->title());
    return fmt::format("reference · {}, exact", reference_spec(state.scene, pane).method->name);
}

namespace {

// Settings of a pane, each with the mark before it; empty where one has no effect.
struct PaneSettings {
    std::string prefilter, path;
    bool antialiased = false;
};
PaneSettings settings_of(const AppState& state, int pane) {
    const MethodSpec spec = shown_spec(state, pane);
    const ReadPlan reading = shown_reading(state, pane);
    PaneSettings settings;
    settings.antialiased = reading.widened();
    if (!reading.widened() || reading.prefiltered)
        settings.prefilter = full_words(spec, false).substr(spec.method->name.size() + parameter_words(spec).size());
    if (!reading.widened()) settings.path = fmt::format(" · {}", name_of(spec.path));
    return settings;
}

std::vector<PaneSettings> settings_of_all(const AppState& state) {
    std::vector<PaneSettings> all;
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane) all.push_back(settings_of(state, pane));
    return all;
}

// Whether two panes have different ones; where one has no effect, it tells nothing apart.
bool differ(const std::vector<PaneSettings>& all, std::string PaneSettings::*setting) {
    const std::string* known = nullptr;
    for (const PaneSettings& one : all) {
        if ((one.*setting).empty()) continue;
        if (known && *known != one.*setting) return true;
        known = &(one.*setting);
    }
    return false;
}

// Only in view: others have no place, and so no scale.
bool differ_in_antialiasing(const AppState& state, const std::vector<PaneSettings>& all) {
    const std::vector<int> panes = panes_in_view(state.scene);
    return std::any_of(panes.begin(), panes.end(), [&](int pane) {
        return all[size_t(pane)].antialiased != all[size_t(panes.front())].antialiased;
    });
}

bool differ_in_light(const Scene& scene) {
    const std::vector<int> panes = panes_in_view(scene);
    return std::ranges::any_of(panes, [&](int pane) { return scene.light_of(pane) != scene.light_of(panes.front()); });
}

// What a pane shows in words, with the settings that matter: those that are not the default, or that tell panes apart.
std::string words_that_matter(const AppState& state, int pane, const std::vector<PaneSettings>& all) {
    if (shows_formula(state, pane)) return formula_words;
    const MethodSpec spec = shown_spec(state, pane), usual = default_spec(*spec.method);
    std::string text = std::string(spec.method->name) + parameter_words(spec);
    const PaneSettings& settings = all[size_t(pane)];
    if (!(spec.prefilter == usual.prefilter) || differ(all, &PaneSettings::prefilter)) text += settings.prefilter;
    if (spec.path != usual.path || differ(all, &PaneSettings::path)) text += settings.path;
    if (settings.antialiased && (state.scene.panes[size_t(pane)].antialias || differ_in_antialiasing(state, all)))
        text += " · antialiased";
    if (const Light light = state.scene.light_of(pane); light == Light::linear) text += " · linear light";
    else if (differ_in_light(state.scene)) text += " · stored values";
    if (const Warp warp = acting_warp(state, pane); warp.kind != Warp::Kind::none) text += " · " + words(warp);
    return text;
}

bool shows_several_images(const Scene& scene) {
    return std::any_of(scene.panes.begin(), scene.panes.end(), [&](const Pane& pane) {
        return !pane.source.empty() && scene.document() && pane.source != scene.document()->source;
    });
}

std::string label_among(const AppState& state, int pane, const std::vector<PaneSettings>& all) {
    const Pane& which = state.scene.panes[size_t(pane)];
    std::string text = which.label.empty() ? words_that_matter(state, pane, all) : which.label;
    if (!shows_several_images(state.scene)) return text;
    const Document* document = document_of(state.scene, which);
    return document ? document->title() + " · " + text : text;
}

}  // namespace

std::string pane_label(const AppState& state, int pane) { return label_among(state, pane, settings_of_all(state)); }

std::string short_label(const AppState& state, int pane) {
    const Pane& which = state.scene.panes[size_t(pane)];
    const std::string name = which.label.empty() ? std::string(shown_spec(state, pane).method->name) : which.label;
    if (shows_reference(state, pane)) return reference_label(state, pane);
    return shows_difference(state, pane) && why_no_difference(state, pane).empty() ? "difference · " + name : name;
}

namespace {

std::vector<std::string> parts_of(const std::string& label) {
    constexpr std::string_view between = " · ";
    std::vector<std::string> parts;
    for (size_t from = 0;;) {
        const size_t to = label.find(between, from);
        parts.push_back(label.substr(from, to == label.npos ? to : to - from));
        if (to == label.npos) return parts;
        from = to + between.size();
    }
}

// The parts of the label that at least one other pane does not have; empty if there is no other.
std::string distinct_label(const AppState& state, int pane, const std::vector<PaneSettings>& all) {
    std::vector<std::vector<std::string>> others;
    for (int other = 0; other < int(state.scene.panes.size()); ++other)
        if (other != pane) others.push_back(parts_of(label_among(state, other, all)));
    std::string text;
    for (const std::string& part : parts_of(label_among(state, pane, all))) {
        const auto has = [&](const std::vector<std::string>& parts) {
            return std::find(parts.begin(), parts.end(), part) != parts.end();
        };
        if (!std::all_of(others.begin(), others.end(), has)) text += (text.empty() ? "" : " · ") + part;
    }
    return text;
}

}  // namespace

std::vector<std::string> pane_labels(const AppState& state, int pane) {
    const std::vector<PaneSettings> all = settings_of_all(state);
    std::vector<std::string> labels = {label_among(state, pane, all)};
    const Pane& which = state.scene.panes[size_t(pane)];
    if (const std::string distinct = distinct_label(state, pane, all); !distinct.empty()) labels.push_back(distinct);
    if (const Document* document = document_of(state.scene, which); document && shows_several_images(state.scene))
        labels.insert(labels.begin() + 1, document->title() + " · " + short_label(state, pane));
    labels.push_back(short_label(state, pane));
    return labels;
}

}  // namespace texelscope
