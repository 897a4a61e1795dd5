// Other programs as methods: they get a file and leave one.

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/studies/restoring/outside_methods.h"
#include "app/text/text.h"
#include "gpu/core/errors.h"
#include "gpu/core/text.h"
#include "gpu/core/timing.h"

namespace texelscope {
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

// Runs a shell's command in a process group of its own: what waitpid says. Kills all of the group at its end.
int run_in_group(const std::string& command, const fs::path& said, const ProgramLimits& limits,
                 const std::string& name) {
    // The shell limits memory and files of itself and of all that it starts: posix_spawn() cannot.
    const std::string limited = fmt::format("ulimit -c 0; ulimit -v {} && ulimit -f {} && {{ {}\n}}",
                                            limits.bytes >> 10, limits.bytes >> 9, command);
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
        bool waited = false;
        ~Ended() {
            ::kill(-group, SIGKILL);
            if (!waited) ::waitpid(group, nullptr, 0);
        }
    } ended{child};
    const StopWatch watch;
    for (int status = 0;;) {
        if (::waitpid(child, &status, WNOHANG) == child) {
            ended.waited = true;
            return status;
        }
        if (watch.ms() > 1000 * limits.seconds)
            throw Error(fmt::format("{}: it did not end within {:g} s (--command-seconds)", name, limits.seconds));
        if (limits.check) limits.check();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

std::string status_words(int status) {
    if (WIFSIGNALED(status)) return fmt::format("it was ended by signal {}", WTERMSIG(status));
    return fmt::format("it ended with status {}", WEXITSTATUS(status));
}

}  // namespace

std::string command_name(const std::string& command) {
    std::string name = "command " + command.substr(0, most_name);
    while (command.size() > most_name && (name.back() & 0xC0) == 0x80) name.pop_back();  // no part of a letter
    return command.size() > most_name ? name + "…" : name;
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
    const auto make = [=](const Image& given, Extent size) {
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
        const int status = run_in_group(text, said, limits, name);
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
