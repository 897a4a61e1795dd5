#pragma once
// The pictures that the viewer saves: a pane's picture, and the sheet of all panes.

#include <functional>
#include <memory>

#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/state/app_state.h"
#include "app/work/work.h"

namespace texelscope {

// Views saved at another size than that of their pane.

// The request for `size` pixels instead: its width covers the same part of the image as the pane's width, about the
// same centre. An empty size, or that of the request, changes nothing.
RenderRequest resized_request(const RenderRequest& request, Extent size);

// For a pane's picture: both sides of a difference.
PanePicture resized_picture(PanePicture picture, Extent size);

// The picture of a pane of the viewer, at this size: as floats with the image's channels, or, if the screen shows more
// than the values (a difference, another exposure, colours of a profile), as on the screen in 8 bits. An empty size: that on the screen.
// Throws Error or OutOfMemory.
Image saved_view(const AppState& state, int pane, Extent size, SourceCache& sources);

// How many parts are done, of how many. What it throws ends the work.
using Parts = std::function<void(int done, int total)>;

// A picture that is made later, in another thread, by a backend like `device` that nothing else uses.
struct PictureBeside {
    BackendInfo device;
    std::function<std::shared_ptr<const Image>(const std::shared_ptr<Backend>& backend, const Parts& parts)> make;
};

// saved_view() of the state as it is now, made later: a CPU renders it there from what the cache has. A GPU, which
// takes milliseconds, has rendered it by then: its memory has no room for the image twice. An image that is read by
// regions is read and rendered there.
PictureBeside saved_view_beside(const AppState& state, int pane, Extent size, SourceCache& sources);
PictureBeside made_already(std::shared_ptr<const Image> image);

// Pixels of the screen as u8 × 3, without their alpha.
Image opaque(const Image& rgba);

// Makes the sheet of all panes of the viewer, including those not in view, each at the size of the panes on the screen;
// one pane per step, so that the window stays responsive.
class SheetMaker {
public:
    // Takes the scene as it is now. Throws Error if there is no picture.
    explicit SheetMaker(const AppState& state);
    ~SheetMaker();
    SheetMaker(SheetMaker&&) noexcept;

    // Whether images are read by regions: a step takes as long as that, and is none for the window.
    bool by_regions() const;

    int total() const;
    int done() const;
    void step(SourceCache& sources);  // adds one pane. Throws Error or OutOfMemory.
    Image sheet() const;              // once all are done

private:
    struct State;
    std::unique_ptr<State> state_;
};

// All steps in another thread.
PictureBeside sheet_beside(SheetMaker maker, const BackendInfo& device);

// Pictures that a CPU renders for longer than a frame may take, rendered in the background: photographs of a hundred
// megapixels that are shrunk to it, and maps of errors.

class SlowPictures {
public:
    struct Rendered {
        std::shared_ptr<const Image> pixels;  // RGBA8; null for a map of errors, whose colours the frame chooses
        std::shared_ptr<const std::vector<float>> map;  // its numbers, else null
        double ms = 0;
        ChosenKernel kernel = {};
    };

    explicit SlowPictures(const std::function<void()>& wake) : pictures_(wake), early_(wake) {}

    // About how many samples, each channel by itself, are multiplied and added; 0 for what is there, and for pictures with
    // values in float64 (see ReferenceValues), unless they show a map of errors.
    double cost(const PanePicture& picture, SourceCache& sources) const;

    // The cost of the picture's map alone; 0 if it shows no map, or one that has been made.
    double map_cost(const PanePicture& picture) const;

    // What all pictures of a frame may cost in the window: 50 ms at 1 ns per sample and core, unless a test says otherwise.
    static double usually_affordable();
    double affordable() const { return affordable_; }
    void afford(double cost) { affordable_ = cost; }

    // Whether the picture is there; else it is rendered next. For the frame: what it does not ask for is forgotten.
    bool ready(const PanePicture& picture) { return pictures_.ask(key_of(picture)) != nullptr; }

    // Null if it is not there, or failed: whoever renders it in the window gets the error.
    const Rendered* find(const PanePicture& picture) const;

    // Once per frame, when all have asked, with what they read made ready.
    void begin(SourceCache& sources, const ReferenceValues& references);

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
        std::shared_ptr<const std::vector<double>> reference = {};  // what a map is of, if it is there
    };
    static PanePicture key_of(const PanePicture& picture) { return picture.shows_map() ? mapped(picture) : picture; }
    static Rendered rendered(const Question& question, const std::stop_token& stop);

    double affordable_ = usually_affordable();
    Demand<PanePicture, Rendered> pictures_;
    BackgroundWork<Question, Rendered> early_;
};

}  // namespace texelscope
