#pragma once
// Comparing panes: their figures and their sheet, for both the command line and the viewer.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/rendition.h"
#include "app/drawing/sheet.h"
#include "app/state/app_state.h"

namespace texelscope {

// One pane of a comparison.
struct ComparedPane {
    int index = 0;                                   // of the pane: its letter and colour
    std::string label;                               // "Cubic B-spline · iir · hardware"
    PanePicture picture;                             // shown on the sheet: the rendering, or a difference
    std::optional<Rendition> reference;              // the reference for picture.shown
    std::optional<MeasureJob::Selection> selection;  // the region measured; empty: the whole picture
};

struct PaneFigures {
    std::optional<Metrics> metrics;  // empty without a reference
    double milliseconds = 0;         // of one rendering to 8 bits, on the backend's clock
    double pixels = 0;
    PaneCost cost;

    double gigapixels_per_second() const { return milliseconds > 0 ? pixels / milliseconds * 1e-6 : 0; }
};

class Comparison {
public:
    explicit Comparison(SourceCache& sources) : sources_(sources), panes_(sources) {}

    // Everything about a pane. Throws OutOfMemory or Error.
    PaneFigures figures(const ComparedPane& pane);

    // Only metrics and the count of fetches.
    PaneFigures figures_untimed(const ComparedPane& pane);

    SheetPane sheet_pane(const ComparedPane& pane, const PaneFigures& figures);

private:
    double median_ms(const Rendition& rendition);
    PaneCost cost(const Rendition& rendition);

    SourceCache& sources_;
    PaneRenderer panes_;
};

// The picture of a pane of the viewer, at this size: as floats with the image's channels, or, if the screen shows more
// than the values (a difference, another exposure), as on the screen in 8 bits. An empty size: that on the screen.
// Throws Error or OutOfMemory.
Image saved_view(const AppState& state, int pane, Extent size, SourceCache& sources);

// Makes the sheet of all panes of the viewer, including those not in view, each at the size of the panes on the screen;
// one pane per step, so that the window stays responsive.
class SheetMaker {
public:
    // Takes the scene as it is now. Throws Error if there is no picture.
    SheetMaker(const AppState& state, SourceCache& sources);
    ~SheetMaker();
    SheetMaker(SheetMaker&&) noexcept;

    int total() const;
    int done() const;
    void step();         // adds one pane. Throws Error or OutOfMemory.
    Image sheet() const;  // once all are done

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace texelscope
