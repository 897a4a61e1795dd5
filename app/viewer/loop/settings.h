#pragma once
// Settings kept between runs: $XDG_CONFIG_HOME/texelscope/settings.json; options of the command line; the scene that
// both begin with.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/interface.h"
#include "app/state/scene.h"
#include "gpu/backend/backend.h"
#include "gpu/backend/device_choice.h"
#include "gpu/core/view.h"
#include "gpu/interop/present_target.h"
#include "gpu/method/spec.h"

namespace texelscope {

struct Settings : Preferences, Overlays {
    int window_width = 1280, window_height = 800;  // window coordinates
    bool operator==(const Settings&) const = default;
};

inline constexpr size_t max_recent = 12, max_allowed_commands = 200;
inline constexpr size_t max_answered = 1000;  // questions of lessons
inline constexpr int max_replies = 1000;      // to one of them

// Empty if there is no home folder.
std::filesystem::path settings_path();

// The user's own lessons, beside it; empty if there is no home folder.
std::filesystem::path lessons_folder();

// The contents of the file, with defaults for missing or invalid values. `problem` says why a file was ignored.
Settings load_settings(const std::filesystem::path& path, std::string* problem = nullptr);

// False if the file could not be written. The old file stays until the new one is complete.
bool save_settings(const Settings& settings, const std::filesystem::path& path);

// Moves a file to the front.
void remember_recent(std::vector<std::string>& recent, const std::string& path);

// Options of the viewer, set by the command line.

struct ViewerOptions {
    std::vector<std::string> images;  // paths, sources or test images ("@zone-plate:512"); none: the default picture
    std::shared_ptr<const Image> standard_input;  // among the images under its pushed_source
    std::string session;                          // a session file instead of images
    std::string lesson;                           // a built-in lesson or a file; empty: none
    int lesson_step = 0;                          // from 0
    bool presenter = false;                       // start in presenter mode
    std::optional<View> view;                     // of the first image; unset: fitted
    std::optional<MethodSpec> spec;               // of pane A; unset: cubic B-spline, iir, auto
    std::optional<Outside> outside;               // unset: background
    std::optional<bool> antialias;                // unset: on
    bool allow_commands = false;                  // of sessions and lessons, without a question
    bool linear_light = false;                    // interpolate linear light instead of the stored values
    std::optional<Warp> warp;                     // unset: none
    BackendChoice backend = BackendChoice::automatic;
    int width = 0, height = 0;    // of the window; 0: the last size, or 1280×800
    std::string screenshot;       // save one frame to this file and exit
    float ui_scale = 0;           // 0: the display's
    bool no_interop = false;      // start at the second rung
    bool watches = true;          // files that have changed are read again
    bool debug_gl = false;        // OpenGL's messages to stderr
    bool trace_state = false;     // each change of state as one line of JSON to stderr
    std::optional<bool> animate;  // unset: the last setting
    std::optional<bool> upright;  // pictures are turned as their EXIF data say; unset: the last setting

    // For tests.
    std::vector<int> lose_device_after;  // rendered frames until the device is lost, until the next one is, …
    bool pretend_losses = false;         // of which nothing but this program knows
    bool late_device = false;            // the CPU draws the first frames, whether or not a GPU has been started
    bool debug_commands = false;         // in the command palette
};

// What the viewer shows before anything was changed.

// Without images: A as requested, B with a contrasting method, measured against the default reference.
Scene first_scene(const ViewerOptions& options);

// The part of a built-in image that the first picture magnifies, so that the methods differ visibly in a window of any
// size: samples. Empty if the whole is to be shown: for files, for images of few samples, and for those without detail.
std::optional<Region> first_region(const Document& document);

// Recovery from a GPU that stops for good while the program runs: it may be retried once, then the next rung follows.

class Recovery {
public:
    // The device was lost at `now`, seconds. True: it may be started again. False: it was also lost shortly before, or
    // for the third time, and is avoided from now on.
    bool may_try_again(int device, double now, std::string_view why);

    // Stops using it.
    void avoid(int device, std::string_view why);

    const std::vector<AvoidedDevice>& avoided() const { return avoided_; }

private:
    struct Losses {
        int count = 0;
        double last = 0;
    };
    std::map<int, Losses> losses_;  // by device
    std::vector<AvoidedDevice> avoided_;
};

inline constexpr double soon_lost_seconds = 20;
inline constexpr int most_losses = 3;

// CUDA's own words at the end of an error's text: "an illegal memory access was encountered".
std::string last_words(std::string_view error);

// The CPU draws until a GPU has been started, unless another device was asked for, or the very first frame counts.
bool starts_on_cpu(const ViewerOptions& options);
Presenter first_presenter(BackendChoice choice, const PresenterOptions& options, bool on_cpu);

// One line for the user: what happened, and which device computes from now on.
std::string lost_message(std::string_view error, const BackendInfo& before, const BackendInfo& now);
std::string no_room_message(std::string_view error, const BackendInfo& now);

}  // namespace texelscope
