#include "app/files/bytes/leftovers.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace texelscope {
namespace {

constexpr std::string_view beginning = ".texelscope-";
constexpr time_t untouched_for = 600;  // seconds

std::optional<pid_t> process_of(std::string_view name) {
    if (!name.starts_with(beginning)) return {};
    const char* end = name.data() + name.size();
    pid_t process = 0;
    const auto [dash, error] = std::from_chars(name.data() + beginning.size(), end, process);
    if (error != std::errc() || process <= 0 || dash == end || *dash != '-') return {};
    int number = 0;
    const auto [rest, second] = std::from_chars(dash + 1, end, number);
    if (second != std::errc() || rest != end) return {};
    return process;
}

bool is_leftover(const fs::path& path) {
    const auto process = process_of(path.filename().native());
    if (!process || ::kill(*process, 0) == 0 || errno != ESRCH) return false;
    struct stat info {};
    return ::lstat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid() &&
           std::time(nullptr) - info.st_mtime >= untouched_for;
}

}  // namespace

std::string temporary_name() {
    static std::atomic<int> number = 0;
    return fmt::format("{}{}-{}", beginning, ::getpid(), number++);
}

void sweep_leftovers(const fs::path& folder) {
    static std::mutex mutex;
    static std::set<fs::path> swept;
    std::error_code ignored;
    {
        const std::lock_guard lock(mutex);
        if (!swept.insert(fs::weakly_canonical(folder, ignored)).second) return;
    }
    for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored))
        if (is_leftover(entry->path())) ::unlink(entry->path().c_str());
}

}  // namespace texelscope
