#include "app/files/bytes/file_io.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu/core/errors.h"
#include "gpu/core/text.h"

namespace fs = std::filesystem;

namespace texelscope {
namespace {

// Temporary files of outputs that were never finished, because the program was killed.

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

// ".texelscope-PROCESS-NUMBER", not used before by this process.
std::string temporary_name() {
    static std::atomic<int> number = 0;
    return fmt::format("{}{}-{}", beginning, ::getpid(), number++);
}

// Removes those of this user in `folder` whose process is gone, once per folder. Only if nothing has been written to them
// for ten minutes: on a shared file system the process may be another machine's.
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

mode_t creation_mask() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return mask;
}

// The temporary file that a signal must remove; only one at a time, others rely on their destructors.
namespace guard {

constexpr std::array signals = {SIGHUP, SIGINT, SIGTERM};
std::atomic_flag taken;
char path[PATH_MAX];
struct sigaction before[signals.size()];

// With SA_RESETHAND, raise() ends the program once this returns.
extern "C" void remove_and_end(int signal) {
    ::unlink(path);
    ::raise(signal);
}

bool begin(const std::string& name) {
    if (name.size() >= sizeof path || taken.test_and_set()) return false;
    std::memcpy(path, name.c_str(), name.size() + 1);
    struct sigaction action {};
    action.sa_handler = remove_and_end;
    action.sa_flags = int(SA_RESETHAND);
    for (size_t i = 0; i < signals.size(); ++i) {
        ::sigaction(signals[i], nullptr, &before[i]);
        // A signal that is ignored (nohup) or already handled stays that way.
        if (!(before[i].sa_flags & SA_SIGINFO) && before[i].sa_handler == SIG_DFL)
            ::sigaction(signals[i], &action, nullptr);
    }
    return true;
}

void end() {
    for (size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before[i], nullptr);
    taken.clear();
}

}  // namespace guard

// While it lives, writing to a pipe that nobody reads is an error instead of a signal for this thread.
class PipeSignalHeld {
public:
    PipeSignalHeld() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~PipeSignalHeld() {
        constexpr timespec at_once{};
        if (!sigismember(&before_, SIGPIPE)) sigtimedwait(&pipe_, nullptr, &at_once);
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    PipeSignalHeld(const PipeSignalHeld&) = delete;
    PipeSignalHeld& operator=(const PipeSignalHeld&) = delete;

private:
    sigset_t pipe_, before_;
};

}  // namespace

std::string words_of_error(int error) {
    switch (error) {
        case ENOENT:
        case ENOTDIR: return "no such file";
        case EACCES:
        case EPERM: return "permission denied";
        case ENOSPC:
        case EDQUOT: return "no space is left on the disk";
        case EROFS: return "the file system is read-only";
        case ENAMETOOLONG: return "the name is too long";
        case EPIPE: return "nobody reads the pipe any more";
        case EFBIG: return "the file would be larger than permitted";
        case EBADF: return "it is closed";
        case ENXIO: return "is a device or a pipe; only files can be read";
        default: break;
    }
    std::string words = std::strerror(error);
    words.front() = lower_case(words.front());
    return words;
}

// O_NONBLOCK: opening a pipe must not wait for its writer; pipes are refused below.
InputFile::InputFile(const fs::path& path)
    : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat info {};
    if (!file_ || ::fstat(file_.number(), &info) != 0) {
        const int error = errno;
        throw FileError(path.string(), words_of_error(error) + (error == ENOENT ? did_you_mean_file(path) : ""));
    }
    if (S_ISDIR(info.st_mode)) throw FileError(path.string(), "is a folder, not a file");
    if (!S_ISREG(info.st_mode)) throw FileError(path.string(), "is a device or a pipe; only files can be read");
    if (info.st_size == 0) throw FileError(path.string(), "the file is empty");
    size_ = size_t(info.st_size);
}

