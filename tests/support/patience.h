#pragma once
// How long a part of the viewer lets the window sleep.

#include "app/state/app_state.h"
#include "app/state/wake_up.h"

namespace texelscope::test {

// Seconds; below 0: until there is input. `part` has a member wake(), or is such a function of the state.
template <class Part> double patience_of(const Part& part, const AppState& state) {
    WakeUp wake_up(state.now);
    if constexpr (requires { part(state, wake_up); }) part(state, wake_up);
    else if constexpr (requires { part.wake(state, wake_up); }) part.wake(state, wake_up);
    else part.wake(wake_up);
    return wake_up.patience(state.now);
}

}  // namespace texelscope::test
