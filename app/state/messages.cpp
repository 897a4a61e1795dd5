#include "app/state/messages.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/state/app_state.h"
#include "app/state/panes.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// Long texts take longer to read, and what went wrong has to be noticed first.
double seconds_to_read(const Message& message) {
    constexpr double info_seconds = 6, offer_seconds = 15, hint_seconds = 20, least_of_problems = 10,
                     letters_per_second = 12;
    if (message.level == Message::Level::hint) return hint_seconds;
    if (!message.offer.empty()) return offer_seconds;
    if (message.level == Message::Level::info) return info_seconds;
    return std::max(least_of_problems, 4 + double(message.text.size()) / letters_per_second);
}

// What makes room for a new one: the oldest, but an offer or a hint, which would not come again, only if all are.
size_t least_missed(const std::vector<Message>& messages) {
    const auto found = std::find_if(messages.begin(), messages.end() - 1, [](const Message& message) {
        return !message.patient && message.level != Message::Level::hint;
    });
    return found == messages.end() - 1 ? 0 : size_t(found - messages.begin());
}

}  // namespace

void post(Messages& messages, Message::Level level, std::string text, std::string source) {
    for (Message& message : messages)
        if (message.level == level && message.text == text) {
            ++message.count;
            message.shown_at = -1;
            message.read = 0;
            return;
        }
    messages.push_back({level, std::move(text), std::move(source)});
    if (messages.size() > most_messages) messages.erase(messages.begin() + std::ptrdiff_t(least_missed(messages)));
}

void post_one_of(Messages& messages, Message::Level level, std::string kind, std::string text, std::string source) {
    int before = 0;
    std::erase_if(messages, [&](const Message& message) {
        if (message.kind != kind) return false;
        if (level == Message::Level::error) before += message.before + (message.text == text ? 0 : 1);
        return true;
    });
    post(messages, level, std::move(text), std::move(source));
    messages.back().kind = std::move(kind);
    messages.back().before = before;
}

namespace {

// The sources of the pictures that the panes in view show, each once.
std::vector<std::string> sources_in_view(const Scene& scene) {
    std::vector<std::string> sources;
    for (const int pane : panes_in_view(scene))
        if (const Document* document = document_of(scene, scene.panes[size_t(pane)]))
            sources.push_back(document->source);
    std::ranges::sort(sources);
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    return sources;
}

}  // namespace

void post_about(AppState& state, Message::Level level, std::string kind, std::string text,
                std::function<bool(const AppState&)> holds) {
    post_one_of(state.messages, level, std::move(kind), std::move(text));
    state.messages.back().pointless = [shown = sources_in_view(state.scene),
                                       holds = std::move(holds)](const AppState& then) {
        return sources_in_view(then.scene) != shown || (holds && !holds(then));
    };
}

std::string words_of(const Message& message) {
    std::string text = message.text;
    if (message.count > 1) text += fmt::format("  ({} times)", message.count);
    if (message.before > 0) text += fmt::format("  (and {} before it)", message.before);
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

void post_offer(AppState& state, std::string text, std::string offer, std::function<void(AppState&)> accept,
                std::function<bool(const AppState&)> pointless) {
    std::vector<std::string>& made = state.offers_made;
    if (std::find(made.begin(), made.end(), text) != made.end()) return;
    made.push_back(text);
    post(state.messages, Message::Level::info, std::move(text));
    state.messages.back().offer = std::move(offer);
    state.messages.back().accept = std::move(accept);
    state.messages.back().patient = true;
    state.messages.back().pointless = std::move(pointless);
}

void post_error(Messages& messages, const std::exception& error, std::string source) {
    const auto* of_file = dynamic_cast<const FileError*>(&error);
    post(messages, Message::Level::error, error.what(), of_file ? of_file->path : std::move(source));
}

void post_saved(Messages& messages, const std::string& path, const std::string& more) {
    std::error_code error;
    const std::filesystem::path full = std::filesystem::absolute(path, error);
    const std::string place = error ? path : full.lexically_normal().string();
    const std::string text = place + ": saved" + (more.empty() ? "" : ", " + more);
    post(messages, Message::Level::info, text);
    for (Message& message : messages) {
        if (message.text != text) continue;
        message.offer = "Open";
        message.accept = [place](AppState& then) { then.tasks.push_back(task::OpenOutside{place}); };
    }
}

namespace {

bool shows_news(const AppState& state) {
    return std::ranges::any_of(state.messages, [&](const Message& message) {
        return message.level != Message::Level::hint && shows(state, message);
    });
}

}  // namespace

bool shows(const AppState& state, const Message& message) {
    if (message.level != Message::Level::hint) return !message.patient || (!state.presenter.on && !state.lesson.lesson);
    return state.ui.panels && !state.ui.panel_over && !state.ui.dialogs.topmost() && !state.presenter.on &&
           panes_in_view(state.scene).size() < 2 && !shows_news(state);
}

void pass_time(Message& message, double now, bool held) {
    if (message.shown_at < 0) message.shown_at = message.looked_at = now;
    if (!message.held) message.read += now - message.looked_at;
    message.looked_at = now;
    message.held = held;
}

std::optional<double> seconds_left(const Message& message) {
    if (message.shown_at < 0 || message.held) return {};
    if (message.patient && message.uses < uses_of_hint) return {};
    return seconds_to_read(message) - message.read;
}

void drop_read(AppState& state) {
    const bool news = shows_news(state);
    bool hint_read = false;
    std::erase_if(state.messages, [&](const Message& message) {
        const bool hint = message.level == Message::Level::hint;
        const std::optional<double> left = seconds_left(message);
        const bool read = (left && message.looked_at + *left <= state.now) || (hint && news && message.shown_at >= 0);
        hint_read = hint_read || (hint && read);
        return read || (message.pointless && message.pointless(state));
    });
    state.ui.hint_dismissed = state.ui.hint_dismissed || hint_read;
}

void dismiss_hint(AppState& state) {
    if (state.ui.hint_dismissed) return;
    std::erase_if(state.messages, [](const Message& message) { return message.level == Message::Level::hint; });
    state.ui.hint_dismissed = true;
}

void dismiss(UiState& ui, Messages& messages, size_t message) {
    if (messages[message].level == Message::Level::hint) ui.hint_dismissed = true;
    messages.erase(messages.begin() + std::ptrdiff_t(message));
}

bool dismiss_newest(AppState& state) {
    for (size_t i = state.messages.size(); i-- > 0;)
        if (shows(state, state.messages[i])) return dismiss(state.ui, state.messages, i), true;
    return false;
}

void withdraw(Messages& messages, std::string_view text) {
    std::erase_if(messages, [&](const Message& message) { return message.text == text; });
}

void forget_errors_about(Messages& messages, std::string_view source) {
    std::erase_if(messages, [&](const Message& message) {
        return message.level == Message::Level::error && message.source == source;
    });
}

void ask(AppState& state, Question question) {
    state.question = std::move(question);
    state.ui.dialogs.open(Dialog::question);
}

}  // namespace texelscope
