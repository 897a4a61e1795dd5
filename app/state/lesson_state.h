#pragma once
// Which lesson is open, and where in it the reader is.

#include <memory>

namespace texelscope {

struct Lesson;
struct Session;

struct LessonState {
    std::shared_ptr<const Lesson> lesson;  // null: none
    int step = 0;
    bool answer = false;                    // that to the step's question is shown
    bool list = false;                      // the panel lists all lessons
    bool controls = false;                  // the panel shows the controls, for playing
    bool scrolled = false;                  // the panel still shows the step as it was scrolled; else from its top
    std::shared_ptr<const Session> shown;   // what the step has put on the screen
    std::shared_ptr<const Session> before;  // what was there before the lesson
};

}  // namespace texelscope
