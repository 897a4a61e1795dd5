#include "app/viewer/loop/long_work.h"

#include <algorithm>
#include <vector>

namespace texelscope {
namespace {

// What a picture costs, roughly: a frame too many that says "computing" is cheap.
double fetches_of(const Rendition& rendition, bool references_beside) {
    const bool by_windows = rendition.image && !rendition.image->in_memory() && !rendition.formula;
    if (rendition.float64 && (references_beside || by_windows)) return 0;
    constexpr double beside_taps = 4, slower_in_float64 = 25;  // its position and colour; no vector instructions
    const RenderRequest& request = rendition.request;
    const double taps = request.spec.method ? 2.0 * request.spec.method->taps : 1;
    return double(request.width) * request.height * (taps + beside_taps) * (rendition.float64 ? slower_in_float64 : 1);
}

bool only_moves(const PanePicture& a, const PanePicture& b) {
    return a.shown.image == b.shown.image && a.shown.request.spec == b.shown.request.spec &&
           a.against.has_value() == b.against.has_value() && a.difference == b.difference;
}

std::vector<const PlacedPicture*> panes_of(const FramePlan& plan) {
    std::vector<const PlacedPicture*> panes;
    for (const PlacedPicture& item : plan.pictures)
        if (item.pane != PlacedPicture::minimap) panes.push_back(&item);
    return panes;
}

bool only_moves(const FramePlan& a, const FramePlan& b) {
    const auto before = panes_of(a), after = panes_of(b);
    return std::equal(before.begin(), before.end(), after.begin(), after.end(), [](const auto* x, const auto* y) {
        return x->pane == y->pane && only_moves(x->picture, y->picture);
    });
}

}  // namespace

double LongWork::fetches(const FramePlan& plan) const {
    double sum = 0;
    for (const PlacedPicture& item : plan.pictures) {
        sum += fetches_of(item.picture.shown, references_beside_);
        if (item.picture.against) sum += fetches_of(*item.picture.against, references_beside_);
    }
    return sum;
}

bool LongWork::expects(const FramePlan& plan) const {
    return fetches(plan) * ms_per_fetch_ > long_ms && !only_moves(last_, plan);
}

void LongWork::took(const FramePlan& plan, double ms) {
    if (const double all = fetches(plan); all > 0) ms_per_fetch_ = ms / all;
    last_ = plan;
}

}  // namespace texelscope
