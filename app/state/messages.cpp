#include "app/state/messages.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/state/app_state.h"
#include "gpu/core/errors.h"

namespace texelscope {

void post(AppState& state, Message::Level level, std::string text, std::string source) {
    for (Message& message : state.messages)
        if (message.level == level && message.text == text) {
            ++message.count;
            message.shown_at = -1;
            return;
        }
    state.messages.push_back({level, std::move(text), std::move(source)});
    // The strip has space for only a few; the oldest is removed.
    if (state.messages.size() > 4) state.messages.erase(state.messages.begin());
}

void post_offer(AppState& state, std::string text, std::string offer, std::function<void(AppState&)> accept) {
    std::vector<std::string>& made = state.offers_made;
    if (std::find(made.begin(), made.end(), text) != made.end()) return;
    made.push_back(text);
    post(state, Message::Level::info, std::move(text));
    state.messages.back().offer = std::move(offer);
    state.messages.back().accept = std::move(accept);
}

void post_error(AppState& state, const std::exception& error, std::string source) {
    const auto* of_file = dynamic_cast<const FileError*>(&error);
    post(state, Message::Level::error, error.what(), of_file ? of_file->path : std::move(source));
}

void post_saved(AppState& state, const std::string& path, const std::string& more) {
    std::error_code error;
    const std::filesystem::path full = std::filesystem::absolute(path, error);
    const std::string place = error ? path : full.lexically_normal().string();
    const std::string text = place + ": saved" + (more.empty() ? "" : ", " + more);
    post(state, Message::Level::info, text);
    for (Message& message : state.messages) {
        if (message.text != text) continue;
        message.offer = "Open";
        message.accept = [place](AppState& then) { then.tasks.push_back(task::OpenOutside{place}); };
    }
}

void withdraw(AppState& state, std::string_view text) {
    std::erase_if(state.messages, [&](const Message& message) { return message.text == text; });
}

void forget_errors_about(AppState& state, std::string_view source) {
    std::erase_if(state.messages, [&](const Message& message) {
        return message.level == Message::Level::error && message.source == source;
    });
}

}  // namespace texelscope
