#include "tests/support/tools.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

namespace texelscope::test {
namespace {

using Clock = std::chrono::steady_clock;

pid_t spawn(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment,
            int error_descriptor) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const pid_t pid = fork();
    if (pid != 0) return pid;
    for (const auto& [name, value] : environment) {
        if (value.empty()) unsetenv(name.c_str());
        else setenv(name.c_str(), value.c_str(), 1);
    }
    if (error_descriptor >= 0) dup2(error_descriptor, 2);
    execvp(argv[0], argv.data());
    _exit(127);
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    pid_ = spawn(arguments, environment, ends[1]);
    close(ends[1]);
    reader_ = std::thread([this, descriptor = ends[0]] { read_lines(descriptor); });
}

Process::~Process() {
    if (running()) {
        kill(pid_, SIGKILL);
        wait(5);
    }
    if (reader_.joinable()) reader_.join();
}

void Process::read_lines(int descriptor) {
    std::string pending;
    char buffer[4096];
    for (ssize_t count; (count = read(descriptor, buffer, sizeof buffer)) > 0;) {
        pending.append(buffer, size_t(count));
        for (size_t end; (end = pending.find('\n')) != std::string::npos; pending.erase(0, end + 1)) {
            const std::lock_guard lock(mutex_);
            lines_.push_back(pending.substr(0, end));
        }
        arrived_.notify_all();
    }
    close(descriptor);
}

double Process::processor_seconds() const {
    clockid_t clock;
    timespec time{};
    if (pid_ <= 0 || clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

bool Process::sleeps() const {
    std::ifstream stat("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(pid_) + "/stat");
    std::string number, name, state;
    return !(stat >> number >> name >> state) || (state != "R" && state != "D");
}

bool Process::running() {
    if (pid_ <= 0 || ended_) return false;
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) {
        ended_ = true;
        status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return !ended_;
}

int Process::wait(double seconds) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (running()) {
        if (Clock::now() > end) return -1;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return status_;
}

void Process::terminate() { send(SIGTERM); }

void Process::send(int signal) {
    if (running()) kill(pid_, signal);
}

std::vector<std::string> Process::lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
}

int Process::wait_for_line(size_t from, const std::function<bool(const std::string&)>& predicate, double seconds) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    std::unique_lock lock(mutex_);
    for (size_t i = from;;) {
        for (; i < lines_.size(); ++i)
            if (predicate(lines_[i])) return int(i);
        if (arrived_.wait_until(lock, end) == std::cv_status::timeout && i >= lines_.size()) return -1;
    }
}

int run(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment) {
    const pid_t pid = spawn(arguments, environment, -1);
    int status = 0;
    if (pid <= 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

}  // namespace texelscope::test
