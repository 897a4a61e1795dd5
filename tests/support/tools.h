#pragma once
// What any test may need of the system around it: programs that it starts, folders, memory, the environment; and what a call
// refuses.

#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

#include "gpu/core/errors.h"

namespace texelscope::test {

// A child process whose stderr can be read line by line while it runs.
class Process {
public:
    // Starts argv[0] from the PATH with these changes to the environment.
    Process(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment);
    ~Process();  // kills it if it still runs
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    bool running();
    // Seconds of processor time used so far, all threads; below 0 if unknown.
    double processor_seconds() const;
    // Whether its first thread waits for something, and not for a processor; true if that is unknown.
    bool sleeps() const;
    // Exit status, or −1 if it has not ended after this many seconds.
    int wait(double seconds);
    void terminate();
    void send(int signal);

    // Lines of stderr so far, whole ones.
    std::vector<std::string> lines();
    // Waits until a line from index `from` on satisfies the predicate: its index, or −1 after this many seconds.
    int wait_for_line(size_t from, const std::function<bool(const std::string&)>& predicate, double seconds);

private:
    void read_lines(int descriptor);

    pid_t pid_ = -1;
    int status_ = 0;
    bool ended_ = false;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<std::string> lines_;
    std::thread reader_;
};

// Runs a command to its end: exit status (−1: did not start or was killed).
int run(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment = {});

// What the system says of this process's memory.

// Bytes by a key of /proc/self/status, such as VmRSS (in memory now), VmHWM (the most of that since forget_peak()) or RssAnon
// (of that, what no file holds); 0 if it is not said.
inline size_t status_bytes(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key + ":")) return size_t(std::stoull(line.substr(key.size() + 1))) << 10;
    return 0;
}

// False if the system has no such thing.
inline bool forget_peak() {
    std::ofstream refs("/proc/self/clear_refs");
    refs << 5 << std::flush;
    return bool(refs);
}

// A variable of the environment for the time of a test.
class Variable {
public:
    Variable(const char* name, const std::string& value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        ::setenv(name, value.c_str(), 1);
    }
    ~Variable() {
        if (before_) ::setenv(name_, before_->c_str(), 1);
        else ::unsetenv(name_);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
    std::optional<std::string> before_;
};

// Where the trash of the desktop is.
class TrashBelow : public Variable {
public:
    explicit TrashBelow(const std::string& data) : Variable("XDG_DATA_HOME", data), path(data + "/Trash") {}
    std::string path;
};

// Whether the address sanitizer watches this program: it has memory, signals and allocators of its own.

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;  // GCC
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer);  // Clang
#else
inline constexpr bool sanitized = false;
#endif

// A folder that a test writes to, of its own; removed with all it holds at the end of the test.
class Folder {
public:
    // In memory if there is such a file system, where programs may not be started: tests write thousands of small files.
    Folder() : Folder(::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path()) {}
    explicit Folder(const std::filesystem::path& in) {
        std::string name = (in / "texelscope-test-XXXXXX").string();
        path_ = ::mkdtemp(name.data());
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }
    operator const std::filesystem::path&() const { return path_; }
    std::string string() const { return path_.string(); }
    std::filesystem::path write(std::string_view name, std::string_view content) const {
        std::ofstream(path_ / name, std::ios::binary) << content;
        return path_ / name;
    }
    size_t count() const {
        return size_t(std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
    }

private:
    std::filesystem::path path_;
};

// The message of the exception that the call throws; empty if there is none.
template <class Kind = Error, class Call> std::string refusal(Call call) {
    try {
        call();
    } catch (const Kind& error) {
        return error.what();
    }
    return "";
}

}  // namespace texelscope::test

// The call is refused in one sentence that contains `word`.
#define EXPECT_REFUSED(call, word)                                                    \
    do {                                                                              \
        const std::string sentence_ = texelscope::test::refusal([&] { call; });       \
        EXPECT_NE(sentence_.find(word), std::string::npos)                            \
            << #call << ": '" << sentence_ << "' should speak of '" << (word) << "'"; \
        EXPECT_EQ(sentence_.find('\n'), std::string::npos) << sentence_;              \
    } while (false)
