#include "app/studies/restoring/outside_methods.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/text/text.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"
#include "gpu/core/timing.h"

namespace texelscope {
namespace {

constexpr std::string_view result_prefix = "result:", command_prefix = "command:";

struct OutsideRecord {
    std::string id, name;
    MethodInfo info;
};

bool is_opaque(const Image& image) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.value(x, y, image.channels() - 1) != 1) return false;
    return true;
}

bool is_grey(const Image& image) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            for (int c = 1; c < 3; ++c)
                if (image.value(x, y, c) != image.value(x, y, 0)) return false;
    return true;
}

std::string channel_words(int channels, bool alpha) {
    return fmt::format("{} channel{}{}", channels, channels == 1 ? "" : "s", alpha ? " with alpha" : "");
}

}  // namespace

MethodSpec outside_spec(std::string_view id, std::string_view name) {
    static std::mutex mutex;
    static std::map<std::string, OutsideRecord, std::less<>> records;  // their addresses stay
    const std::lock_guard lock(mutex);
    auto at = records.find(id);
    if (at == records.end()) {
        at = records.emplace(id, OutsideRecord{std::string(id), std::string(name), {}}).first;
        at->second.info.id = at->second.id;
        at->second.info.name = at->second.name;
        at->second.info.summary = "A result that was made by another program.";
    }
    MethodSpec spec;
    spec.method = &at->second.info;
    return spec;
}

bool is_outside(const MethodSpec& spec) {
    return spec.method->id.starts_with(result_prefix) || spec.method->id.starts_with(command_prefix);
}

std::string full_spec_text(const MethodSpec& spec) {
    return is_outside(spec) ? std::string(spec.method->id) : to_string(spec);
}

MethodSpec spec_of_text(const std::string& text) {
    if (text.starts_with(result_prefix)) return outside_spec(text, std::string_view(text).substr(result_prefix.size()));
    if (text.starts_with(command_prefix)) return outside_spec(text, command_name(text.substr(command_prefix.size())));
    return parse_spec(text);
}

OutsideMethod result_method(const std::string& text, const std::string& stem) {
    const size_t equals = text.find('=');
    if (equals == text.npos || equals == 0 || equals + 1 == text.size())
        throw UsageError(
            fmt::format("--result must be NAME=FILE, for example waifu=made/{{name}}.png, not '{}'", text));
    const std::string name = text.substr(0, equals);
    const std::string file = typed_source(with_name(text.substr(equals + 1), stem));
    const auto make = [file](const Image&, Extent, const auto&) {
        return OutsideResult{load_image(file), std::numeric_limits<double>::quiet_NaN()};
    };
    const auto identity = [file] { return fmt::format("{:016x}", fnv1a(read_file(file))); };
    return {outside_spec(fmt::format("{}{}", result_prefix, name), name), make, identity};
}

std::string with_name(std::string pattern, const std::string& stem) {
    constexpr std::string_view place = "{name}";
    for (size_t at = 0; (at = pattern.find(place, at)) != pattern.npos; at += stem.size())
        pattern.replace(at, place.size(), stem);
    return pattern;
}

