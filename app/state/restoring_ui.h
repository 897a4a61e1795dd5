#pragma once
// The window "Which is best for this picture?" as data: the user's choices, and what was found.

#include <memory>
#include <string>
#include <vector>

#include "app/state/background_report.h"
#include "app/state/plot_zoom.h"
#include "gpu/core/image.h"
#include "gpu/core/view.h"

namespace texelscope {

struct RestoringResult;

// What is done to the picture, and by which methods.
struct RestoringChoice {
    enum class Test { enlarge, reduce, rotate, shift } test = Test::enlarge;
    double factor = 4;   // enlarge: the picture is shrunk by it first; reduce: by it; at least 1
    std::string filter;  // id of the method that shrinks before enlarging; empty: the usual one
    int turns = 36, shifts = 8;
    double degrees = 10, samples = 0.5;  // each time
    bool panes_only = false;             // the methods of the panes instead of all

    bool operator==(const RestoringChoice&) const = default;
};

struct RestoringUi {
    RestoringChoice choice;
    int row = 0;            // of the table, that the arrow keys move
    bool pictures = false;  // of the worst spot, instead of table and plot
    bool by_time = false;   // the plot's cost: the measured time instead of fetches
    PlotZoom zoom;
    std::string refused;  // why what was typed into a field is not taken, a sentence
    std::string path;     // of the file to save; empty: beside the picture
};

struct RestoringReport {
    std::shared_ptr<const RestoringResult> result;  // null: none yet
    std::shared_ptr<const RestoringResult> so_far;  // while it runs: of the methods that are done, the best first
    RestoringChoice found_with, runs_with;          // what `result` and `so_far` were asked with
    std::shared_ptr<const Image> small;             // the shrunk picture, if there is one
    struct Spot {
        InterfacePicture picture;
        std::string title, caption;
    };
    std::vector<Spot> spots;  // the worst spot: the original, and what the best methods made of it
    Point spot_middle;        // pixels from the upper left corner of its pictures: what they are about
    std::string problem;      // why there is no result, or no new one; a sentence
};

}  // namespace texelscope
