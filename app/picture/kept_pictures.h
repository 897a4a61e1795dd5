#pragma once
// What the viewer saves: a pane's picture, and the sheet of all panes.

#include <memory>

#include "app/picture/source_cache.h"
#include "app/state/app_state.h"

namespace texelscope {

// What a pane of the viewer shows, at this size: as floats with the image's channels, or where the screen shows more
// than the values (a difference, another exposure) as it shows it, in 8 bits. An empty size: that on the screen. Throws
// Error or OutOfMemory.
Image saved_view(const AppState& state, int pane, Extent size, SourceCache& sources);

// Makes the sheet of all panes of the viewer, also those that are not in view, each at the size of the panes on the
// screen; a pane a step, so that a window stays alive meanwhile.
class SheetMaker {
public:
    // The scene as it is now. Throws Error where there is no picture.
    SheetMaker(const AppState& state, SourceCache& sources);
    ~SheetMaker();
    SheetMaker(SheetMaker&&) noexcept;

    int total() const;
    int done() const;
    void step();         // one pane more. Throws Error or OutOfMemory.
    Image sheet() const;  // once all are done

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace texelscope
