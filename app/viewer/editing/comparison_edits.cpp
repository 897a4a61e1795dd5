#include "app/viewer/editing/comparison_edits.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "app/picture/comparison.h"
#include "app/picture/first_look.h"
#include "app/picture/pane_picture.h"
#include "app/state/messages.h"
#include "app/state/panes.h"
#include "app/state/scene.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/view_edits.h"

namespace texelscope {
namespace {

ReferenceChoice formula_choice(const Scene& scene) {
    const bool possible = has_formula(scene, scene.active);
    return {.id = "truth",
            .title = "The formula",
            .tooltip = possible
                           ? "The function that this test image samples, at the positions of the pane's pixels: the "
                             "truth. Above Nyquist nothing is measured; differences are hatched there."
                           : "Only for test images that are made by a formula, such as the zone plate.",
            .reference = {Reference::Kind::truth, {}, {}},
            .enabled = possible,
            .offered = possible};
}

ReferenceChoice own_choice() {
    return {.id = "own",
            .title = "Own method, exact",
            .tooltip =
                "Each pane's own method with exact weights and coefficients: only the arithmetic error that is "
                "left, no PSNR or SSIM, which would look like a verdict on the method.",
            .reference = {}};
}

ReferenceChoice method_choice(const MethodInfo& method) {
    return {.id = std::string(method.id),
            .title = std::string(method.name),
            .tooltip = "This method in float64, with exact weights and coefficients.",
            .reference = {Reference::Kind::method, default_spec(method), {}}};
}

// "4×", "2.5×"
std::string times_text(double times) { return fmt::format("{:.3g}×", times); }

ReferenceChoice image_choice(const Document& document, const Image* shown) {
    ReferenceChoice choice{.id = document.title(),
                           .title = document.title(),
                           .tooltip = "This image, interpolated by each pane's method.",
                           .reference = {Reference::Kind::image, {}, document.source}};
    if (!shown || !document.image || document.image.get() == shown) return choice;
    const double times = times_as_large(*document.image, *shown);
    choice.enabled = why_not_same_field(*shown, "", *document.image, "").empty();
    if (!choice.enabled) {
        choice.tooltip =
            "This image cannot show the same field: its sides have another ratio, or it has other channels.";
    } else if (times > 1) {
        choice.offered = true;
        choice.title = fmt::format("{}, {} larger, as the original", document.title(), times_text(times));
        choice.tooltip = "This image, over the same field: the truth if the picture was made from it by shrinking.";
    } else if (times < 1) {
        choice.tooltip = "This image, over the same field, magnified by the cubic B-spline.";
    }
    return choice;
}

bool is_chosen(const Reference& now, const Reference& choice) {
    return now.kind == choice.kind && (now.kind != Reference::Kind::method || now.spec.method == choice.spec.method) &&
           (now.kind != Reference::Kind::image || now.source == choice.source);
}

// Means of 16 × 16 areas, from a few samples each.
std::vector<double> thumbnail(const Image& image) {
    constexpr int areas = 16, samples = 6, across = areas * samples;
    std::vector<double> means(size_t(areas * areas));
    for (int j = 0; j < across; ++j)
        for (int i = 0; i < across; ++i) {
            const int x = int((i + 0.5) / across * image.width()), y = int((j + 0.5) / across * image.height());
            for (int c = 0; c < image.channels(); ++c)
                means[size_t(j / samples * areas + i / samples)] += double(image.value(x, y, c));
        }
    return means;
}

// Whether two images of the same shape could be one picture: the correlation of their thumbnails.
bool look_alike(const Image& a, const Image& b) {
    if (!a.in_memory() || !b.in_memory()) return false;  // too large to be looked at here
    constexpr double least = 0.95;
    const std::vector<double> p = thumbnail(a), q = thumbnail(b);
    double mean_p = 0, mean_q = 0, pp = 0, qq = 0, pq = 0;
    for (size_t i = 0; i < p.size(); ++i) mean_p += p[i] / double(p.size()), mean_q += q[i] / double(q.size());
    for (size_t i = 0; i < p.size(); ++i) {
        const double u = p[i] - mean_p, v = q[i] - mean_q;
        pp += u * u, qq += v * v, pq += u * v;
    }
    return pq > least * std::sqrt(pp * qq);
}

}  // namespace

bool may_be_original(const Image& larger, const Image& smaller) {
    return larger.width() > smaller.width() && why_not_same_field(smaller, "", larger, "").empty() &&
           look_alike(smaller, larger);
}

std::vector<ReferenceChoice> reference_choices(const Scene& scene) {
    std::vector<ReferenceChoice> choices = {own_choice(), formula_choice(scene)};
    for (const MethodInfo* method : all_methods()) choices.push_back(method_choice(*method));
    const auto shown = image_of(scene, scene.active);
    for (const Document& document : scene.documents) choices.push_back(image_choice(document, shown.get()));
    for (ReferenceChoice& choice : choices) choice.chosen = is_chosen(scene.reference, choice.reference);
    std::stable_partition(choices.begin(), choices.end(), [](const ReferenceChoice& choice) { return choice.offered; });
    return choices;
}

void measure_against_original(AppState& state, const std::string& original, const std::string& shown) {
    const auto at = std::find_if(state.scene.documents.begin(), state.scene.documents.end(),
                                 [&](const Document& document) { return document.source == shown; });
    if (at == state.scene.documents.end() || !document_named(state.scene, original)) {
        const std::string& closed = document_named(state.scene, original) ? shown : original;
        return post(state.messages, Message::Level::warning, fmt::format("{} is no longer open", closed));
    }
    if (state.scene.document() && state.scene.document()->source == original)
        state.tasks.push_back(task::ShowDocument{int(at - state.scene.documents.begin())});
    choose_reference(state.scene, state.ui, {Reference::Kind::image, {}, original});
}

namespace {

std::string offer_words(const Document& large, const Document& small) {
    return fmt::format("{} shows the same picture {:.3g} times as large. Measure {} against it?", large.title(),
                       times_as_large(*large.image, *small.image), small.title());
}

}  // namespace

void withdraw_offers(const Scene& scene, Messages& messages, const Document& closed) {
    if (!closed.image) return;
    for (const Document& other : scene.documents) {
        if (!other.image) continue;
        withdraw(messages, offer_words(closed, other));
        withdraw(messages, offer_words(other, closed));
    }
}

void offer_original(AppState& state, const Document& document) {
    if (!document.is_file() || !document.image || document.image->one_dimensional()) return;
    for (const Document& other : state.scene.documents) {
        if (!other.is_file() || !other.image || other.image->width() == document.image->width()) continue;
        const bool larger = other.image->width() > document.image->width();
        const Document &large = larger ? other : document, &small = larger ? document : other;
        if (!may_be_original(*large.image, *small.image)) continue;
        post_offer(
            state, offer_words(large, small), "Use it",
            [original = large.source, shown = small.source](AppState& s) {
                measure_against_original(s, original, shown);
            },
            [original = large.source, shown = small.source](const AppState& s) {  // it is so, or both are gone
                const Scene& scene = s.scene;
                const bool done = scene.reference == Reference{Reference::Kind::image, {}, original} ||
                                  std::ranges::any_of(scene.panes, [&](const Pane& pane) {
                                      return pane.source != original && original_source(pane.source) == original;
                                  });
                return done || std::ranges::none_of(panes_in_view(scene), [&](int pane) {
                           const Document* seen = document_of(scene, scene.panes[size_t(pane)]);
                           return seen && (seen->source == original || seen->source == shown);
                       });
            });
    }
}

namespace {

int index_of(const Scene& scene, const std::string& source) {
    const auto& documents = scene.documents;
    const auto at =
        std::find_if(documents.begin(), documents.end(), [&](const Document& d) { return d.source == source; });
    return at == documents.end() ? -1 : int(at - documents.begin());
}

// Twice as large as the original: single pixels can be told apart, and a part of the picture is still seen.
constexpr double zoom_of_best = 2;

// The gain whose colour scale takes nearly all of these errors: a power of two, its end at least four times the RMSE.
float gain_for(double rmse, float current) {
    if (!(rmse > 0) || !std::isfinite(rmse)) return current;
    return float(std::clamp(std::exp2(std::floor(-std::log2(4 * rmse))), 1.0, 16777216.0));
}

// The translation that shows this sample as near the middle of a pane as the picture's edge allows.
double off_centre(double sample, int samples, int pane_pixels) {
    const double half = std::max(0.0, samples / 2.0 - pane_pixels / zoom_of_best / 2);
    return std::clamp(sample - (samples - 1) / 2.0, -half, half);
}

}  // namespace

const Document* restored_document(const Scene& scene) {
    if (scene.panes.empty()) return nullptr;
    const Document* shown = document_of(scene, scene.pane());
    if (!shown) return nullptr;
    if (const auto result = result_in_pane(scene, *shown)) return result->original;
    const Document* original = document_named(scene, original_source(shown->source));
    return original ? original : shown;
}

std::optional<PaneResult> result_in_pane(const Scene& scene, const Document& document) {
    namespace fs = std::filesystem;
    const auto shows = [&](const Pane& pane) { return pane.source == document.source; };
    if (!document.is_file() || !document.image || std::none_of(scene.panes.begin(), scene.panes.end(), shows))
        return {};
    const auto is_reference = [&](const Document& d) {
        return scene.reference.kind == Reference::Kind::image && scene.reference.source == d.source;
    };
    if (is_reference(document)) return {};
    const fs::path path(document.source);
    const std::string file = path.filename().string(), own = path.stem().string();
    for (const Document& other : scene.documents) {
        const bool before = &other < &document || is_reference(other);
        const std::string stem = fs::path(other.source).stem().string();
        const bool named =
            own.starts_with(stem) && (own == stem || !std::isalnum(static_cast<unsigned char>(own[stem.size()])));
        if (!before || !other.is_file() || !other.image || other.source == document.source || !named) continue;
        if (other.image->width() != document.image->width() || other.image->height() != document.image->height())
            continue;
        std::string name = own.substr(stem.size());
        name.erase(0, name.find_first_not_of("-_. "));
        if (name.empty()) name = path.parent_path().filename().string();
        if (name.empty()) name = file;
        std::replace(name.begin(), name.end(), '=', '-');
        return PaneResult{&other, name, (path.parent_path() / ("{name}" + file.substr(stem.size()))).string()};
    }
    return {};
}

std::vector<const Document*> judged_documents(const Scene& scene) {
    std::vector<const Document*> judged;
    for (const Document& document : scene.documents)
        if (original_source(document.source) == document.source && !result_in_pane(scene, document))
            judged.push_back(&document);
    return judged;
}

std::optional<SampleRegion> restored_part(const Scene& scene, const RestoringUi& restoring) {
    const Document* document = restored_document(scene);
    const auto& selection = scene.selection;
    if (!restoring.choice.selection_only || !selection || !document || !document->image) return {};
    if (document != scene.document()) return {};  // the selection is one of the current image
    // Sample k covers k − ½ to k + ½.
    const auto first = [](double edge, int count) { return std::clamp(int(std::floor(edge + 0.5)), 0, count - 1); };
    const auto end = [](double edge, int count) { return std::clamp(int(std::ceil(edge + 0.5)), 1, count); };
    const int width = document->image->width(), height = document->image->height();
    const int x = first(selection->x0, width), y = first(selection->y0, height);
    return SampleRegion{x, y, std::max(end(selection->x1, width) - x, 1), std::max(end(selection->y1, height) - y, 1)};
}

void ask_which_is_best(AppState& state) {
    state.ui.dialogs.open(Dialog::restoring);
    state.ui.restoring.marked.reset();
    if (!state.report.background.running()) state.tasks.push_back(task::Restore{true});
}

void show_best(AppState& state, const BestPanes& best) {
    Scene& scene = state.scene;
    const int original = index_of(scene, best.original);
    if (original < 0) return;
    const int small = index_of(scene, best.small.source);
    if (small < 0) scene.documents.push_back(best.small);
    else scene.documents[size_t(small)].image = best.small.image;
    scene.current = original;
    const Image& image = *scene.document()->image;
    const PixelRect& picture = state.places.picture;
    scene.document()->view = {off_centre(best.centre.x, image.width(), picture.width / 2),
                              off_centre(best.centre.y, image.height(), picture.height / 2), 1 / zoom_of_best, 0};
    scene.document()->keep_fit = false;
    state.transition.reset();
    scene.panes.clear();
    for (const MethodSpec& spec : best.specs) {
        Pane pane{spec};
        pane.source = best.small.source;
        scene.panes.push_back(std::move(pane));
    }
    scene.active = 0;
    scene.arrangement = best.specs.size() > 1 ? Arrangement::grid : Arrangement::single;
    scene.reference = {Reference::Kind::image, {}, best.original};
    scene.difference.gain = gain_for(best.rmse, scene.difference.gain);
    scene.light = best.light;
    scene.warp = {};
    scene.selection = best.selection;
}

namespace {

// The samples of a pane's image that are in view, without any warp.
SampleRegion samples_in_view(const AppState& state, int pane, const Image& image) {
    const Extent output = output_extent(state, pane);
    const Affine positions = shown_affine(state, pane);
    double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (const double i : {0.0, output.width - 1.0})
        for (const double j : {0.0, output.height - 1.0}) {
            const Point p = apply(positions, i, j);
            x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
            y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
        }
    const auto whole = [](double at, int count) { return int(std::clamp(std::round(at), 0.0, count - 1.0)); };
    const int left = whole(x0, image.width()), top = whole(y0, image.height());
    return {left, top, whole(x1, image.width()) - left + 1, whole(y1, image.height()) - top + 1};
}

// Along an axis, the middles of views of so many samples that show nothing beyond the edges; none if there are fewer samples,
// all of which are shown then.
std::optional<std::pair<double, double>> middles(int count, double shown) {
    const double low = shown / 2 - 0.5, high = count - 0.5 - shown / 2;
    return low < high ? std::optional(std::pair(low, high)) : std::nullopt;
}

bool once(std::vector<std::string>& known, const std::string& source) {
    if (std::find(known.begin(), known.end(), source) != known.end()) return false;
    known.push_back(source);
    return true;
}

}  // namespace

bool looks_alike(const AppState& state, double least) {
    const int pane = state.scene.active;
    const PanePlace place = place_of(state, pane);
    return place.has_picture() && !place.signal() && place.target.zoom() < least;
}

void zoom_to_difference(AppState& state) {
    const int pane = state.scene.active;
    const PanePlace shown = place_of(state, pane);
    const auto& image = shown.image;
    const Extent output = shown.output();
    if (!shown.has_picture()) return;
    // A fitted picture is about to be fitted to its pane, which may have changed.
    const Document* document = state.scene.document();
    const bool whole = document && document->keep_fit && !state.scene.pane().own_view;
    const SampleRegion seen =
        whole ? SampleRegion{0, 0, image->width(), image->height()} : samples_in_view(state, pane, *image);
    const Point middle{double(seen.x) + (seen.width - 1) / 2.0, double(seen.y) + (seen.height - 1) / 2.0};
    // In the middle of the view, and so never at an edge.
    const auto across = middles(image->width(), output.width / closer_zoom),
               down = middles(image->height(), output.height / closer_zoom);
    const auto [x0, x1] = across.value_or(std::pair(-0.5, image->width() - 0.5));
    const auto [y0, y1] = down.value_or(std::pair(-0.5, image->height() - 0.5));
    const Point found = place_of_difference(*image, seen, Region{x0, y0, x1, y1}).value_or(middle);
    View view = shown.target;
    view.scale = 1 / closer_zoom;
    const View samples = about_samples({}, *image);
    const double x = across ? std::clamp(found.x, x0, x1) : (image->width() - 1) / 2.0,
                 y = down ? std::clamp(found.y, y0, y1) : (image->height() - 1) / 2.0;
    view.translate_x = x - (image->width() - 1) / 2.0 - samples.translate_x;
    view.translate_y = y - (image->height() - 1) / 2.0 - samples.translate_y;
    set_view(state, view);
}

void look_closer(AppState& state, bool by_itself, double least_offered) {
    update_views(state);  // a fitted picture has the size of its pane, of which there may be more by now
    const Document* document = state.scene.document();
    if (!document || !document->is_file() || state.lesson.lesson) return;
    const std::string source = document->source, title = document->title();
    const bool as_opened = document->keep_fit && !document->region && !state.scene.pane().own_view;
    const double least = as_opened ? std::max(least_telling_fit, least_offered) : least_offered;
    if (!looks_alike(state, least)) return;
    if (by_itself && as_opened && document->image && document->image->in_memory() &&
        once(state.looked_closer, source)) {
        zoom_to_difference(state);
        return post_about(
            state, Message::Level::info, "view",
            "Shown at 400 % where methods differ most; F fits the picture to the window, Ctrl+Z goes back",
            [](const AppState& then) {
                const Document* shown = then.scene.document();
                return shown && !shown->keep_fit;
            });
    }
    post_offer(
        state, fmt::format("{}: at this size, methods are hard to tell apart", title), "Zoom to 400 %",
        [](AppState& then) { zoom_to_difference(then); },
        [least, source](const AppState& then) {
            const Document* shown = then.scene.document();
            return !shown || shown->source != source || !looks_alike(then, least);
        });
}

void apply_preset(AppState& state, const Preset& preset) {
    preset.apply(state);
    if (preset.close_up) look_closer(state, true);
}

}  // namespace texelscope
