#pragma once
// What dialogs and panels remember from frame to frame and nobody else needs. Not kept.

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/files/desktop/folders.h"
#include "app/state/dialogs.h"
#include "gpu/core/image.h"
#include "gpu/core/view.h"
#include "gpu/method/method_info.h"
#include "gpu/method/spec.h"
#include "gpu/weights/weights.h"

namespace texelscope {

// The files of a folder, sorted by name, time or size, folders first.
struct FileList {
    std::filesystem::path folder;
    FolderListing listing;
    std::string part;           // of the names shown
    std::vector<size_t> shown;  // entries of the listing
    int choice = 0;             // index in `shown`
    bool reveal = false;        // the choice was moved by a key, perhaps out of view
    bool all_files = false;
    FolderOrder order = FolderOrder::name;
    bool descending = false;

    const FolderEntry& entry(size_t row) const { return listing.entries[shown[row]]; }
    const FolderEntry& chosen() const { return entry(size_t(choice)); }
};

struct PanelMemory {
    struct Browser : FileList {
        std::string typed;           // part of a name, or a path
        std::filesystem::path from;  // the folder that was entered: a typed path begins there
        std::string problem;
    } browser;

    struct {
        FileList list;  // of the folder of the path
        bool shown = false;
    } save_files;

    struct Search {
        std::string typed;
        int choice = 0;  // among the rows that are shown
    } information;

    // The list of methods: what is typed to find one, the row that Enter takes if it is not that of the method in use, and
    // the group that is shown, which follows the method in use.
    struct {
        std::string typed;
        const MethodInfo* marked = nullptr;
        bool reveal = false;  // the marked row is to be in view
        MethodGroup group = MethodGroup::simple;
        const MethodInfo* followed = nullptr;
    } methods;

    // The screen that FLIP's viewing distance is found from: its width in pixels and in cm, and the distance in cm.
    struct Screen {
        float pixels = 3840, width = 70, distance = 70;
    } screen;

    std::string key_search;          // in the list of keys
    bool more_display = false;       // rows of the display's section that few need
    std::string channel_list, path;  // typed, until Enter
    bool yes_chosen = false;         // in a question, by the arrow keys or Tab
    int pane_in_list = -1;           // the active pane that the list of panes has scrolled to
};

// The part of a plot's x axis that is zoomed into.
struct PlotZoom {
    double from = 0, to = 0;
    bool active() const { return to > from; }
    bool operator==(const PlotZoom&) const = default;
};

// The user's choices for the plots and the tap list.

struct InspectUi {
    PlotZoom profile;                // samples along the line; not active: its visible part
    std::array<PlotZoom, 5> curves;  // weight function, spectrum, step, impulse, fetches (one for both g and h)
    int channel = -1;                // of profile, spectrum and tap list; −1: luma of colours, else the first
    PlotZoom histogram;              // values
    bool histogram_logarithmic = false;
    bool statistics_of_all = false;  // histogram and spectrum too, even if a region is selected
    bool spectrum_windowed = true;
    double spectrum_reach = 0;       // cycles per sample on either side of 0; 0: as the pixels have
    PlotZoom radial;                 // cycles per sample
    PlotZoom order;                  // samples per period
    PlotZoom stage, stage_spectrum;  // units of x, cycles per unit
    bool operator==(const InspectUi&) const = default;
};

// The dialog that exports the whole image at any size, as data.

// What is chosen; the method is that of the active pane.
struct ExportUi {
    bool by_size = false;     // else by the factor
    double factor = 2;        // output pixels per sample, above 0
    Extent size;              // output pixels
    bool proportions = true;  // width and height keep those of the image
    std::string path;
    std::optional<SampleType> depth;  // unset: that of the image, if the format has it
    bool antialias = true;            // where the picture shrinks
    bool least_squares = false;       // there, instead of a widened weight function; if the method can
    bool linear = false;              // interpolates linear light
};

// Work in the background, one at a time: an experiment, a comparison, an export.

// Where a report is saved: beside the picture that it is about, until the user types another name.
struct ReportPath {
    std::string text, proposed = {};
};

// A picture for the interface to draw.
struct InterfacePicture {
    uint32_t name = 0;  // OpenGL's; 0: none
    int width = 0, height = 0;
};

struct BackgroundReport {
    std::string name, title;       // "rotation", "Repeated rotation"; empty: nothing runs
    std::optional<Dialog> dialog;  // that shows its progress; none: the bar at the lower edge
    std::string words;             // the current step
    int done = 0, total = 1;
    InterfacePicture picture;  // how it looks at the moment

