#include "app/viewer/editing/pane_edits.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/view_edits.h"

namespace texelscope {
namespace {

int count(const Scene& scene) { return int(scene.panes.size()); }

// A copy of a pane, compared with what that is compared with.
Pane copy_of(const Scene& scene, int pane) {
    Pane copy = scene.panes[size_t(pane)];
    copy.label.clear();
    copy.difference = false;
    return copy;
}

// Whether two panes, side by side, would be the same picture twice.
bool show_the_same(const Pane& a, Pane b) {
    b.label = a.label;
    b.against = a.against;
    if (!b.spec.method->has_prefilter()) b.spec.prefilter = a.spec.prefilter;
    return a == b;
}

}  // namespace

MethodSpec contrasting_spec(const MethodSpec& spec) {
    const MethodInfo* other = find_method(spec.method->id == "nearest" ? "bspline" : "nearest");
    MethodSpec result = default_spec(other ? *other : *spec.method);
    result.address = spec.address;
    return result;
}

void flip_panes(Scene& scene, int step) {
    const int n = count(scene);
    const bool same =
        scene.arrangement == Arrangement::single && n == 2 && show_the_same(scene.panes[0], scene.panes[1]);
    const MethodSpec before = scene.spec();
    scene.active = (scene.active + step + n) % n;
    if (same) scene.spec() = contrasting_spec(before);
}

void follow_with_active_pane(AppState& state) {
    Scene& scene = state.scene;
    const Document *shown = document_of(scene, scene.pane()), *current = scene.document();
    if (scene.pane().source.empty() || !shown || !current) return;
    const std::string source = shown->source;
    if (shown != current) {
        auto& documents = scene.documents;
        const auto index = shown - documents.data();
        if (!scene.pane().own_view && scene.pane().offset == View{}) {
            const View view = pane_view(state, scene.active);  // nothing moves
            documents[size_t(index)].keep_fit = current->keep_fit;
            documents[size_t(index)].view = view;
        }
        for (Pane& pane : scene.panes) pane.source = document_of(scene, pane)->source;
        scene.current = int(index);
        scene.selection.reset();
        state.transition.reset();
    }
    for (Pane& pane : scene.panes)
        pane.source = document_of(scene, pane)->source == source ? "" : document_of(scene, pane)->source;
}

void add_pane(Scene& scene) {
    if (count(scene) >= max_panes) return;
    const MethodInfo* method = method_without_pane(scene);
    scene.panes.push_back(copy_of(scene, scene.active));
    scene.active = count(scene) - 1;
    if (method) choose_method(scene, *method);
    if (scene.arrangement == Arrangement::single)
        scene.arrangement = count(scene) == 2 ? Arrangement::columns : Arrangement::grid;
}

void remove_pane(Scene& scene, int pane) {
    if (count(scene) < 2 || pane < 0 || pane >= count(scene)) return;
    scene.panes.erase(scene.panes.begin() + pane);
    for (Pane& each : scene.panes) {
        if (each.against == pane) each.against = Pane::reference_pane;
        if (each.against > pane) --each.against;
    }
    if (scene.active >= pane && scene.active > 0) --scene.active;
    if (count(scene) == 1) scene.arrangement = Arrangement::single;
}

void keep_only(Scene& scene, int pane) {
    Pane kept = scene.panes[size_t(pane)];
    kept.against = Pane::reference_pane;
    scene.panes = {std::move(kept)};
    scene.active = 0;
    scene.arrangement = Arrangement::single;
}

void arrange(Scene& scene, Arrangement arrangement) {
    if (arrangement != Arrangement::single && count(scene) == 1) {
        const int active = scene.active;
        scene.panes.push_back(copy_of(scene, active));
    }
    const bool side_by_side = scene.arrangement == Arrangement::single && arrangement != Arrangement::single;
    if (side_by_side && count(scene) == 2 && show_the_same(scene.panes[0], scene.panes[1]))
        scene.panes[size_t(1 - scene.active)].spec = contrasting_spec(scene.spec());
    scene.arrangement = arrangement;
}

void cycle_arrangement(Scene& scene) {
    Arrangement next = next_in(all_arrangements, scene.arrangement);
    // Two panes in a grid are side by side: that would look as if nothing had happened.
    if (next == Arrangement::grid && count(scene) <= 2) next = next_in(all_arrangements, next);
    arrange(scene, next);
}

void show_two_by_two(Scene& scene) {
    const int active = scene.active;
    while (count(scene) < 4) scene.panes.push_back(copy_of(scene, active));
    scene.panes.resize(4);
    for (Pane& pane : scene.panes)
        if (pane.against >= 4) pane.against = Pane::reference_pane;
    scene.active = std::min(active, 3);
    scene.arrangement = Arrangement::grid;
}

void show_two(Scene& scene) {
    const int other = std::max(scene.active, 1);
    for (int pane = count(scene) - 1; pane > 0; --pane)
        if (pane != other) remove_pane(scene, pane);
    arrange(scene, Arrangement::columns);
}

bool any_difference(const Scene& scene) {
    const auto& panes = scene.panes;
    return std::any_of(panes.begin(), panes.end(), [](const Pane& pane) { return pane.difference; });
}

void choose_difference_kind(Scene& scene, DifferenceKind kind) {
    DifferenceSettings& difference = scene.difference;
    const bool other = is_map(kind) != is_map(difference.kind) ||
                       (kind == DifferenceKind::delta_e) != (difference.kind == DifferenceKind::delta_e);
    const float per_degree = difference.pixels_per_degree;
    if (other && (is_map(kind) || is_map(difference.kind))) difference = usual_difference(kind);
    difference.kind = kind;
    difference.pixels_per_degree = per_degree;
}

void toggle_differences(AppState& state) {
    const bool on = !any_difference(state.scene);
    for (Pane& pane : state.scene.panes) pane.difference = on;
    if (!on || !state.scene.document()) return;
    std::string why = "every pane is the reference itself";
    for (const int pane : panes_in_view(state.scene)) {
        if (!shows_difference(state, pane)) continue;
        why = why_no_difference(state, pane);
        if (why.empty()) return;
    }
    post_about(state, Message::Level::info, "reference",
               fmt::format("No difference to show: {} (Compare ▸ Reference)", why),
               [](const AppState& then) { return any_difference(then.scene); });
}

void toggle_difference(Scene& scene, int pane) {
    bool& difference = scene.panes[size_t(pane)].difference;
    difference = !difference;
}

void choose_reference(Scene& scene, UiState& ui, Reference reference) {
    scene.reference = std::move(reference);
    for (Pane& pane : scene.panes) pane.against = Pane::reference_pane;
    ui.figures = true;
}

void measure_against_pane(Scene& scene, UiState& ui, int pane) {
    choose_reference(scene, ui, {Reference::Kind::method, scene.panes[size_t(pane)].spec, {}});
}

void toggle_link(AppState& state) {
    if (state.scene.pane().own_view) link_view(state.scene, state.scene.active);
    else unlink_view(state, state.scene.active);
}

namespace {

void show(Scene& scene, std::vector<Pane> panes, Arrangement arrangement) {
    scene.panes = std::move(panes);
    scene.active = 0;
    scene.arrangement = arrangement;
}

// A preset that needs another reference says so: figures must not change their meaning silently.
void measure_against(AppState& state, const Reference& reference) {
    if (state.scene.reference == reference) return;
    choose_reference(state.scene, state.ui, reference);
    post_about(state, Message::Level::info, "reference",
               fmt::format("Figures are now against {} (Compare ▸ Reference)", scene_reference_words(state.scene)),
               [reference](const AppState& then) { return then.scene.reference == reference; });
}

// Methods against themselves would differ by nothing but rounding; and an image that is the one shown, or that shows
// something else, would leave the panes without figures.
void measure_methods(AppState& state) {
    const auto has_figure = [&](int pane) {
        return against_of(state, pane).tells != Against::Tells::nothing && why_no_reference(state, pane).empty();
    };
    bool any = false;
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane) any = any || has_figure(pane);
    if (state.scene.reference.kind == Reference::Kind::own || !any) measure_against(state, default_reference());
}

Pane plain_pane(const Scene& scene, const MethodSpec& spec) {
    Pane pane{spec};
    pane.source = scene.pane().source;
    return pane;
}

const MethodInfo& method_or_present(const Scene& scene, std::string_view id) {
    const MethodInfo* method = find_method(id);
    return method ? *method : *scene.spec().method;
}

// The method of the active pane, or the cubic B-spline if that method has no prefilter.
MethodSpec prefiltered_spec(const Scene& scene) {
    if (scene.spec().method->has_prefilter()) return scene.spec();
    MethodSpec spec = default_spec(method_or_present(scene, "bspline"));
    spec.address = scene.spec().address;
    return spec;
}

// Says that some have no pane.
void all_methods_preset(AppState& state) {
    std::vector<Pane> panes;
    for (const MethodInfo* method : all_methods()) {
        if (int(panes.size()) == max_panes) break;
        MethodSpec spec = default_spec(*method);
        spec.address = state.scene.spec().address;
        panes.push_back(plain_pane(state.scene, spec));
    }
    show(state.scene, std::move(panes), Arrangement::grid);
    measure_methods(state);
    const size_t shown = state.scene.panes.size(), all = all_methods().size();
    if (shown < all)
        post_about(
            state, Message::Level::info, "panes",
            fmt::format("{} of {} methods, as many as there are panes; the list of methods has the others", shown, all),
            [shown](const AppState& then) { return then.scene.panes.size() == shown; });
}

void usual_methods_preset(AppState& state) {
    std::vector<Pane> panes;
    for (const std::string_view id : four_methods)
        if (const MethodInfo* method = find_method(id)) {
            MethodSpec spec = default_spec(*method);
            spec.address = state.scene.spec().address;
            panes.push_back(plain_pane(state.scene, spec));
        }
    show(state.scene, std::move(panes), Arrangement::grid);
    measure_methods(state);
}

void show_recipes(AppState& state, std::initializer_list<std::string_view> texts) {
    std::vector<Pane> panes;
    for (const std::string_view text : texts) panes.push_back(plain_pane(state.scene, parse_spec(text)));
    show(state.scene, std::move(panes), Arrangement::grid);
}

void five_bicubics_preset(AppState& state) {
    show_recipes(state, {"like:pillow/bicubic", "like:opencv/cubic", "like:torch/bicubic",
                         "like:torch/bicubic:antialias=true", "like:imagemagick/catrom"});
}

void five_ways_to_halve_preset(AppState& state) {
    show_recipes(state, {"like:opencv/nearest", "like:opencv/linear", "like:opencv/area", "like:pillow/bilinear",
                         "like:pillow/lanczos"});
}

void five_corners_preset(AppState& state) {
    show_recipes(state, {"like:torch/bilinear", "like:torch/bilinear:align_corners=true",
                         "like:onnx/resize:mode=linear,coordinate_transformation_mode=asymmetric", "like:opencv/linear",
                         "like:scipy/zoom"});
}

void paths_preset(AppState& state) {
    std::vector<Pane> panes;
    for (FetchPath path : {FetchPath::global, FetchPath::lookup, FetchPath::hardware}) {
        Pane pane = plain_pane(state.scene, state.scene.spec());
        pane.spec.path = path;
        pane.antialias = false;  // its weights come from a table, whatever the path
        if (pane.spec.effective_path() == path) panes.push_back(pane);
    }
    measure_against(state, {});
    show(state.scene, std::move(panes), Arrangement::columns);
}

// A pane for each value of a setting.
template <class Values, class Set>
void show_each(AppState& state, const MethodSpec& spec, Arrangement arrangement, const Values& values, Set set) {
    std::vector<Pane> panes;
    for (const auto& value : values) set(panes.emplace_back(plain_pane(state.scene, spec)), value);
    show(state.scene, std::move(panes), arrangement);
}

void prefilters_preset(AppState& state) {
    using Kind = Prefilter::Kind;
    measure_against(state, {});
    show_each(state, prefiltered_spec(state.scene), Arrangement::grid,
              std::array<Prefilter, 5>{{{Kind::none}, {Kind::fir, 7}, {Kind::fir, 11}, {Kind::fir, 15}, {Kind::iir}}},
              [](Pane& pane, const Prefilter& prefilter) { pane.spec.prefilter = prefilter; });
}

void addresses_preset(AppState& state) {
    state.scene.outside = Outside::extend;
    show_each(state, state.scene.spec(), Arrangement::grid, all_address_modes, [](Pane& pane, AddressMode mode) {
        pane.spec.address = with_modes(pane.spec.address, {mode, mode});
        pane.label = name_of(mode);
    });
}

void antialias_preset(AppState& state) {
    show_each(state, state.scene.spec(), Arrangement::columns, std::array{true, false}, [](Pane& pane, bool on) {
        pane.antialias = on;
        pane.label = on ? "antialiased" : "not antialiased";
    });
}

void light_preset(AppState& state) {
    show_each(state, state.scene.spec(), Arrangement::columns, std::array{Light::stored, Light::linear},
              [](Pane& pane, Light light) {
                  pane.light = light;
                  pane.label = light == Light::linear ? "linear light" : "stored values";
              });
}

// The current image and the one opened after it. Figures are against the current one, unless that may be a small copy of
// the other.
void images_preset(AppState& state) {
    Scene& scene = state.scene;
    const int next = (scene.current + 1) % int(scene.documents.size());
    Pane a = plain_pane(scene, scene.spec()), b = a;
    a.source = scene.document()->source;
    b.source = scene.documents[size_t(next)].source;
    show(scene, {a, b}, Arrangement::wipe);
    const auto shown = scene.document()->image, other = scene.documents[size_t(next)].image;
    const bool copy = shown && other && may_be_original(*other, *shown);
    const Reference before = std::exchange(scene.reference, {Reference::Kind::image, {}, copy ? b.source : a.source});
    const std::string why = why_no_reference(state, copy ? 0 : 1);
    const Reference wanted = std::exchange(scene.reference, before);
    if (why.empty()) measure_against(state, wanted);
    else
        post_about(state, Message::Level::info, "reference", fmt::format("No figures between the two images: {}", why));
}

bool two_images(const AppState& state) { return state.scene.documents.size() > 1 && state.scene.current >= 0; }

constexpr Preset presets[] = {
    {"four-methods", "Four methods", "Nearest, bilinear, Catmull–Rom and cubic B-spline, two by two.",
     usual_methods_preset, nullptr, true},
    {"all-methods", "All methods", "The first sixteen methods of the menu.", all_methods_preset, nullptr, true},
    {"five-bicubics", "Five bicubics",
     "Bicubic resizing as Pillow, OpenCV, PyTorch (without and with antialiasing) and ImageMagick do it.",
     five_bicubics_preset, nullptr},
    {"five-ways-to-halve", "Five ways to halve",
     "Shrinking by other libraries' nearest, linear, area, triangle and Lanczos filters.", five_ways_to_halve_preset,
     nullptr},
    {"five-corners", "Five corners", "Where libraries put the corners of a resized picture: look at the edges.",
     five_corners_preset, nullptr},
    {"paths", "Three paths",
     "The current method by linear memory, texture fetches and the texture unit's filter, measured against itself in "
     "float64.",
     paths_preset, nullptr},
    {"prefilters", "Prefilters",
     "None, FIR with 7, 11 and 15 taps, and exact; of the cubic B-spline if the method has none.", prefilters_preset,
     nullptr, true},
    {"addresses", "Address modes", "Clamp, border, wrap and both mirrors, extended beyond the edges.", addresses_preset,
     nullptr},
    {"antialias", "Antialiasing on and off", "They differ when the view zooms out.", antialias_preset, nullptr},
    {"light", "Stored values and linear light", "They differ where bright meets dark.", light_preset, nullptr},
    {"images", "Two images", "The current image and the one opened after it, with a divider between them.",
     images_preset, two_images},
};

}  // namespace

std::span<const Preset> all_presets() { return presets; }

}  // namespace texelscope
