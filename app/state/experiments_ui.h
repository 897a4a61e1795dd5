#pragma once
// The experiments window as data: the user's choices, and the program's report.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/state/plot_zoom.h"

namespace texelscope {

struct ExperimentResult;

struct ExperimentsUi {
    std::string chosen = "rotation";
    std::map<std::string, std::map<std::string, std::string>> options;  // by experiment and option, if not the default
    int tab = 0;                                                        // of the result
    std::map<std::string, PlotZoom> zooms;                              // by the plot's title
    std::string report_path = "report.html";
};

// A picture for the interface to draw.
struct ExperimentTexture {
    uint32_t name = 0;  // OpenGL's; 0: none
    int width = 0, height = 0;
};

struct ExperimentsReport {
    std::string running, words;  // the running experiment and its current step; empty: none
    int done = 0, total = 1;
    ExperimentTexture picture;  // of the running one

    std::map<std::string, std::shared_ptr<const ExperimentResult>> results;  // by experiment, the last ones
    std::vector<ExperimentTexture> textures;  // of the chosen one's pictures, in order; empty: not yet
};

}  // namespace texelscope
