#pragma once
// A plot on the screen: thin axes, few ticks, a legend that reads values at the cursor. The wheel zooms along x about
// the cursor, dragging pans, a double click shows all again.

#include <vector>

#include "app/drawing/plot.h"
#include "app/state/plot_zoom.h"
#include "app/viewer/widgets/plot_legend.h"

namespace texelscope::gui {

struct PlotView {
    const char* id;              // "##plot:profile"; noted for tests without the "##"
    PlotZoom& zoom;              // along x; not active: the plot's own x axis
    PlotZoom limits = {};        // how far it zooms out and pans; not active: the plot's own x axis
    float height = 0;            // window coordinates; more if it leaves too little below the legend
    std::string tip = {};        // of the legend: what the plot shows
    int* columns = nullptr;      // receives the framebuffer pixels across the plot, in steps
    bool legend = true;          // false: plots share one
    bool brief = false;          // with little height: a short legend, and less height for the plot itself
    PlotFocus* focus = nullptr;  // of plots whose curves can be told apart by pointing at one
};

// At the position of the next item, as wide as the region. Shows the y axis as given, x as zoomed. True if the zoom was
// changed.
bool plot_view(const Plot& plot, const PlotView& view);

}  // namespace texelscope::gui
