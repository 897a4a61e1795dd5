#pragma once
// The window of experiments as data: what the user has chosen in it, and what the program tells it.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/state/plot_zoom.h"

namespace texelscope {

struct ExperimentResult;

struct ExperimentsUi {
    bool open = false;
    std::string chosen = "rotation";
    std::map<std::string, std::map<std::string, std::string>> options;  // by experiment and option, where not standard
    int tab = 0;                                                        // of the result
    std::map<std::string, PlotZoom> zooms;                              // by the plot's title
    std::string report_path = "report.html";
};

// A picture as the interface draws it.
struct ExperimentTexture {
    uint32_t name = 0;  // OpenGL's; 0: none
    int width = 0, height = 0;
};

struct ExperimentsReport {
    std::string running, words;  // the experiment under way and what it does; empty: none is
    int done = 0, total = 1;
    ExperimentTexture picture;  // of the one under way

    std::map<std::string, std::shared_ptr<const ExperimentResult>> results;  // by experiment, the last ones
    std::vector<ExperimentTexture> textures;  // of the chosen one's pictures, in their order; empty: not yet
};

}  // namespace texelscope
