#pragma once
// Carries out the tasks of panels and actions, between two frames. A task that needs a picture which has not been read
// waits until that has happened in the background; then it is carried out as if the picture had been there all along.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/prepared_sources.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/loop/background_runner.h"
#include "app/viewer/loop/picture_reader.h"
#include "app/viewer/loop/study_runners.h"
#include "app/viewer/loop/tasks/opening.h"
#include "app/viewer/loop/tasks/saving.h"
#include "app/viewer/loop/tasks/steps.h"
#include "app/viewer/pushing/pushing.h"
#include "app/viewer/recording/recording.h"
#include "app/window/gl/gl_objects.h"
#include "app/window/window.h"
#include "app/work/work.h"

namespace texelscope {

class TaskQueue : public Worker {
public:
    // The reader may have begun with the first picture.
    TaskQueue(const AppState& state, Window& window, FrameRenderer& renderer, Recording& recording,
              PictureReader reader);

    // Errors become messages. True if there was anything to do.
    bool run(AppState& state);

    // See SavingTasks.
    bool work(AppState& state) { return saving_.work(state); }
    bool ends(AppState& state, bool asked, bool seen) { return saving_.ends(state, asked, seen); }
    bool closing() const { return saving_.closing(); }
    bool exports() const { return saving_.exports(); }

    // The shown file and its folder, or the lesson's, which may have changed; steps through the folder; what is read and
    // prepared in the background, and pushed.
    bool poll(AppState& state) override;
    void wake(const AppState& state, WakeUp& wake_up) const override;
    void leave_device() override {
        preparer_.end();
        reader_.leave_device();
    }

    // The device is lost: ends the work in progress on it, with a message that says why.
    void give_up_device(AppState& state, const std::string& why);

    // From now on other programs can push images and open files (docs/pushing.md); they wake the window. Nothing if this
    // is impossible here: `texelscope info` says why.
    void listen();

    // Once per frame, before the panels, which show its textures: progress and results of what runs in the background; the
    // user's own lessons.
    void follow_background(AppState& state);

    // What is read and prepared in the background. True if something has come.
    bool follow_pictures(AppState& state);

    // No picture that is to be shown, that a pane needs, or that is saved is on its way.
    bool has_pictures() const {
        return waiting_.empty() && reader_.rests() && !preparer_.works() && opening_.rests() && !saving_.writes() &&
               paster_.rests();
    }

    // What is read next will be there very soon.
    bool nearly_has_picture() const { return reader_.nearly_has_next(); }

    // The first picture of a folder, or the first of the open documents, at the start.
    void begin_with(AppState& state, const std::string& folder);

private:
    template <class T> auto& topic_of();
    template <class T> StillWanted carry_out(AppState& state, const T& task);

    // Tasks on the window.
    void run(AppState& state, const task::OpenOutside& file);
    void run(AppState& state, const task::CopyText& text);
    void run(AppState& /*state*/, const task::Paste&) { paster_.ask(); }
    void run(AppState& state, const task::ToggleRecording&) {
        recording_.toggle(state, folder_for_new_files(state), window_.framebuffer());
    }
    void run(AppState& state, const task::StartRecording& start) {
        recording_.start(state, start, window_.framebuffer());
    }
    void run(AppState& /*state*/, const task::ToggleFullscreen&) { window_.toggle_fullscreen(); }
    void run(AppState& state, const task::LeaveFullscreen& leave);
    void run(AppState& state, const task::BreakDevice& broken);

    StillWanted accept(const AppState& state, const std::shared_ptr<const Image>& image);
    void run_all(AppState& state, std::vector<Task> tasks);
    void want(AppState& state, const WantedPicture& wanted);
    void overtake(AppState& state, const Task& task);
    void cancel_pictures(AppState& state);
    void end_pictures(AppState& state);
    bool look_at_file(AppState& state);
    bool follow_folder(AppState& state);
    bool take_pushed(AppState& state);
    void close_pushed(AppState& state, const std::string& name, const std::vector<PushedFrame>& coming);
    bool take_pasted(AppState& state);
    bool waits_for_early_picture(const AppState& state);
    bool show_sign(AppState& state);
    void show_preview(AppState& state);

    Window& window_;
    FrameRenderer& renderer_;
    Recording& recording_;
    BackgroundRunner background_;
    const AcceptImage accept_;
    SavingTasks saving_{renderer_, background_, recording_};
    ExperimentRunner experiments_{renderer_, background_};
    RestoringRunner restoring_{renderer_, background_};
    RecipeRunner recipes_{renderer_, background_};
    OpeningTasks opening_{accept_};
    LessonTasks lessons_{renderer_, accept_};
    ContrastTasks contrast_{renderer_};
    EverySecond looks_;  // at files
    PictureReader reader_;
    SourcePreparer preparer_{Window::wake};
    Paster paster_{Window::wake};
    std::vector<Task> waiting_;  // for a picture: the first one for that which is under way, the others behind it
    std::vector<Task> waiting_beside_;  // for pictures of open documents: they neither overtake nor are overtaken
    bool pictures_came_ = false;
    std::optional<double> came_at_;  // that which waits for its early picture
    gl::Texture preview_;
    std::unique_ptr<PushServer> pushes_;
};

}  // namespace texelscope
