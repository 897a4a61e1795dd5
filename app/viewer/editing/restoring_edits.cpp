#include "app/viewer/editing/restoring_edits.h"

#include <algorithm>
#include <cmath>

#include "app/state/pane_images.h"
#include "app/state/shrunk_source.h"

namespace texelscope {
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

const Document* restored_document(const AppState& state) {
    if (state.scene.panes.empty()) return nullptr;
    const Document* shown = document_of(state, state.scene.pane());
    if (!shown) return nullptr;
    if (const auto shrunk = parse_shrunk_source(shown->source))
        if (const Document* original = document_named(state, shrunk->original)) return original;
    return shown;
}

void ask_which_is_best(AppState& state) {
    state.ui.dialogs.open(Dialog::restoring);
    state.ui.restoring.row = 0;
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
    const PixelRect& picture = state.report.frame.picture;
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
    scene.selection.reset();
}

}  // namespace texelscope
