#pragma once
// The experiments window as data: the user's choices, and the program's report.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/state/background_report.h"
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

struct ExperimentsReport {
    std::map<std::string, std::shared_ptr<const ExperimentResult>> results;  // by experiment, the last ones
    std::vector<InterfacePicture> textures;  // of the chosen one's pictures, in order; empty: not yet
};

}  // namespace texelscope
