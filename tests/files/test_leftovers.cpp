// What a killed program leaves beside its output goes when the next one writes there.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "app/files/bytes/file_io.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

std::string name_of(pid_t process) { return ".texelscope-" + std::to_string(process) + "-3"; }

// Of a process that has ended.
pid_t ended_process() {
    const pid_t process = ::fork();
    if (process == 0) ::_exit(0);
    ::waitpid(process, nullptr, 0);
    return process;
}

TEST(Leftovers, ThoseOfEndedProcessesAreRemovedByTheNextWrite) {
    const Folder folder;
    const auto write = [&](const std::string& name, bool old = true) {
        const auto path = folder.write(name, "half a picture");
        if (old)
            std::filesystem::last_write_time(path,
                                             std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
        return path;
    };
    const pid_t ended = ended_process();
    const auto orphan = write(name_of(ended)), running = write(name_of(::getpid())),
               fresh = write(name_of(ended) + "1", false), other = write(".texelscope-" + std::to_string(ended)),
               users = write("texelscope-" + std::to_string(ended) + "-3");
    write_text(folder / "new.txt", "new");
    EXPECT_FALSE(std::filesystem::exists(orphan));
    for (const auto& kept : {running, fresh, other, users}) EXPECT_TRUE(std::filesystem::exists(kept)) << kept;
    EXPECT_EQ(content_of(folder / "new.txt"), "new");
}

}  // namespace
}  // namespace texelscope::test
