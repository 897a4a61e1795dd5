#pragma once
// Experiments, and what is measured on the shown picture, as work in the background.

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/picture/frame/frame_renderer.h"
#include "app/state/app_state.h"
#include "app/studies/experiments/experiment.h"
#include "app/studies/restoring/restoring.h"
#include "app/viewer/loop/background_runner.h"
#include "app/window/gl/gl_objects.h"

namespace texelscope {

// Starts the experiments requested in the window, and keeps their results.

// A context must be current when it is used and destroyed.
class ExperimentRunner {
public:
    ExperimentRunner(FrameRenderer& renderer, BackgroundRunner& background)
        : renderer_(renderer), background_(background) {}

    // Throw Error for invalid options, if something is already running, and for a file that cannot be written.
    void run(AppState& state, const task::RunExperiment& task);
    void run(AppState& state, const task::SaveExperiment& task) const;

    // Once per frame: the pictures of the chosen experiment, while the window is open.
    void show_pictures(AppState& state);

private:
    FrameRenderer& renderer_;
    BackgroundRunner& background_;
    std::shared_ptr<const ExperimentResult> pictured_;
    std::vector<gl::Texture> pictures_;
};

// What is asked in the window of a document's picture. Throws Error.
RestoringPlan restoring_plan(const AppState& state, const Document& document);

// What is compared beside our methods, if a picture is to be enlarged again: the programs of panes, if they may run; and, unless
// only a part is restored, results that panes show. While all pictures are judged, those of the others are found by their names.
std::vector<OutsideMethod> outside_of(const AppState& state, const Document& document, bool with_results);
inline constexpr const char* restoring_run = "restoring";  // the name of its work in the background

// Starts the comparison "Which is best for this picture?", and does what the window does with its result.

// A context must be current when it is used and destroyed.
class RestoringRunner {
public:
    RestoringRunner(FrameRenderer& renderer, BackgroundRunner& background)
        : renderer_(renderer), background_(background) {}

    // Compares for the picture of restored_document(). A comparison under way is cancelled first. Why it cannot be done
    // is put into the report.
    void run(AppState& state, const task::Restore& request);

    // One of the pictures that were judged together: by a method and by the best one, where the first errs most. Throws Error
    // if nothing is known of it.
    void run(AppState& state, const task::ShowJudged& request) const;

    // Once per frame: starts the comparison that waits for the end of another; shows the pictures of a new result.
    void follow(AppState& state);

    // By the name: a page (.html), figures (.json, .csv), a folder with all of it (no extension), or else the sheet as an
    // image. Throws Error, also without a result.
    void run(AppState& state, const task::SaveRestoring& request) const;

    // The four best over the shrunk picture, at the worst spot. Throws Error without a result, or if its image is closed.
    void run(AppState& state, const task::ShowBest& request) const;

    // What a run finds.
    struct Found {
        RestoringResult result;
        std::shared_ptr<const Image> small;
        std::mutex mutex;  // of what follows, which the window reads meanwhile
        std::shared_ptr<const RestoringResult> so_far;
    };

private:
    void show_pictures(AppState& state);
    void judge_every(AppState& state);  // all open pictures
    bool asks_first(AppState& state);
    void go_on_after_question(AppState& state);

    FrameRenderer& renderer_;
    BackgroundRunner& background_;
    bool again_ = false;
    // The command that the user is asked about before it is compared; empty: another question is to be answered first.
    std::optional<std::string> asked_about_;
    std::set<std::string> refused_;  // they are left out, and not asked about again
    std::shared_ptr<Found> found_;   // of the comparison that runs
    std::shared_ptr<const RestoringResult> pictured_;
    std::vector<gl::Texture> pictures_;
};

// Starts what "How was this made?" and "Explain the difference" ask.

class RecipeRunner {
public:
    RecipeRunner(FrameRenderer& renderer, BackgroundRunner& background)
        : renderer_(renderer), background_(background) {}

    // Why it cannot be done is put into the report.
    void run(AppState& state, const task::Identify& task);
    void run(AppState& state, const task::Explain& task);

    // By the name: a page (.html), figures (.json, .csv), or a folder with all of it. Throws Error, also without an answer.
    void run(AppState& state, const task::SaveStudy& task) const;

private:
    void start(BackgroundJob job, std::string& problem);

    FrameRenderer& renderer_;
    BackgroundRunner& background_;
};

}  // namespace texelscope
