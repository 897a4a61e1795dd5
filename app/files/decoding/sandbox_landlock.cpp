// Landlock through its system calls: the C library of Debian 12 has no functions for them.

#include <cstdint>

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/files/decoding/descriptor.h"
#include "app/files/decoding/sandbox.h"

namespace texelscope::decoding {
namespace {

// As newer kernels know it; older ones take the beginning.
struct Ruleset {
    uint64_t files = 0, network = 0, scoped = 0;
};

// All that this version can refuse. The header that we are built with may be older than the kernel.
Ruleset all_of(long version) {
    Ruleset rules;
    rules.files = version >= 5 ? 0xffff : version >= 3 ? 0x7fff : version >= 2 ? 0x3fff : 0x1fff;
    if (version >= 4) rules.network = 3;  // bind and connect
    if (version >= 6) rules.scoped = 3;   // abstract sockets and signals of others
    return rules;
}

long version() { return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION); }

void permit_reading(const Descriptor& ruleset, int file) {
    landlock_path_beneath_attr readable{};
    readable.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    readable.parent_fd = file;
    ::syscall(SYS_landlock_add_rule, ruleset.number(), LANDLOCK_RULE_PATH_BENEATH, &readable, 0);
}

}  // namespace

bool has_landlock() { return version() >= 1; }

void enter_landlock(int file, const Companions* companions) {
    const long known = version();
    if (known < 1) return;
    const Ruleset rules = all_of(known);
    const size_t bytes = known >= 6 ? sizeof rules : known >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    const Descriptor ruleset(int(::syscall(SYS_landlock_create_ruleset, &rules, bytes, 0)));
    if (!ruleset) return;
    if (file >= 0) permit_reading(ruleset, file);
    if (companions)
        for (const std::string& path : companions->files()) {
            const Descriptor found(
                ::openat(companions->folder.number(), path.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
            if (found) permit_reading(ruleset, found.number());
        }
    ::syscall(SYS_landlock_restrict_self, ruleset.number(), 0);
}

}  // namespace texelscope::decoding
