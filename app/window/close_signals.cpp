#include "app/window/window.h"

#include <atomic>
#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include <GLFW/glfw3.h>

namespace texelscope {
namespace {

// A handler may do little more than write to a pipe; a thread reads from it and wakes the window.
std::atomic<int> pipe_to_write = -1;
constexpr char close_window = 'c', no_more = 'n';

void tell(char what) {
    const int error = errno;
    static_cast<void>(::write(pipe_to_write, &what, 1) == 1);
    errno = error;
}

}  // namespace

CloseSignals::CloseSignals(const Window& window) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    read_ = ends[0];
    pipe_to_write = ends[1];
    waiting_ = std::thread([descriptor = read_, handle = window.handle()] {
        for (char what = 0; ::read(descriptor, &what, 1) == 1 && what == close_window;) {
            glfwSetWindowShouldClose(handle, GLFW_TRUE);
            glfwPostEmptyEvent();
        }
    });
    struct sigaction action {};
    action.sa_handler = [](int) { tell(close_window); };
    action.sa_flags = int(SA_RESETHAND) | SA_RESTART;
    for (size_t i = 0; i < signals.size(); ++i) {
        ::sigaction(signals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) ::sigaction(signals[i], &action, nullptr);
    }
}

CloseSignals::~CloseSignals() {
    if (read_ < 0) return;
    for (size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before_[i], nullptr);
    tell(no_more);
    waiting_.join();
    ::close(read_);
    ::close(pipe_to_write.exchange(-1));
}

}  // namespace texelscope
