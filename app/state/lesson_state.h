#pragma once
// The open lesson, and the reader's position in it; the user's own lessons.

#include <memory>
#include <string>
#include <vector>

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

// A lesson as the list shows it.
struct LessonEntry {
    std::string source;  // a built-in lesson's name, or a file
    std::string title, summary;
};

// What is in the user's folder of lessons, when the list was opened.
struct OwnLessons {
    std::string folder;  // empty: there is none
    std::vector<LessonEntry> lessons;
    std::vector<std::string> problems;  // why files are not among them: "2-mine.md:3: …"
};

}  // namespace texelscope
