#pragma once
// How the plots and the tap list are shown: what the user picks there.

#include <array>

#include "app/state/plot_zoom.h"

namespace texelscope {

struct InspectUi {
    PlotZoom profile;                // samples along the line; not active: what is in view of it
    std::array<PlotZoom, 5> curves;  // weight function, spectrum, step, impulse, fetches (one for g and h)
    int channel = -1;                // of the profile and the tap list; −1: luma of colours, else the first
    PlotZoom histogram;              // values
    bool histogram_logarithmic = false;
    int plot_columns = 400;  // pixels across the plots: how finely curves are computed
};

}  // namespace texelscope
