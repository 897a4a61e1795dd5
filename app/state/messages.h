#pragma once
// Messages to the user, over the lower edge of the picture.

#include <exception>
#include <functional>
#include <string>
#include <string_view>

namespace texelscope {

struct AppState;

struct Message {
    enum class Level { hint, info, warning, error };
    Level level = Level::info;
    std::string text;
    std::string source = {};  // the file it is about; empty: none
    int count = 1;            // counts repetitions of the same text
    double shown_at = -1;     // seconds; when it was first on the screen

    // A button that does something, and with that the message goes; no title: none.
    std::string offer = {};
    std::function<void(AppState&)> accept = {};
};

void post(AppState& state, Message::Level level, std::string text, std::string source = {});

// A message with a button, each text only once while the program runs.
void post_offer(AppState& state, std::string text, std::string offer, std::function<void(AppState&)> accept);

// An error. `source`: the file that it is about, unless the error names one itself.
void post_error(AppState& state, const std::exception& error, std::string source = {});

// A file or folder has been written: "/home/ann/report.html: saved, 640×480 pixels". `more`: the words after the comma.
void post_saved(AppState& state, const std::string& path, const std::string& more = "");

void withdraw(AppState& state, std::string_view text);  // the message, if it still exists

// Drops the errors about a file, which has now been read.
void forget_errors_about(AppState& state, std::string_view source);

}  // namespace texelscope
