#include "app/files/bytes/child_program.h"

#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// Only calls that are safe between fork and exec.
[[noreturn]] void become(char* const* command, int input, int nowhere) {
    ::dup2(input, 0);
    ::dup2(nowhere, 1);
    ::dup2(nowhere, 2);
    ::close_range(3, ~0u, 0);  // it must not inherit those of the GPU and the display
    ::execv(command[0], command);
    ::_exit(127);
}

}  // namespace

std::string program_on_path(const char* program) {
    const char* path = std::getenv("PATH");
    std::string folders = path ? path : "";
    while (!folders.empty()) {
        const size_t colon = folders.find(':');
        const std::filesystem::path file = std::filesystem::path(folders.substr(0, colon)) / program;
        if (file.is_absolute() && ::access(file.c_str(), X_OK) == 0) return file.string();
        folders = colon == folders.npos ? "" : folders.substr(colon + 1);
    }
    return {};
}

// As a grandchild, so that no one has to wait for its end.
void launch(const std::vector<std::string>& command, int input, const std::string& name) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    const pid_t child = ::fork();
    if (child == 0) {
        ::setsid();
        const pid_t grandchild = ::fork();
        if (grandchild == 0) become(words.data(), input, nowhere);
        ::_exit(grandchild < 0 ? 1 : 0);
    }
    int status = 0;
    const bool started =
        child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (nowhere >= 0) ::close(nowhere);
    if (!started) throw Error(name + " could not be started: the system cannot create another process");
}

}  // namespace texelscope
