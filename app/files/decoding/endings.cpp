#include "app/files/decoding/endings.h"

#include <csignal>

#include <fmt/format.h>
#include <sys/wait.h>

namespace texelscope::decoding {
namespace {

std::string crash(int signal) {
    switch (signal) {
        case SIGSEGV: return "it crashed (an invalid memory access)";
        case SIGBUS: return "it crashed (the file may have become shorter while it was read)";
        case SIGFPE: return "it crashed (a division by zero)";
        case SIGABRT: return "it gave up (abort)";
        case SIGILL:
        case SIGTRAP: return "it crashed (an invalid instruction)";
        case SIGSYS: return "it was stopped, since it tried what reading a picture does not need";
        default: return fmt::format("it was ended by signal {}", signal);
    }
}

}  // namespace

std::string words_of_ending(int status, std::string_view format_name) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (signal == SIGKILL) return "its decoder was killed, perhaps because the system ran out of memory";
    if (signal == SIGXCPU) return "its decoder was stopped, since it took far longer than such a picture should";
    return fmt::format("the {} is damaged, or its decoder is at fault: {}", format_name,
                       signal ? crash(signal) : fmt::format("it ended with status {}", WEXITSTATUS(status)));
}

}  // namespace texelscope::decoding
