#include "app/request_runner.h"

#include <exception>
#include <new>

#include <fmt/format.h>

#include "app/documents.h"
#include "app/files/image_files.h"
#include "app/frame/plan.h"

namespace texelscope {
namespace {

template <class... Cases> struct Overloaded : Cases... { using Cases::operator()...; };

// What was wrong with a file no longer is.
void forget_errors_about(AppState& state, const std::string& source) {
    std::erase_if(state.messages,
                  [&](const Message& m) { return m.level == Message::Level::error && m.text.starts_with(source); });
}

// Runs it; what goes wrong becomes a message.
template <class Step> bool attempt(AppState& state, Step step) {
    try {
        step();
        return true;
    } catch (const Error& error) {
        post(state, Message::Level::error, error.what());
    } catch (const std::bad_alloc&) {
        post(state, Message::Level::error, "not enough memory for that; the old picture stays");
    } catch (const std::exception& error) {
        post(state, Message::Level::error, error.what());
    }
    return false;
}

}  // namespace

bool RequestRunner::run(AppState& state) {
    const std::vector<Request> requests = std::exchange(state.requests, {});
    for (const Request& request : requests) attempt(state, [&] { run(state, request); });
    return !requests.empty();
}

bool RequestRunner::look_at_file(AppState& state) {
    bool changed = false;
    const auto accept = [&](const std::shared_ptr<const Image>& image) {
        renderer_.sources().at(image, state.scene.light);
    };
    const bool fine = attempt(state, [&] { changed = reload_if_changed(state, accept); });
    if (changed) forget_errors_about(state, state.scene.document()->source);
    return changed || !fine;
}

void RequestRunner::open(AppState& state, const request::Open& request) {
    const int before = state.scene.current;
    open_document(state, request.source, [&](const auto& image) { renderer_.sources().at(image, state.scene.light); });
    if (request.replace && state.scene.current != before) drop_document(state, before);
    forget_errors_about(state, state.scene.document()->source);
}

void RequestRunner::save_view(AppState& state, const std::string& path) {
    const Document* document = state.scene.document();
    if (!document || !document->image || state.report.picture.empty()) return;
    check_output_name(path);
    SourceImage& source = renderer_.sources().at(document->image, state.scene.light);
    write_image(source.render_to_image(saved_request(state)), path);
    post(state, Message::Level::info,
         fmt::format("{}: saved, {}×{} pixels", path, state.report.picture.width, state.report.picture.height));
}

void RequestRunner::run(AppState& state, const Request& request) {
    const auto accept = [&](const std::shared_ptr<const Image>& image) {
        renderer_.sources().at(image, state.scene.light);
    };
    std::visit(Overloaded{
                   [&](const request::Open& r) { open(state, r); },
                   [&](const request::ShowDocument& r) { show_document(state, r.index, accept); },
                   [&](const request::Reload&) {
                       reload_document(state, accept);
                       if (state.scene.document()) forget_errors_about(state, state.scene.document()->source);
                   },
                   [&](const request::Close&) { close_document(state, accept); },
                   [&](const request::SaveView& r) { save_view(state, r.path); },
                   [&](const request::CopyText& r) {
                       window_.set_clipboard(r.text);
                       post(state, Message::Level::info, "copied: " + r.text);
                   },
                   [&](const request::ToggleFullscreen&) { window_.toggle_fullscreen(); },
                   [&](const request::LeaveFullscreen&) {
                       if (window_.fullscreen()) window_.toggle_fullscreen();
                   },
                   [&](const request::Quit&) { quit_ = true; },
               },
               request);
}

}  // namespace texelscope
