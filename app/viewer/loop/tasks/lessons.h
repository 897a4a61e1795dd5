#pragma once
// Tasks on lessons: opening one, its steps, leaving it. A lesson's file is read again when it changes.

#include <string>

#include "app/viewer/loop/tasks/steps.h"

namespace texelscope {

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