    bool running() const { return !name.empty(); }
};

// The experiments window as data: the user's choices, and the program's report.

struct ExperimentResult;

struct ExperimentsUi {
    std::string chosen = "rotation";
    std::map<std::string, std::map<std::string, std::string>> options;  // by experiment and option, if not the default
    int tab = 0;                                                        // of the result
    std::map<std::string, PlotZoom> zooms;                              // by the plot's title
    std::string report_path;                                            // empty: not chosen yet
};

struct ExperimentsReport {
    std::map<std::string, std::shared_ptr<const ExperimentResult>> results;  // by experiment, the last ones
    std::vector<InterfacePicture> textures;  // of the chosen one's pictures, in order; empty: not yet
    std::string failed, why;                 // the experiment that could not be run last, until one runs again
};

// The window "Which is best for this picture?" as data: the user's choices, and what was found.

struct RestoringResult;

// What is done to the picture, and by which methods.
struct RestoringChoice {
    enum class Test { enlarge, reduce, rotate, shift } test = Test::enlarge;
    double factor = 4;      // enlarge: the picture is shrunk by it first; reduce: by it; at least 1
    std::string filter;     // id of the method or recipe that shrinks before enlarging; empty: the usual one
    bool antialias = true;  // whether that method is widened
    int turns = 36, shifts = 8;
    double degrees = 10, samples = 0.5;  // each time
    bool panes_only = false;             // the methods of the panes instead of all
    bool selection_only = false;         // the selected part instead of the picture; while there is a selection
    bool every_picture = false;          // all open pictures instead of the shown one
    std::string judge = "psnr";          // name of the figure that ranks

    bool operator==(const RestoringChoice&) const = default;
};

struct RestoringUi {
    RestoringChoice choice;
    std::optional<MethodSpec> marked;  // the table's row that was clicked last; none: the best
    enum class Part {
        figures,
        plot,
        pictures
    } part = Part::figures;  // that is shown; plot: where figures lack the room
    bool by_time = false;    // the plot's cost: the measured time instead of fetches
    PlotZoom zoom;
    std::string refused;  // why what was typed into a field is not taken, a sentence
    ReportPath path;
};

struct PicturesResult;

struct RestoringReport {
    std::shared_ptr<const PicturesResult> pictures;  // of every picture, if that was asked for last; else null
    std::shared_ptr<const RestoringResult> result;   // null: none yet
    std::shared_ptr<const RestoringResult> so_far;   // while it runs: of the methods that are done, the best first
    RestoringChoice found_with, runs_with;           // what `result` and `so_far` were asked with
    std::shared_ptr<const Image> small;              // the shrunk picture, if there is one
    struct Spot {
        InterfacePicture picture;
        std::string title, caption;
    };
    std::vector<Spot> spots;  // the worst spot: the original, and what the best methods made of it
    Point spot_middle;        // pixels from the upper left corner of its pictures: what they are about
    std::string problem;      // why there is no result, or no new one; a sentence
};

// The dialog "Outside program": what is typed, and what came of it.
struct ProgramUi {
    std::string command = "convert {in} -filter Mitchell -resize {width}x{height}! {out}";
    double factor = 4;
    std::string refused;    // why it is not taken, or has failed; a sentence
    std::string asked_for;  // the picture that it was told to make last
};

// The dialogs "How was this made?" and "Explain the difference" as data: what is asked, and what was found.

struct Identification;
struct Explanation;

struct IdentifyUi {
    std::string original, result;  // sources of open images; empty: there is none
    bool chosen = false;           // by the user; else guessed again once other images are open
    size_t seen = 0;               // open images, those that have been read twice, when they were guessed last
    bool response = false;         // the measured response is shown instead of the recipes
    PlotZoom zoom;
    ReportPath path;
};

struct IdentifyReport {
    std::shared_ptr<const Identification> found;     // null: nothing yet
    std::shared_ptr<const ExperimentResult> report;  // of it
    std::string original, result;                    // sources
    std::weak_ptr<const Image> original_image, result_image;
    std::string problem;  // why there is no answer, or no new one; a sentence
};

struct ExplainUi {
    std::string from, to;      // recipes, as typed
    std::string size = "0.5";  // as typed: a factor, or a size in pixels
    ReportPath path;
};

struct ExplainReport {
    std::shared_ptr<const Explanation> found;
    std::shared_ptr<const ExperimentResult> report;
    std::string source;
    std::weak_ptr<const Image> image;
    std::string problem;
};

// The editor of a CUDA kernel's text, as data.

struct KernelUi {
    std::string text;                     // as typed; perhaps wrong
    std::vector<WeightProblem> problems;  // of that text; the last good kernel stays in use
    std::string said;                     // of the compiler, if there are none: what came of it
    const MethodInfo* made = nullptr;     // that the text was taken from, or has become
    bool waits = false;                   // has been typed and not compiled yet
    bool at_once = false;                 // does not wait until typing rests
    bool compiling = false;
    double typed_at = 0;  // AppState::now

    // What the compiler said of the text before, moved along with its lines, until it has answered.
    std::vector<WeightProblem> earlier;
    std::string earlier_moved_to;  // the text that these are of
};

// The editor of a weight function's text, as data.

struct WeightsUi {
    std::string text;                     // as typed; perhaps wrong
    std::vector<WeightProblem> problems;  // of that text; the last good function stays in use
    const MethodInfo* made = nullptr;     // that the text was taken from, or has become

    // What follows from the function that is shown: found once for each, not for each frame.
    struct Facts {
        const MethodInfo* method = nullptr;
        MethodParameters parameters;
        std::vector<std::pair<std::string, std::string>> rows;
        std::string warning;  // a sentence; empty: none
    } facts;
};

}  // namespace texelscope
