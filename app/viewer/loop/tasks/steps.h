#pragma once
// Steps of tasks: errors become messages, and what fails leaves the state as it was. The tasks of two small topics.

#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "app/picture/frame/frame_renderer.h"
#include "app/state/app_state.h"
#include "app/viewer/loop/documents.h"

namespace texelscope {

// Takes the step; errors become messages about the source. True if there was none.
inline bool attempt(FrameRenderer& renderer, Messages& messages, const std::string& source,
                    const std::function<void()>& step) {
    try {
        step();
        return true;
    } catch (const DeviceLost& error) {
        renderer.lose(error);
        post_error(messages, error, source);
    } catch (const Error& error) {
        post_error(messages, error, source);
    } catch (const std::bad_alloc&) {
        post(messages, Message::Level::error, "not enough memory; the old picture stays", source);
    } catch (const std::exception& error) {
        post_error(messages, error, source);
    }
    return false;
}

// Either `step` is taken, or the scene, what is shown beside it and the lesson stay as they were.
template <class Step> StillWanted all_or_nothing(AppState& state, Step step) {
    Scene scene = state.scene;
    Appearance appearance = state.ui;
    LessonState lesson = state.lesson;
    const auto transition = state.transition;
    const auto put_back = [&] {
        state.scene = std::move(scene);  // needs no memory
        static_cast<Appearance&>(state.ui) = std::move(appearance);
        state.lesson = std::move(lesson);
        state.transition = transition;
    };
    StillWanted wanted;
    try {
        wanted = step();
    } catch (...) {
        put_back();
        throw;
    }
    if (wanted) put_back();
    return wanted;
}

// The search for levels in what the active pane shows.

class ContrastTasks {
public:
    explicit ContrastTasks(FrameRenderer& renderer) : renderer_(renderer) {}

    void run(AppState& state, const task::AutoContrast& task);

    // Once per frame. True if levels have been found, or cannot be.
    bool follow(AppState& state);

private:
    // Waits for samples; it is dropped when the picture changes, unless it is for the levels that an image opens with.
    struct Search {
        Rendition of;
        std::optional<MeasureJob::Selection> selection;
        task::AutoContrast wanted;
    };
    FrameRenderer& renderer_;
    std::optional<Search> search_;
};

// Tasks on lessons: opening one, its steps, leaving it. A lesson's file is read again when it changes.

class LessonTasks {
public:
    LessonTasks(FrameRenderer& renderer, const AcceptImage& accept) : renderer_(renderer), accept_(accept) {}

    StillWanted run(AppState& state, const task::OpenLesson& request);
    StillWanted run(AppState& state, const task::ShowStep& request);
    StillWanted run(AppState& state, const task::LeaveLesson& request);
    static std::string about(const AppState& state, const task::ShowStep& request);

    // About once per second: whether the lesson's file has changed. True if it was read again, or could not be.
    bool look(AppState& state);

    // Once per frame: when the list of lessons is opened, reads the user's own.
    void follow_list(AppState& state);

private:
    void read_again(AppState& state);

    FrameRenderer& renderer_;
    const AcceptImage& accept_;
    bool listed_ = false;      // the list of lessons was open
    FileStamp loaded_, seen_;  // of a lesson from a file, like that of a document
};

}  // namespace texelscope
