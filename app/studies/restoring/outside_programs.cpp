// Other programs as methods: they get a file and leave one. What they have made is kept.

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/reading/image_files.h"
#include "app/studies/restoring/outside_methods.h"
#include "app/text/text.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"
#include "gpu/core/timing.h"

namespace texelscope {
namespace {

constexpr size_t most_kept = 8, most_kept_bytes = size_t(512) << 20;

struct KeptRun {
    std::string command;
    Extent size;
    uint64_t given;  // hash of what the program got
    std::shared_ptr<const Image> made;
    double ms;
};

// Runs of this process, the latest first.
class KeptRuns {
public:
    static KeptRuns& all() {
        static KeptRuns runs;
        return runs;
    }

    std::shared_ptr<const Image> find(const std::string& command, Extent size, uint64_t given) {
        const std::lock_guard lock(mutex_);
        for (const KeptRun& run : runs_)
            if (run.command == command && run.size == size && run.given == given) return run.made;
        return nullptr;
    }
    void keep(KeptRun run) {
        const std::lock_guard lock(mutex_);
        runs_.push_front(std::move(run));
        size_t bytes = 0, count = 0;
        std::erase_if(runs_, [&](const KeptRun& each) {
            bytes += each.made->size_bytes();
            return ++count > 1 && (count > most_kept || bytes > most_kept_bytes);
        });
    }
    double ms_of(const std::string& command) {
        const std::lock_guard lock(mutex_);
        for (const KeptRun& run : runs_)
            if (run.command == command) return run.ms;
        return 0;
    }

private:
    std::mutex mutex_;
    std::list<KeptRun> runs_;
};

}  // namespace

std::shared_ptr<const Image> enlarged_by_program(const Image& given, const std::string& command, double factor,
                                                 const std::function<void()>& check) {
    const auto side = [&](int n) { return int(std::lround(n * factor)); };
    const Extent size{side(given.width()), side(given.height())};
    const uint64_t hash =
        fnv1a({given.data(), given.size_bytes()}, uint64_t(given.type()) * 64 + uint64_t(given.channels()));
    if (auto made = KeptRuns::all().find(command, size, hash)) return made;
    OutsideResult result = program_method(command, {}).make(given, size, check);
    check_outside_size({result.image.width(), result.image.height()}, size, command_name(command));
    auto made = std::make_shared<const Image>(std::move(result.image));
    KeptRuns::all().keep({command, size, hash, made, result.milliseconds});
    return made;
}

double ms_of_program(const std::string& command) { return KeptRuns::all().ms_of(command); }

namespace {

namespace fs = std::filesystem;

constexpr size_t most_name = 48;                      // bytes of a method's name
constexpr size_t most_said = 4096, most_words = 400;  // bytes that are looked at, and shown

// A folder of one run's files.
class RunFolder {
public:
    RunFolder() {
        std::error_code ignored;
        std::string name = (fs::temp_directory_path(ignored) / "texelscope-XXXXXX").string();  // as mkdtemp() wants it
        if (!::mkdtemp(name.data())) throw FileError(name, words_of_error(errno));
        path_ = name;
    }
    ~RunFolder() {
        std::error_code none;
        fs::remove_all(path_, none);
    }
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

// A place of a command, "{in}" or "{in.npy}": where it is, and the extension.
struct Place {
    size_t at = std::string::npos, size = 0;
    std::string extension = "png";
};

Place place_of(const std::string& text, const std::string& name) {
    Place place;
    const size_t at = text.find("{" + name), end = text.find('}', at);
    if (at == text.npos || end == text.npos) return place;
    const std::string rest = text.substr(at + 1 + name.size(), end - at - 1 - name.size());
    if (!rest.empty() && (rest[0] != '.' || rest.size() < 2 || rest.find_first_of("{/ ") != rest.npos)) return place;
    place = {at, end + 1 - at, rest.empty() ? "png" : rest.substr(1)};
    return place;
}

std::string quoted_for_shell(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

// All places of this name become `words`.
void fill(std::string& text, const std::string& name, const std::string& words) {
    for (Place place; (place = place_of(text, name)).at != text.npos;) text.replace(place.at, place.size, words);
}

// What was said last, without what a progress bar has overwritten.
std::string last_line(const fs::path& file) {
    std::string text;
    try {
        const InputFile said(file);
        const size_t from = said.size() - std::min(said.size(), most_said);
        const Bytes bytes = bytes_of(said.descriptor())(from, most_said);
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    } catch (const Error&) {  // empty
    }
    const std::string_view all = trimmed(text);
    const size_t line = all.find_last_of("\r\n");
    return printable(line == all.npos ? all : all.substr(line + 1), most_words);
}

// Kills what has this in its environment, also if it left the process group, until nothing has it any more.
void kill_marked(const std::string& mark) {
    bool found = true;
    for (int round = 0; found && round < 8; ++round) {
        found = false;
        std::error_code none;
        for (const auto& entry : fs::directory_iterator("/proc", none)) {
            const pid_t process = std::atoi(entry.path().filename().c_str());
            if (process <= 0) continue;
            std::ifstream file(entry.path() / "environ", std::ios::binary);  // empty if it is another user's
            const std::string all{std::istreambuf_iterator<char>(file), {}};
            if (all.find(mark) != all.npos) found |= ::kill(process, SIGKILL) == 0;
        }
    }
}

// A pipe whose other end closes when this program ends, however that happens.
class LifeLine {
public:
    LifeLine() {
        if (::pipe2(ends_, O_CLOEXEC) != 0) throw Error(fmt::format("no pipe: {}", words_of_error(errno)));
    }
    ~LifeLine() {
        ::close(ends_[0]);
        ::close(ends_[1]);
    }
    LifeLine(const LifeLine&) = delete;
    LifeLine& operator=(const LifeLine&) = delete;

    int end() const { return ends_[0]; }

private:
    int ends_[2];
};

// Runs a shell's command in a process group of its own: what waitpid says. At its end, kills all that it started.
int run_in_group(const std::string& command, const fs::path& said, const ProgramLimits& limits, const std::string& name,
                 const std::function<void()>& check) {
    // The shell limits memory and files of itself and of all that it starts: posix_spawn() cannot. Memory is what is written
    // to: programs for GPUs reserve addresses without end. If this program is killed, a reader of its life line ends the group.
    const std::string mark = fmt::format("TEXELSCOPE_RUN={}", said.string());  // its folder is this run's own
    const std::string limited = fmt::format(
        "export {}\n( ( read -r end; rm -rf {}; kill -s KILL -- -$$ ) <&3 & ) >/dev/null 2>&1\nexec 3<&-\n"
        "ulimit -c 0; ulimit -d {} && ulimit -f {} && {{ {}\n}}",
        quoted_for_shell(mark), quoted_for_shell(said.parent_path().string()), limits.bytes >> 10, limits.bytes >> 9,
        command);
    const LifeLine line;
    const char* words[] = {"/bin/sh", "-c", limited.c_str(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, said.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawn_file_actions_adddup2(&actions, line.end(), 3);
    posix_spawn_file_actions_addclosefrom_np(&actions, 4);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    pid_t child = 0;
    const int error = ::posix_spawn(&child, words[0], &actions, &attributes, const_cast<char* const*>(words), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw Error(fmt::format("{}: it cannot be started: {}", name, words_of_error(error)));

    struct Ended {
        pid_t group;
        const std::string& mark;
        bool waited = false;
        ~Ended() {
            ::kill(-group, SIGKILL);
            if (!waited) ::waitpid(group, nullptr, 0);
            kill_marked(mark);
        }
    } ended{child, mark};
    const StopWatch watch;
    for (int status = 0;;) {
        if (::waitpid(child, &status, WNOHANG) == child) {
            ended.waited = true;
            return status;
        }
        if (watch.ms() > 1000 * limits.seconds)
            throw Error(fmt::format("{}: it did not end within {:g} s (--command-seconds)", name, limits.seconds));
        check();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

std::string status_words(int status, const ProgramLimits& limits) {
    constexpr int of_signals = 128;  // what a shell adds to the signal that ended a program of its own
    const int exit = WIFSIGNALED(status) ? of_signals + WTERMSIG(status) : WEXITSTATUS(status);
    if (exit == of_signals + SIGXFSZ)
        return fmt::format("it wrote more than {:.3g} GiB (--command-memory)", double(limits.bytes) / 0x1p30);
    if (exit > of_signals && exit < of_signals + NSIG)
        return fmt::format("it was ended by signal {}", exit - of_signals);
    return fmt::format("it ended with status {}", exit);
}

}  // namespace

namespace {

// What is read of a program's result. Throws Error that names the program, not the file.
template <class Read> auto read_of(const std::string& name, Read read) try {
    return read();
} catch (const Error& error) {
    const std::string problem = error.what();
    const size_t colon = problem.find(": ");
    throw Error(
        fmt::format("{}: what it wrote cannot be read{}", name, colon == problem.npos ? "" : problem.substr(colon)));
}

}  // namespace

std::string command_name(const std::string& command) {
    constexpr std::string_view before = "command ";
    std::string name = std::string(before) + command.substr(0, most_name);
    if (command.size() <= most_name) return name;
    while ((command[name.size() - before.size()] & 0xC0) == 0x80) name.pop_back();  // no part of a letter
    return name + "…";
}

std::span<const ExampleCommand> example_commands() {
    static constexpr ExampleCommand examples[] = {
        {"ImageMagick, Mitchell", "convert {in} -filter Mitchell -resize {width}x{height}! {out}", 2.5},
        {"ImageMagick, floats",
         "convert {in.tif} -filter Lanczos -resize {width}x{height}! -define quantum:format=floating-point -depth 32 {out.tif}",
         2.5},
        {"ffmpeg, Lanczos", "ffmpeg -v error -i {in} -vf scale={width}:{height}:flags=lanczos {out}", 2.5},
        {"ffmpeg, hqx (×2, ×3, ×4)", "ffmpeg -v error -i {in} -vf hqx={factor},format=rgb24 {out}", 3},
        {"ffmpeg, xbr (×2, ×3, ×4)", "ffmpeg -v error -i {in} -vf xbr={factor},format=rgb24 {out}", 3},
        {"ffmpeg, Super 2×SaI (×2)", "ffmpeg -v error -i {in} -vf super2xsai,format=rgb24 {out}", 2},
        {"ffmpeg, libplacebo on a GPU",
         "ffmpeg -v error -init_hw_device vulkan -i {in} -vf "
         "format=rgba,hwupload,libplacebo=w={width}:h={height}:upscaler=ewa_lanczos:format=rgba,hwdownload,format=rgba,"
         "format=rgb24 {out}",
         2.5},
        {"vips, cubic", "vips resize {in} {out} {factor} --kernel cubic", 2},
        {"potrace, traced in black and white",
         "convert {in} -threshold 50% pbm:- | potrace -b pgm -x {factor} -o {out.pgm} -", 2},
        {"waifu2x-ncnn-vulkan (×2, ×4)", "waifu2x-ncnn-vulkan -i {in} -o {out} -s {factor}", 2}};
    return examples;
}

OutsideMethod program_method(const std::string& command, const ProgramLimits& limits) {
    const Place in = place_of(command, "in"), out = place_of(command, "out");
    if (in.at == command.npos || out.at == command.npos)
        throw UsageError(
            fmt::format("a command needs {{in}} and {{out}}, for the names of files, or {{in.npy}} and "
                        "{{out.tif}} for floats, not '{}'",
                        command));
    check_output_name("in." + in.extension);
    const std::string name = command_name(command);
    const auto make = [=](const Image& given, Extent size, const std::function<void()>& check) {
        const RunFolder folder;
        const fs::path from = folder.path() / ("in." + in.extension), to = folder.path() / ("out." + out.extension),
                       said = folder.path() / "said";
        write_image(given, from);
        std::string text = command;
        fill(text, "in", quoted_for_shell(from.string()));
        fill(text, "out", quoted_for_shell(to.string()));
        fill(text, "width", std::to_string(size.width));
        fill(text, "height", std::to_string(size.height));
        fill(text, "factor", fmt::format("{:.17g}", double(size.width) / given.width()));
        const StopWatch watch;
        const int status = run_in_group(text, said, limits, name, check);
        const double milliseconds = watch.ms();
        const std::string line = last_line(said), why = line.empty() ? "" : ": " + line;
        if (status != 0) throw Error(fmt::format("{}: {}{}", name, status_words(status, limits), why));
        std::error_code none;
        if (!fs::exists(to, none) || fs::file_size(to, none) == 0)
            throw Error(fmt::format("{}: it wrote nothing to {{out}}{}", name, why));
        const PictureShape shape = read_of(name, [&] { return read_facts(to).shape; });
        check_outside_size({shape.width, shape.height}, size, name);  // before its samples take memory
        return OutsideResult{read_of(name, [&] { return read_image(to); }), milliseconds};
    };
    return {outside_spec("command:" + command, name), make, [command] { return command; }};
}

}  // namespace texelscope
