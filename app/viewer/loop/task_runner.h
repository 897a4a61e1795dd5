#pragma once
// Carries out the tasks of panels and actions, between two frames. A task that needs a picture which has not been read
// waits until that has happened beside the window; then it is carried out as if the picture had been there all along.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/picture/frame/frame_renderer.h"
#include "app/picture/kept_pictures.h"
#include "app/picture/source_preparer.h"
#include "app/state/app_state.h"
#include "app/viewer/loop/background_runner.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/experiment_runner.h"
#include "app/viewer/loop/folder_walker.h"
#include "app/viewer/loop/picture_reader.h"
#include "app/viewer/loop/picture_saver.h"
#include "app/viewer/loop/restoring_runner.h"
#include "app/viewer/pushing/push_server.h"
#include "app/viewer/recording/recording.h"
#include "app/window/gl/handles.h"
#include "app/window/window.h"

namespace texelscope {

class TaskRunner : public Worker {
public:
    // The reader may have begun with the first picture.
    TaskRunner(Window& window, FrameRenderer& renderer, Recording& recording, PictureReader reader)
        : window_(window), renderer_(renderer), recording_(recording), reader_(std::move(reader)) {
        reader_.go_to(renderer.backend().info());
    }

    // Errors become messages. True if there was anything to do.
    bool run(AppState& state);

    // Does a piece of the work that takes longer than a frame. True if there was some, so that the next frame is due.
    bool work(AppState& state);

    // The shown file and its folder, or the lesson's, which may have changed; steps through the folder; what is read and
    // prepared beside the window, and pushed.
    bool poll(AppState& state) override;

    // Once per frame: when the list of lessons is opened, reads the user's own.
    void follow_list(AppState& state);

    void leave_device() override {
        preparer_.end();
        reader_.leave_device();
    }

    // The device is lost: ends the work in progress on it, with a message that says why.
    void give_up_device(AppState& state, const std::string& why);

    // From now on other programs can push images and open files (docs/pushing.md); they wake the window. Nothing if this
    // is impossible here: `texelscope info` says why.
    void listen();

    // Whether the program may end: the user, or now whoever else (`asked`), wants that, and nothing is being saved. Until then the
    // window stays, and says so; who asks again cancels what is being saved.
    bool ends(AppState& state, bool asked);
    bool closing() const { return closing_; }

    // Once per frame, before the panels, which show its textures: progress and results of what runs beside the window.
    void follow_background(AppState& state);
    void wake(const AppState& state, WakeUp& wake_up) const override;

    // What is read and prepared beside the window. True if something has come.
    bool follow_pictures(AppState& state);

    // No picture that is to be shown, that a pane needs, or that is saved is on its way.
    bool has_pictures() const {
        return waiting_.empty() && reader_.rests() && !preparer_.works() && walker_.rests() && !saver_.works();
    }

    // What is read next will be there very soon.
    bool nearly_has_picture() const { return reader_.nearly_has_next(); }

    // The first picture of a folder, or the first of the open documents, at the start.
    void begin_with(AppState& state, const std::string& folder);

private:
    // Into the backend's memory, in the light that the scene asks for then. Throws PictureWanted while that is better
    // done beside the window.
    AcceptImage accept_for(const AppState& state);
    void run_all(AppState& state, std::vector<Task> tasks);
    void want(AppState& state, const PictureWanted& wanted);
    void overtake(AppState& state, const Task& task);
    void cancel_pictures(AppState& state);
    void end_pictures(AppState& state);
    void leave_empty(AppState& state);
    bool attempt(AppState& state, const std::string& source, const std::function<void()>& step);
    void carry_out(AppState& state, const Task& task);
    void run(AppState& state, const Task& task);
    void open(AppState& state, const task::Open& request);
    FolderWalker::Show show_walked();
    void choose_picture(AppState& state, const PictureChoice& choice);
    void set_upright(AppState& state, bool upright);
    void move_to_trash(AppState& state);
    void leave_trashed(AppState& state, const std::string& path);
    void close_trashed(AppState& state, const std::string& path);
    void close_left(AppState& state);
    void take_from_trash(AppState& state, const std::string& original);
    bool look_at_file(AppState& state);
    bool follow_folder(AppState& state);
    bool take_pushed(AppState& state);
    void save_view(AppState& state, const task::SaveView& request);
    void save_sheet(AppState& state, const std::string& path);
    void work_on_sheet(AppState& state);
    void save_profile(AppState& state, const std::string& path);
    void save_session(AppState& state, const std::string& path);
    void open_session(AppState& state, const std::string& path);
    bool saves() const { return sheet_ || saver_.works(); }
    void cancel_saving();
    std::string said_of(const std::string& work) const;
    void copy_picture(AppState& state);
    void find_contrast(AppState& state, const task::AutoContrast& wanted);
    bool follow_contrast(AppState& state);
    void open_lesson(AppState& state, const task::OpenLesson& request);
    void show_step(AppState& state, int step);
    void leave_lesson(AppState& state);
    void read_lesson_again(AppState& state);
    bool look_at_lesson(AppState& state);
    bool waits_for_early_picture(const AppState& state);
    void show_progress(AppState& state);
    bool show_sign(AppState& state);
    void show_preview(AppState& state);

    Window& window_;
    FrameRenderer& renderer_;
    Recording& recording_;
    BackgroundRunner background_;
    PictureSaver saver_{Window::wake};
    ExperimentRunner experiments_{background_};
    RestoringRunner restoring_{background_};
    FolderWalker walker_;
    EverySecond looks_;  // at files
    PictureReader reader_;
    SourcePreparer preparer_{Window::wake};
    std::vector<Task> waiting_;  // for a picture: the first one for that which is under way, the others behind it
    std::vector<Task> waiting_beside_;  // for pictures of open documents: they neither overtake nor are overtaken
    std::vector<Task> next_;            // what the task under way leads to: before what was asked for after it
    std::vector<std::string> left_;     // files in the trash that are closed once another picture is shown
    bool pictures_came_ = false;
    std::optional<double> came_at_;  // that which waits for its early picture
    gl::Texture preview_;
    bool begins_ = false;  // with a folder, none of whose pictures has been shown yet
    std::unique_ptr<PushServer> pushes_;
    bool bar_ = false;                       // shows the progress of what runs beside the window
    bool listed_ = false;                    // the list of lessons was open
    FileStamp lesson_loaded_, lesson_seen_;  // of a lesson from a file, like that of a document
    bool quit_ = false, closing_ = false;    // asked for; once what is being saved is written

    struct Sheet {
        SheetMaker maker;
        std::string path;
    };
    std::optional<Sheet> sheet_;  // in progress

    // A search for levels that waits for samples; it is dropped when the picture changes, unless it is for the levels
    // that an image opens with.
    struct Contrast {
        Rendition of;
        std::optional<MeasureJob::Selection> selection;
        task::AutoContrast wanted;
    };
    std::optional<Contrast> contrast_;
};

}  // namespace texelscope
