#include "app/picture/slow_pictures.h"

#include <algorithm>
#include <utility>

#include "gpu/core/parallel.h"
#include "gpu/core/stop_watch.h"

namespace texelscope {
namespace {

// Without rotation each sample under the view is read once, along one axis after the other; otherwise all taps of each
// pixel are, of which four take as long as one of those.
double cost_of(const Rendition& rendition, SourceCache& sources) {
    if (!rendition.image->in_memory() || rendition.float64 || rendition.formula || !rendition.request.antialias)
        return 0;
    const SourceImage& source = sources.at(rendition.image, rendition.light);
    const Resampling planned = source.plan(rendition.request).resampling;
    if (!planned.reading.widened()) return 0;
    const double pixels = double(planned.width) * planned.height, channels = rendition.image->channels();
    const bool axis_aligned = planned.reading.positions.axis_aligned() && !planned.reading.local_stretch;
    const double samples = double(rendition.image->width()) * rendition.image->height();
    const double scale = std::max(rendition.request.view.scale, 1.0);
    if (axis_aligned && rendition.request.warp.kind == Warp::Kind::none)
        return channels * std::min(samples, pixels * scale * scale);
    const double taps = rendition.request.spec.method->taps;
    return channels * pixels * taps * taps * planned.reading.stretch_x * planned.reading.stretch_y / 4;
}

}  // namespace

double SlowPictures::affordable() { return 0.05e9 * thread_count(); }

double SlowPictures::cost(const PanePicture& picture, SourceCache& sources) const try {
    const bool in_float64 = picture.shown.float64 || (picture.against && picture.against->float64);
    if (in_float64 || find(picture)) return 0;
    return cost_of(picture.shown, sources) + (picture.against ? cost_of(*picture.against, sources) : 0);
} catch (const std::exception&) {  // said by whoever renders it
    return 0;
}

const SlowPictures::Rendered* SlowPictures::find(const PanePicture& picture) const {
    const auto* made = pictures_.find(picture);
    return made && made->value ? &*made->value : nullptr;
}

SlowPictures::Rendered SlowPictures::rendered(const Question& question, const std::stop_token& stop) {
    const StoppableLoops stoppable(stop);
    const StopWatch watch;
    PaneRenderer panes(*question.sources);
    auto pixels = std::make_shared<const Image>(panes.render_to_rgba8(question.picture));
    return {std::move(pixels), watch.ms()};
}

void SlowPictures::begin(SourceCache& sources) {
    pictures_.end_frame([&](const PanePicture& next) {
        return [question = Question{next, sources_beside(next, sources)}](const std::stop_token& stop) {
            return rendered(question, stop);
        };
    });
}

void SlowPictures::render_early(const PanePicture& picture, const std::shared_ptr<SourceCache>& sources) try {
    early_.drop();
    if (picture.against || cost_of(picture.shown, *sources) == 0) return;
    const SourceImage& source = sources->at(picture.shown.image, picture.shown.light);
    if (source.unprepared(source.plan(picture.shown.request)) > 0) return;
    early_.ask({picture, sources}, [](const Question& question, const std::stop_token& stop) {
        const double before = thread_ms();
        Rendered early = rendered(question, stop);
        early.ms = thread_ms() - before;  // without the time that it waited for rows
        return early;
    });
} catch (const std::exception&) {}  // said by whoever renders it in the window

void SlowPictures::take_early(const std::shared_ptr<const Image>& image) {
    auto result = early_.take();
    early_.drop();
    if (!image || !result || !result->answer) return;
    PanePicture& picture = result->question.picture;
    if (picture.shown.image->data() != image->data()) return;
    picture.shown.image = image;
    pictures_.put({std::move(picture), std::move(result->answer)});
}

}  // namespace texelscope
