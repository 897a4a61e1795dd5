#pragma once
// Steps of tasks: errors become messages, and what fails leaves the state as it was.

#include <exception>
#include <functional>
#include <new>
#include <string>
#include <utility>

#include "app/picture/frame/frame_renderer.h"
#include "app/state/app_state.h"
#include "app/viewer/loop/documents.h"

namespace texelscope {

// Takes the step; errors become messages about the source. True if there was none.
inline bool attempt(FrameRenderer& renderer, Messages& messages, const std::string& source,
                    const std::function<void()>& step) {
    try {
        step();
        return true;
    } catch (const DeviceLost& error) {
        renderer.lose(error);
        post_error(messages, error, source);
    } catch (const Error& error) {
        post_error(messages, error, source);
    } catch (const std::bad_alloc&) {
        post(messages, Message::Level::error, "not enough memory; the old picture stays", source);
    } catch (const std::exception& error) {
        post_error(messages, error, source);
    }
    return false;
}

// Either `step` is taken, or the scene, what is shown beside it and the lesson stay as they were.
template <class Step> StillWanted all_or_nothing(AppState& state, Step step) {
    Scene scene = state.scene;
    Appearance appearance = state.ui;
    LessonState lesson = state.lesson;
    const auto transition = state.transition;
    const auto put_back = [&] {
        state.scene = std::move(scene);  // needs no memory
        static_cast<Appearance&>(state.ui) = std::move(appearance);
        state.lesson = std::move(lesson);
        state.transition = transition;
    };
    StillWanted wanted;
    try {
        wanted = step();
    } catch (...) {
        put_back();
        throw;
    }
    if (wanted) put_back();
    return wanted;
}

}  // namespace texelscope
