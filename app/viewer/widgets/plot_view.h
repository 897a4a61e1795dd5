#pragma once
// A plot on the screen: thin axes, few ticks, a legend that reads values at the cursor. The wheel zooms along x about
// the cursor, dragging pans, a double click shows all again.

#include "app/drawing/plot.h"
#include "app/state/plot_zoom.h"

namespace texelscope::gui {

struct PlotView {
    const char* id;          // "##plot:profile"; noted for tests without the "##"
    PlotZoom& zoom;          // along x; not active: the plot's own x axis
    PlotZoom limits = {};    // how far it zooms out and pans; not active: the plot's own x axis
    float height = 0;        // window coordinates; more if it leaves too little below the legend
    std::string tip = {};    // of the legend: what the plot shows
    int* columns = nullptr;  // receives the framebuffer pixels across the plot, in steps
};

// At the position of the next item, as wide as the region. Shows the y axis as given, x as zoomed. True if the zoom was
// changed.
bool plot_view(const Plot& plot, const PlotView& view);

// Even columns for a legend's entries, none wider than `widest` unless that is wider than the whole: no row is much
// shorter than the others.
struct LegendGrid {
    int columns = 1, rows = 0;
    float pitch = 0;  // from one column to the next
};
LegendGrid legend_grid(int entries, float widest, float width);

// The value of a series at x: linear between points; for dots, the nearest within `reach`. NaN if there is none.
double series_value(const Series& series, double x, double reach);

}  // namespace texelscope::gui
