#pragma once
// Compiles what is typed into the editor of kernels, in the background.

#include <memory>
#include <string>

#include "app/state/app_state.h"
#include "app/work/work.h"

namespace texelscope {

class KernelCompiler : public Worker {
public:
    explicit KernelCompiler(std::function<void()> wake) : work_(std::move(wake)) {}

    // Begins once typing rests, and takes what has come of it. True if that is new.
    bool poll(AppState& state) override;
    void wake(const AppState& state, WakeUp& wake_up) const override;

private:
    struct Question {
        std::string text;
        int compute_capability = 0;
    };
    struct Answer {
        const MethodInfo* method = nullptr;
        std::string said;
    };

    bool take(AppState& state);
    BackgroundWork<Question, Answer> work_;
};

}  // namespace texelscope
