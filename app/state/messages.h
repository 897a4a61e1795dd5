#pragma once
// Messages to the user, over the lower edge of the picture.

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/dialogs.h"
#include "app/state/task.h"

namespace texelscope {

struct AppState;
struct UiState;

struct Message {
    enum class Level { hint, info, warning, error };
    Level level = Level::info;
    std::string text;
    std::string source = {};  // the file it is about; empty: none
    int count = 1;            // counts repetitions of the same text
    double shown_at = -1;     // seconds; when it was first on the screen
    double looked_at = -1;    // seconds; the last frame that showed it
    double read = 0;          // seconds on the screen without the mouse on it
    bool held = false;        // by the mouse, since the last frame
    int uses = 0;             // of the picture since it came; counts for what waits for them

    // A button that does something, and with that the message goes; no title: none.
    std::string offer = {};
    std::function<void(AppState&)> accept = {};
    bool patient = false;                                 // an offer that stays until it was there for so many uses
    std::function<bool(const AppState&)> pointless = {};  // from then on it is gone

    // Messages of one kind share a row: the newest stands for all, and of errors says how many there were before it. Empty:
    // none.
    std::string kind = {};
    int before = 0;
};

using Messages = std::vector<Message>;

inline constexpr size_t most_messages = 3;

// The first hint has served after so many uses of the picture, or once it was moved, and so has an offer after so many.
inline constexpr int uses_of_hint = 3;

void post(Messages& messages, Message::Level level, std::string text, std::string source = {});

// A message of a kind that may come many times, such as a file that a walk passes over.
void post_one_of(Messages& messages, Message::Level level, std::string kind, std::string text, std::string source = {});

// About what the panes show now: it goes once they show other pictures, or once it no longer `holds`.
void post_about(AppState& state, Message::Level level, std::string kind, std::string text,
                std::function<bool(const AppState&)> holds = {});

// What its row says.
std::string words_of(const Message& message);

// A message with a button, each text only once while the program runs. It goes once it is `pointless`.
void post_offer(AppState& state, std::string text, std::string offer, std::function<void(AppState&)> accept,
                std::function<bool(const AppState&)> pointless = {});

// An error. `source`: the file that it is about, unless the error names one itself.
void post_error(Messages& messages, const std::exception& error, std::string source = {});

// A file or folder has been written: "/home/ann/report.html: saved, 640×480 pixels". `more`: the words after the comma.
void post_saved(Messages& messages, const std::string& path, const std::string& more = "");

// Hints are about the picture alone: they wait until the panels are back, beside it, no dialog is open and no other message
// is there, cover no second pane, and are not for an audience. Offers are about the user's own pictures: they wait until a
// lesson is left; a button beside what the user did, such as the file that was saved, does not.
bool shows(const AppState& state, const Message& message);

// A frame shows it, with the mouse on it or not: while that is so, its time stands still.
void pass_time(Message& message, double now, bool held);

// Until it goes by itself, as long as the mouse is not on it; none if it stays.
std::optional<double> seconds_left(const Message& message);

// Removes what has been on the screen for long enough, a hint that was seen once there is another message, and offers of
// what there is already.
void drop_read(AppState& state);

// The first hint has served: it goes and never comes again.
void dismiss_hint(AppState& state);

// Takes the newest message that is shown away. False if there is none.
bool dismiss_newest(AppState& state);
void dismiss(UiState& ui, Messages& messages, size_t message);

void withdraw(Messages& messages, std::string_view text);  // the message, if it still exists

// Drops the errors about a file, which has now been read.
void forget_errors_about(Messages& messages, std::string_view source);

// A question to the user, asked before something is done that cannot be undone or costs much.

struct Question {
    std::string title, text = {};
    std::string details;                // in secondary colour, below
    std::string yes;                    // on the button that does it; the other one says "Cancel"
    Task task;                          // if so
    std::optional<Dialog> closes = {};  // this dialog too, if so
    bool enter_does_it = false;         // or else Enter cancels
};

// Opens its dialog.
void ask(AppState& state, Question question);

}  // namespace texelscope
