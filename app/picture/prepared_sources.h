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

namespace texelscope {

// The request by a method that reads the samples of the same level: in place of one whose coefficients are not there.
RenderRequest without_prefilter(RenderRequest request);

class PreparedSources {
public:
    explicit PreparedSources(SourceCache& sources) : sources_(sources) {}

    // From now on, what takes longer than a frame is made beside the window, and `wake` is called when it is there.
    // Without this everything counts as ready, and is made where it is read; so it is on a GPU.
    void make_beside(const std::function<void()>& wake);
    bool makes_beside() const { return preparer_.has_value(); }

    // Values in float64 that are computed beside the window; null where nothing is.
    ReferenceValues* references() { return references_ ? &*references_ : nullptr; }

    // Pictures that are rendered beside the window; null where none is.
    SlowPictures* slow_pictures() { return slow_ ? &*slow_ : nullptr; }

    // False while the rendition has to wait; then what it reads is made next, unless it is not `wanted` for long. What
    // could not be made counts as ready: whoever reads it gets the error.
    bool ready(const Rendition& rendition, bool wanted = true);

    // Once per frame, when all have asked: makes what was not ready, and ends what nobody asks for any more.
    void begin();

    // Once per turn of the loop. True if something has come.
    bool follow() { return has_news() && take(); }
    bool has_news() const {
        return sources_.has_news() ||
               (preparer_ && (preparer_->has_news() || references_->has_news() || slow_->has_news()));
    }

private:
    bool is_there(const Rendition& rendition);
    bool take();
    bool read_the_same(const Rendition& a, const Rendition& b);

    SourceCache& sources_;
    std::optional<SourcePreparer> preparer_;
    std::optional<ReferenceValues> references_;  // with it
    std::optional<SlowPictures> slow_;           // with it
    std::vector<Rendition> wanted_;              // in this frame
    std::vector<Rendition> making_;              // by the preparer
    std::vector<Rendition> answered_;            // made or impossible, as long as somebody asks
    std::vector<Rendition> asked_;               // in this frame, of those
};

}  // namespace texelscope