Image outside_values(const Image& result, const Image& original, Extent size, const std::string& name) {
    if (result.width() != size.width || result.height() != size.height)
        throw Error(fmt::format("{}: it is {}×{} instead of {}×{}", name, result.width(), result.height(), size.width,
                                size.height));
    const bool wanted_alpha = original.alpha() != Alpha::none;
    bool alpha = result.alpha() != Alpha::none;
    int channels = result.channels();
    if (alpha && !wanted_alpha && is_opaque(result)) alpha = false, --channels;
    const int colours = channels - (alpha ? 1 : 0), wanted = original.channels() - (wanted_alpha ? 1 : 0);
    const bool spread = colours == 1 && wanted == 3, joined = colours == 3 && wanted == 1 && is_grey(result);
    if (alpha != wanted_alpha || (colours != wanted && !spread && !joined))
        throw Error(fmt::format("{}: it has {} instead of {}", name, channel_words(result.channels(), alpha),
                                channel_words(original.channels(), wanted_alpha)));
    const Image from = alpha ? premultiplied(result) : result.over_same_samples();
    Image values(size.width, size.height, original.channels(), SampleType::f32,
                 wanted_alpha ? Alpha::premultiplied : Alpha::none);
    for (int y = 0; y < size.height; ++y) {
        float* to = values.row_as<float>(y);
        for (int x = 0; x < size.width; ++x, to += values.channels()) {
            for (int c = 0; c < wanted; ++c) to[c] = from.value(x, y, spread ? 0 : c);
            if (alpha) to[wanted] = from.value(x, y, colours);
        }
    }
    return values;
}

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
    if (result.image.width() != size.width || result.image.height() != size.height)
        throw Error(fmt::format("{}: it is {}×{} instead of {}×{}", command_name(command), result.image.width(),
                                result.image.height(), size.width, size.height));
    auto made = std::make_shared<const Image>(std::move(result.image));
    KeptRuns::all().keep({command, size, hash, made, result.milliseconds});
    return made;
}

double ms_of_program(const std::string& command) { return KeptRuns::all().ms_of(command); }

// Other programs as methods: they get a file and leave one.

namespace {

namespace fs = std::filesystem;

constexpr size_t most_name = 48;  // bytes of a method's name
constexpr size_t most_said = 4096;

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

std::string last_line(const fs::path& file) {
    std::string text;
    try {
        const InputFile said(file);
        const Bytes bytes = said.read(most_said);
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    } catch (const Error&) {  // empty
    }
    const std::string_view all = trimmed(text);
    const size_t line = all.rfind('\n');
    return std::string(line == all.npos ? all : all.substr(line + 1));
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

// Runs a shell's command in a process group of its own: what waitpid says. At its end, kills all that it started.
int run_in_group(const std::string& command, const fs::path& said, const ProgramLimits& limits, const std::string& name,
                 const std::function<void()>& check) {
    // The shell limits memory and files of itself and of all that it starts: posix_spawn() cannot.
    const std::string mark = fmt::format("TEXELSCOPE_RUN={}", said.string());  // its folder is this run's own
    const std::string limited = fmt::format("export {}; ulimit -c 0; ulimit -v {} && ulimit -f {} && {{ {}\n}}",
                                            quoted_for_shell(mark), limits.bytes >> 10, limits.bytes >> 9, command);
    const char* words[] = {"/bin/sh", "-c", limited.c_str(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, said.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
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

std::string status_words(int status) {
    if (WIFSIGNALED(status)) return fmt::format("it was ended by signal {}", WTERMSIG(status));
    return fmt::format("it ended with status {}", WEXITSTATUS(status));
}

}  // namespace

std::string command_name(const std::string& command) {
    constexpr std::string_view before = "command ";
    std::string name = std::string(before) + command.substr(0, most_name);
    if (command.size() <= most_name) return name;
    while ((command[name.size() - before.size()] & 0xC0) == 0x80) name.pop_back();  // no part of a letter
    return name + "…";
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
        if (status != 0) throw Error(fmt::format("{}: {}{}", name, status_words(status), why));
        std::error_code none;
        if (!fs::exists(to, none) || fs::file_size(to, none) == 0)
            throw Error(fmt::format("{}: it wrote nothing to {{out}}{}", name, why));
        try {
            return OutsideResult{read_image(to), milliseconds};
        } catch (const Error& error) {
            const std::string problem = error.what();
            const size_t colon = problem.find(": ");
            throw Error(fmt::format("{}: what it wrote cannot be read{}", name,
                                    colon == problem.npos ? "" : problem.substr(colon)));
        }
    };
    return {outside_spec("command:" + command, name), make, [command] { return command; }};
}

}  // namespace texelscope
