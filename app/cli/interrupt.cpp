#include "app/cli/interrupt.h"

#include <atomic>

#include "app/studies/experiments/experiment.h"

namespace texelscope {
namespace {

std::atomic<bool> asked = false;

}  // namespace

Interrupt::Interrupt() {
    asked = false;
    struct sigaction action {};
    action.sa_handler = [](int) { asked = true; };
    ::sigaction(SIGINT, &action, &before_);
    if (before_.sa_handler == SIG_IGN) ::sigaction(SIGINT, &before_, nullptr);  // nohup and the like
}

Interrupt::~Interrupt() { ::sigaction(SIGINT, &before_, nullptr); }

void Interrupt::check() {
    if (asked) throw Cancelled("cancelled; nothing was written");
}

}  // namespace texelscope
