#pragma once
// The user's choices for the plots and the tap list.

#include <array>

#include "app/state/plot_zoom.h"

namespace texelscope {

struct InspectUi {
    PlotZoom profile;                // samples along the line; not active: its visible part
    std::array<PlotZoom, 5> curves;  // weight function, spectrum, step, impulse, fetches (one for both g and h)
    int channel = -1;                // of the profile and the tap list; −1: luma of colours, else the first
    PlotZoom histogram;              // values
    bool histogram_logarithmic = false;
    bool statistics_of_all = false;  // the histogram too, even if a region is selected
    bool operator==(const InspectUi&) const = default;
};

}  // namespace texelscope
