#include "app/cli/progress.h"

#include <atomic>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "app/studies/experiments/experiment.h"

namespace texelscope {

Progress::Progress(size_t total) : total_(total), terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::show(size_t done) {
    constexpr size_t width = 40;
    const double elapsed = watch_.ms() / 1000;
    if (!terminal_ || elapsed < 1 || done == 0) return;
    const size_t filled = size_t(double(width) * double(done) / double(total_));
    const double left = elapsed * double(total_ - done) / double(done);
    fmt::print(stderr, "\r[{}{}] {:3.0f} %, {:.0f} s left ", std::string(filled, '#'), std::string(width - filled, '.'),
               100.0 * double(done) / double(total_), left);
    std::fflush(stderr);
    drawn_ = true;
}

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
