#pragma once
// The open lesson, and the reader's position in it.

#include <memory>

namespace texelscope {

struct Lesson;
struct Session;

struct LessonState {
    std::shared_ptr<const Lesson> lesson;  // null: none
    int step = 0;
    bool answer = false;                    // the answer to the step's question is shown
    bool list = false;                      // the panel lists all lessons
    bool controls = false;                  // the panel shows the controls, for experimenting
    bool scrolled = false;                  // keeps the scroll position of the step; else it is shown from its top
    std::shared_ptr<const Session> shown;   // the scene set by the step
    std::shared_ptr<const Session> before;  // the scene before the lesson
};

}  // namespace texelscope
