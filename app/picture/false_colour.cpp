#include "app/picture/false_colour.h"

#include <cmath>
#include <limits>

#include "app/picture/pane_picture.h"
#include "app/state/pane_images.h"

namespace texelscope {
namespace {

double before_curve(ToneCurve curve, double v) {
    switch (curve) {
        case ToneCurve::none: break;
        case ToneCurve::reinhard: return v < 1 ? v / (1 - v) : std::numeric_limits<double>::infinity();
        case ToneCurve::aces: {  // v · (x (2.43 x + 0.59) + 0.14) = x (2.51 x + 0.03)
            const double a = 2.51 - 2.43 * v, b = 0.03 - 0.59 * v, c = -0.14 * v;
            return (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a);
        }
    }
    return v;
}

}  // namespace

bool shows_single_channel(const AppState& state, int pane) {
    const DisplaySettings& display = state.scene.display;
    const auto image = image_of(state, pane);
    if (!image) return false;
    const bool alpha = image->alpha() != Alpha::none;
    if (image->channels() == 2 && !alpha && display.complex != ComplexView::parts)
        return display.complex == ComplexView::magnitude;
    if (display.channel == ChannelView::alpha) return alpha;
    return display.channel != ChannelView::all || image->channels() - (alpha ? 1 : 0) == 1;
}

bool shows_polar(const AppState& state, int pane) {
    const auto image = image_of(state, pane);
    return image && image->channels() == 2 && image->alpha() == Alpha::none && !shows_difference(state, pane) &&
           state.scene.display.complex == ComplexView::polar;
}

bool shows_false_colour(const AppState& state, int pane) {
    return state.scene.display.map != ColourMap::channels && !shows_difference(state, pane) &&
           shows_single_channel(state, pane);
}

double value_shown_at(const DisplaySettings& s, double part) {
    const double toned = std::pow(s.invert ? 1 - part : part, double(s.gamma));
    const double exposed = before_curve(s.curve, toned) / std::exp2(double(s.exposure));
    return double(s.black) + (double(s.white) - double(s.black)) * exposed;
}

}  // namespace texelscope
