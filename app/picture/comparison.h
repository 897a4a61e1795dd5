#pragma once
// Comparing panes: their figures, and their part of a sheet.

#include <optional>
#include <string>
#include <vector>

#include "app/drawing/sheet.h"
#include "app/picture/rendition.h"
#include "app/state/report.h"

namespace texelscope {

// One pane of a comparison.
struct ComparedPane {
    int index = 0;                                   // of the pane: its letter and colour
    std::string label;                               // "Cubic B-spline · iir · hardware"
    PanePicture picture;                             // shown on the sheet: the rendering, or a difference
    std::optional<Rendition> reference;              // the reference for picture.shown
    Against against;                                 // the same in words
    std::optional<MeasureJob::Selection> selection;  // the region measured; empty: the whole picture
    ValueScale scale = {};                           // of the errors on a sheet
};

struct PaneFigures {
    std::optional<Metrics> metrics;  // empty without a reference
    double milliseconds = 0;         // of one rendering to 8 bits, on the backend's clock; 0: not measured
    double pixels = 0;
    PaneCost cost;

    double gigapixels_per_second() const { return milliseconds > 0 ? pixels / milliseconds * 1e-6 : 0; }
};

// What a picture of an image or a signal costs, by how it is read.
PaneCost cost_of(const Resampling& resampling, bool signal);

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

}  // namespace texelscope
