#pragma once
// Pictures that a CPU renders for longer than a frame may take, rendered in the background: photographs of a hundred
// megapixels that are shrunk to it.

#include <functional>
#include <memory>

#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/work/demand.h"

namespace texelscope {

class SlowPictures {
public:
    struct Rendered {
        std::shared_ptr<const Image> pixels;  // RGBA8
        double ms = 0;
        ChosenKernel kernel = {};
    };

    explicit SlowPictures(const std::function<void()>& wake) : pictures_(wake), early_(wake) {}

    // About how many samples, each channel by itself, are multiplied and added; 0 for what is there, and for pictures with
    // values in float64 (see ReferenceValues).
    double cost(const PanePicture& picture, SourceCache& sources) const;

    // What all pictures of a frame may cost in the window: 50 ms at 1 ns per sample and core.
    static double affordable();

    // Whether the picture is there; else it is rendered next. For the frame: what it does not ask for is forgotten.
    bool ready(const PanePicture& picture) { return pictures_.ask(picture) != nullptr; }

    // Null if it is not there, or failed: whoever renders it in the window gets the error.
    const Rendered* find(const PanePicture& picture) const;

    // Once per frame, when all have asked, with what they read made ready.
    void begin(SourceCache& sources);

    bool has_news() const { return pictures_.has_news(); }
    void follow() { pictures_.take(); }

    // Renders the picture that will be asked for of an image whose rows still arrive, as they come, if all that it reads
    // is these: a view that shrinks them. Ends what was rendered so before.
    void render_early(const PanePicture& picture, const std::shared_ptr<SourceCache>& sources);
    bool renders_early() const { return early_.question() && !early_.has_news(); }

    // The image is there: what has been rendered early of its samples is a picture of it. Null: it does not come.
    void take_early(const std::shared_ptr<const Image>& image);

private:
    struct Question {
        PanePicture picture;
        std::shared_ptr<SourceCache> sources;
    };
    static Rendered rendered(const Question& question, const std::stop_token& stop);

    Demand<PanePicture, Rendered> pictures_;
    BackgroundWork<Question, Rendered> early_;
};

}  // namespace texelscope