Bytes InputFile::read(size_t at_most) const {
    const size_t wanted = std::min(size_, at_most);
    Bytes bytes;
    try {
        bytes.resize(wanted);
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(fmt::format("{}: not enough memory to read its {} MiB", path_.string(), wanted >> 20));
    }
    size_t done = 0;
    while (done < wanted) {
        const ssize_t count = ::pread(file_.number(), bytes.data() + done, wanted - done, off_t(done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError(path_.string(), "cannot be read: " + words_of_error(errno));
        if (count == 0) break;  // the file has shrunk since
        done += size_t(count);
    }
    bytes.resize(done);
    return bytes;
}

std::string why_missing(const fs::path& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 ? "" : words_of_error(errno);
}

Bytes read_file(const fs::path& path) { return InputFile(path).read(); }
Bytes read_prefix(const fs::path& path, size_t at_most) { return InputFile(path).read(at_most); }

bool is_standard_output(const fs::path& path) {
    return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

bool is_stream(const fs::path& path) {
    struct stat info {};
    return is_standard_output(path) ||
           (::stat(path.c_str(), &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode)));
}

OutputFile::OutputFile(const fs::path& target)
    : shown_(is_standard_output(target) ? "standard output" : target), target_(target), stream_(is_stream(target)) {
    if (is_standard_output(target)) {
        begin_nameless();
        return;
    }
    // The file behind a link is replaced, not the link; it may be missing.
    std::error_code ignored;
    constexpr int most_links = 40;  // the system's own limit
    for (int i = 0; !stream_ && i < most_links && fs::is_symlink(target_, ignored); ++i)
        target_ = target_.parent_path() / fs::read_symlink(target_, ignored);
    struct stat info {};
    const bool exists = ::stat(target_.c_str(), &info) == 0;
    if (!exists && errno == ELOOP) throw FileError(shown_.string(), "cannot be written: " + words_of_error(ELOOP));
    if (exists && S_ISDIR(info.st_mode)) throw FileError(shown_.string(), "is a folder; name a file to write");
    if (exists && !S_ISREG(info.st_mode) && !stream_)
        throw FileError(shown_.string(), "is not a regular file or a pipe, so it cannot be written");
    if (exists && ::access(target_.c_str(), W_OK) != 0)
        throw FileError(shown_.string(),
                        fmt::format("cannot be written: the {} is write-protected", stream_ ? "pipe" : "file"));
    if (stream_) begin_nameless();
    else begin_beside(exists ? info.st_mode & 0777 : 0666 & ~creation_mask());
}

void OutputFile::begin_beside(mode_t mode) {
    std::error_code ignored;
    const fs::path folder = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored))
        throw FileError(shown_.string(), fmt::format("cannot be written: there is no folder {}", folder.string()));
    sweep_leftovers(folder);
    // Guarded before it exists, so that a signal at any moment leaves nothing behind.
    int error = EEXIST;
    for (int attempt = 0; error == EEXIST && attempt < 1000; ++attempt) {
        const std::string name = (folder / temporary_name()).string();
        guarded_ = guard::begin(name);
        descriptor_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
        error = descriptor_ < 0 ? errno : 0;
        if (descriptor_ >= 0) temporary_ = name;
        else if (std::exchange(guarded_, false)) guard::end();
    }
    if (descriptor_ < 0) throw FileError(shown_.string(), "cannot be written: " + words_of_error(error));
    ::fchmod(descriptor_, mode);
}

void OutputFile::begin_nameless() {
    std::error_code ignored;
    std::string name = (fs::temp_directory_path(ignored) / "texelscope-XXXXXX").string();
    descriptor_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor_ < 0)
        throw FileError(shown_.string(), fmt::format("cannot be written: {} (in {})", words_of_error(errno),
                                                     fs::path(name).parent_path().string()));
    ::unlink(name.c_str());
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    if (guarded_) guard::end();
}

void OutputFile::write_at(uint64_t at, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), off_t(at));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError(shown_.string(), "cannot be written: " + words_of_error(errno));
        bytes = bytes.subspan(size_t(count));
        at += uint64_t(count);
        size_ = std::max(size_, at);
    }
}

size_t OutputFile::read_at(uint64_t at, std::span<std::byte> to) const {
    size_t done = 0;
    while (done < to.size()) {
        const ssize_t count = ::pread(descriptor_, to.data() + done, to.size() - done, off_t(at + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError(shown_.string(), "cannot be read: " + words_of_error(errno));
        if (count == 0) break;
        done += size_t(count);
    }
    return done;
}

void OutputFile::pour() {
    const bool standard = is_standard_output(target_);
    if (standard) std::fflush(stdout);  // earlier output comes first
    const Descriptor to(standard ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                                 : ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    // A reader may close its pipe: unless that is standard output, this is an ordinary error that ends no program.
    std::optional<PipeSignalHeld> held;
    if (!standard) held.emplace();
    std::vector<std::byte> block(size_t(1) << 20);
    bool good = bool(to);
    for (uint64_t at = 0; good && at < size_;) {
        std::span<const std::byte> rest(block.data(), read_at(at, block));
        at += rest.size();
        while (good && !rest.empty()) {
            const ssize_t count = ::write(to.number(), rest.data(), rest.size());
            if (count > 0) rest = rest.subspan(size_t(count));
            good = count > 0 || (count < 0 && errno == EINTR);
        }
    }
    if (!good) throw FileError(shown_.string(), "cannot be written: " + words_of_error(errno));
}

void OutputFile::commit() {
    if (stream_) pour();
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0) throw FileError(shown_.string(), "cannot be written: " + words_of_error(errno));
    if (!stream_ && ::rename(temporary_.c_str(), target_.c_str()) != 0)
        throw FileError(shown_.string(), "cannot be written: " + words_of_error(errno));
    temporary_.clear();
}

void write_text(const fs::path& path, std::string_view text) {
    OutputFile file(path);
    file.write(std::as_bytes(std::span(text)));
    file.commit();
}

ReadAt bytes_of(int descriptor) {
    return [descriptor](uint64_t offset, size_t count) {
        Bytes bytes;
        while (bytes.size() < count && offset + bytes.size() <= uint64_t(std::numeric_limits<off_t>::max())) {
            constexpr size_t piece = size_t(1) << 20;  // a damaged length is not allocated at once
            const size_t before = bytes.size();
            bytes.resize(before + std::min(count - before, piece));
            const ssize_t got =
                ::pread(descriptor, bytes.data() + before, bytes.size() - before, off_t(offset + before));
            bytes.resize(before + size_t(std::max<ssize_t>(got, 0)));
            if (got <= 0) break;
        }
        return bytes;
    };
}

}  // namespace texelscope
