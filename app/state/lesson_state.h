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

// Presenter mode: large type, visible keys and mouse.

// The last key or wheel movement, shown for a second.
struct KeyHint {
    std::string text;  // "Ctrl+G"; "wheel ↑"
    int count = 0;     // in a row; 0: nothing yet
    double at = 0;     // seconds
};

struct Lesson;

// How much larger everything is, and the step and window that this was found for.
struct PresenterFit {
    std::shared_ptr<const Lesson> lesson;
    int step = 0;
    float width = 0, height = 0, display_scale = 0;  // of the window
    float magnification = 1;
};

struct PresenterState {
    bool on = false;
    bool pressed = false;  // a mouse button is held
    KeyHint key;
    PresenterFit fit;
};
inline constexpr double key_hint_seconds = 1.2;

}  // namespace texelscope
