#pragma once
// Whether what pictures and plots read is there. On a CPU, the coefficients and the smaller images of a large picture,
// references in float64, and pictures that shrink a very large one take longer than a frame: they are made beside the
// window, which shows something else until then.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/picture/reference_values.h"
#include "app/picture/rendition.h"
#include "app/picture/slow_pictures.h"
#include "app/picture/source_preparer.h"
#include "app/work/demand.h"
#include "app/work/worker.h"

namespace texelscope {

// The request by a method that reads the samples of the same level: in place of one whose coefficients are not there.
RenderRequest without_prefilter(RenderRequest request);

class PreparedSources : public Worker {
public:
    explicit PreparedSources(SourceCache& sources) : sources_(sources) {}
    PreparedSources(const PreparedSources&) = delete;
    PreparedSources& operator=(const PreparedSources&) = delete;

    // From now on, what takes longer than a frame is made in the background, and `wake` is called when it is there.
    // Without this everything counts as ready, and is made where it is read; so it is on a GPU.
    void make_beside(const std::function<void()>& wake);
    bool makes_beside() const { return made_.has_value(); }

    // Values in float64 that are computed in the background; null where nothing is.
    ReferenceValues* references() { return references_ ? &*references_ : nullptr; }

    // Pictures that are rendered in the background; null where none is.
    SlowPictures* slow_pictures() { return slow_ ? &*slow_ : nullptr; }

    // False while the rendition has to wait; then what it reads is made next, unless it is not `wanted` for long. What
    // could not be made counts as ready: whoever reads it gets the error.
    bool ready(const Rendition& rendition, bool wanted = true);

    // Once per frame, when all have asked: makes what was not ready, and ends what nobody asks for any more.
    void begin();

    bool follow() { return has_news() && take(); }
    bool poll(AppState& /*state*/) override { return follow(); }
    bool has_news() const {
        return sources_.has_news() || (made_ && (made_->has_news() || references_->has_news() || slow_->has_news()));
    }

private:
    using Source = std::shared_ptr<SourceImage>;
    using ReadTheSame = std::function<bool(const Rendition&, const Rendition&)>;

    bool is_there(const Rendition& rendition);
    bool take();
    void keep(const Rendition& of, Source source);
    bool read_the_same(const Rendition& a, const Rendition& b);

    SourceCache& sources_;
    std::optional<Demand<Rendition, Source, ReadTheSame>> made_;  // what is there has gone into the cache
    std::optional<ReferenceValues> references_;                   // with it
    std::optional<SlowPictures> slow_;                            // with it
};

}  // namespace texelscope
