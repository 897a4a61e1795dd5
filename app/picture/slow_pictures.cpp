#include "app/picture/slow_pictures.h"

#include <algorithm>
#include <utility>

#include "gpu/core/parallel.h"
#include "gpu/core/stop_watch.h"
#include "gpu/core/thread_time.h"

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

SlowPictures::Entry* SlowPictures::entry_of(const PanePicture& picture) const {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.picture == picture; });
    return found == entries_.end() ? nullptr : &*found;
}

double SlowPictures::cost(const PanePicture& picture, SourceCache& sources) const try {
    const bool in_float64 = picture.shown.float64 || (picture.against && picture.against->float64);
    if (in_float64 || find(picture)) return 0;
    return cost_of(picture.shown, sources) + (picture.against ? cost_of(*picture.against, sources) : 0);
} catch (const std::exception&) {  // said by whoever renders it
    return 0;
}

bool SlowPictures::ready(const PanePicture& picture) {
    if (Entry* entry = entry_of(picture)) return entry->asked = true;
    if (std::find(wanted_.begin(), wanted_.end(), picture) == wanted_.end()) wanted_.push_back(picture);
    return false;
}

const SlowPictures::Rendered* SlowPictures::find(const PanePicture& picture) const {
    const Entry* entry = entry_of(picture);
    return entry && entry->rendered.pixels ? &entry->rendered : nullptr;
}

SlowPictures::Rendered SlowPictures::rendered(const Question& question) {
    const StopWatch watch;
    PaneRenderer panes(*question.sources);
    auto pixels = std::make_shared<const Image>(panes.render_to_rgba8(question.picture));
    return {std::move(pixels), watch.ms(), question.sources->backend()->last_kernel()};
}

SlowPictures::Rendered SlowPictures::answer(const Question& question, const std::stop_token& stop) {
    const StoppableLoops stoppable(stop);
    return rendered(question);
}

void SlowPictures::begin(SourceCache& sources) {
    std::erase_if(entries_, [](Entry& entry) { return !std::exchange(entry.asked, false); });
    const std::vector<PanePicture> wanted = std::exchange(wanted_, {});
    const Question* now = work_.question();
    if (now && std::find(wanted.begin(), wanted.end(), now->picture) != wanted.end()) return;
    work_.drop();
    if (wanted.empty()) return;
    try {
        work_.ask({wanted.front(), sources_beside(wanted.front(), sources)}, answer);
    } catch (const std::exception&) {
        entries_.push_back({wanted.front(), {}});
    }
}

void SlowPictures::follow() {
    if (auto result = work_.take())
        entries_.push_back({std::move(result->question.picture), result->answer.value_or(Rendered{})});
}

void SlowPictures::render_early(const PanePicture& picture, const std::shared_ptr<SourceCache>& sources) try {
    early_.drop();
    if (picture.against || cost_of(picture.shown, *sources) == 0) return;
    const SourceImage& source = sources->at(picture.shown.image, picture.shown.light);
    if (source.unprepared(source.plan(picture.shown.request)) > 0) return;
    early_.ask({picture, sources}, [](const Question& question, const std::stop_token& stop) {
        const double before = thread_ms();
        Rendered early = answer(question, stop);
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
    entries_.push_back({std::move(picture), std::move(*result->answer)});
}

}  // namespace texelscope
