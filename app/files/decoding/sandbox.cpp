#include "app/files/decoding/host.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string_view>

#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/files/decoding/decoder.h"

#if TEXELSCOPE_WITH_SECCOMP
#include <seccomp.h>

#include <sched.h>
#include <sys/ioctl.h>
#include <cerrno>
#endif
#if defined(__SANITIZE_ADDRESS__)
#define TEXELSCOPE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEXELSCOPE_ASAN 1
#endif
#endif

namespace texelscope::decoding {
namespace {

void set_limit(decltype(RLIMIT_CORE) kind, rlim_t now, rlim_t at_most) {
    rlimit limit{};
    ::getrlimit(kind, &limit);
    limit.rlim_max = std::min(limit.rlim_max, at_most);
    limit.rlim_cur = std::min(now, limit.rlim_max);
    ::setrlimit(kind, &limit);
}

// Stands for the number of the process that enters the sandbox, until it does.
constexpr uint32_t own_process = 0x7e3ce15c;

#if TEXELSCOPE_WITH_SECCOMP

// Computing, memory, threads, and descriptors that are already open.
constexpr std::string_view permitted =
    "read readv pread64 preadv write writev pipe pipe2 lseek close fstat newfstatat statx dup mmap munmap mremap "
    "mprotect madvise brk mincore membarrier futex set_robust_list get_robust_list rseq set_tid_address "
    "sched_yield sched_getaffinity sched_setaffinity sched_getparam sched_getscheduler getpriority getcpu "
    "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage rt_sigaction "
    "rt_sigprocmask rt_sigreturn sigaltstack restart_syscall getpid gettid getppid getuid geteuid getgid "
    "getegid uname sysinfo getrandom poll ppoll recvmsg recvfrom exit exit_group arch_prctl";

// What a library does not do by chance: the end of the process. All else is answered "not permitted".
constexpr std::string_view fatal =
    "socket socketpair connect bind listen accept accept4 sendmsg sendmmsg execve execveat fork vfork "
    "ptrace process_vm_readv process_vm_writev kill tkill unlink unlinkat rename renameat renameat2 mkdir "
    "mkdirat rmdir link linkat symlink symlinkat truncate chmod fchmodat chown fchownat creat mknod "
    "mknodat mount umount2 memfd_create bpf keyctl add_key request_key userfaultfd perf_event_open "
    "io_uring_setup pidfd_getfd pidfd_open setns unshare open_by_handle_at";

// The library's own macros for these are C.
scmp_arg_cmp equals(unsigned argument, scmp_datum_t value) { return {argument, SCMP_CMP_EQ, value, 0}; }
scmp_arg_cmp masked(unsigned argument, scmp_datum_t mask, scmp_datum_t value) {
    return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

struct Filter {
    scmp_filter_ctx context = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    ~Filter() {
        if (context) seccomp_release(context);
    }

    // A system call that this processor does not have is skipped.
    void add(uint32_t action, const char* call, std::initializer_list<scmp_arg_cmp> arguments = {}) {
        const int number = seccomp_syscall_resolve_name(call);
        if (number >= 0) seccomp_rule_add_array(context, action, number, unsigned(arguments.size()), arguments.begin());
    }
    void add_all(uint32_t action, std::string_view calls) {
        for (size_t end = 0; !calls.empty(); calls.remove_prefix(std::min(end + 1, calls.size()))) {
            end = std::min(calls.find(' '), calls.size());
            add(action, std::string(calls.substr(0, end)).c_str());
        }
    }

    std::vector<sock_filter> program() const {
        const Descriptor file(::memfd_create("filter", MFD_CLOEXEC));
        if (!file || seccomp_export_bpf(context, file.number()) != 0) return {};
        std::vector<sock_filter> result(size_t(::lseek(file.number(), 0, SEEK_END)) / sizeof(sock_filter));
        const auto bytes = ssize_t(result.size() * sizeof(sock_filter));
        if (::pread(file.number(), result.data(), size_t(bytes), 0) != bytes) return {};
        return result;
    }
};

std::vector<sock_filter> filter(bool opens_file) {
    Filter filter;
    if (!filter.context) return {};
    seccomp_attr_set(filter.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    filter.add_all(SCMP_ACT_ALLOW, permitted);
    filter.add_all(SCMP_ACT_KILL_PROCESS, fatal);
    // Threads, but no processes. clone3 has its flags in memory, where no filter sees them: the C library then uses clone.
    filter.add(SCMP_ACT_ALLOW, "clone", {masked(0, CLONE_THREAD, CLONE_THREAD)});
    filter.add(SCMP_ACT_KILL_PROCESS, "clone", {masked(0, CLONE_THREAD, 0)});
    filter.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
    filter.add(SCMP_ACT_ERRNO(ENOTTY), "ioctl");
    filter.add(SCMP_ACT_ALLOW, "tgkill", {equals(0, own_process)});  // abort
    filter.add(SCMP_ACT_ALLOW, "sendto", {equals(4, 0)});
    filter.add(SCMP_ACT_ALLOW, "prlimit64", {equals(0, 0)});
    filter.add(SCMP_ACT_ALLOW, "getrlimit");
    for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC})
        filter.add(SCMP_ACT_ALLOW, "fcntl", {equals(1, scmp_datum_t(command))});
    for (const int option : {PR_SET_NAME, PR_GET_NAME})
        filter.add(SCMP_ACT_ALLOW, "prctl", {equals(0, scmp_datum_t(option))});
    if (opens_file) filter.add_all(SCMP_ACT_ALLOW, "access faccessat faccessat2");  // they say no more than stat
    // Libraries look for settings and for the processors: that merely fails. Writing is no accident.
    for (const auto& [call, argument] : {std::pair{"open", 1u}, {"openat", 2u}}) {
        const scmp_arg_cmp to_read{argument, SCMP_CMP_MASKED_EQ, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY};
        filter.add(opens_file ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EACCES), call, {to_read});
        for (const scmp_datum_t how : {O_WRONLY, O_RDWR})
            filter.add(SCMP_ACT_KILL_PROCESS, call, {{argument, SCMP_CMP_MASKED_EQ, O_ACCMODE, how}});
    }
    return filter.program();
}

#else

std::vector<sock_filter> filter(bool) { return {}; }

#endif

}  // namespace

Sandbox::Sandbox() : closed_(filter(false)), opening_(filter(true)) {}

void Sandbox::enter(int file, bool opens_file, const Companions* companions) const {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    enter_landlock(opens_file ? file : -1, opens_file ? companions : nullptr);
    std::vector<sock_filter> filter = opens_file ? opening_ : closed_;
    for (sock_filter& step : filter)
        if (BPF_CLASS(step.code) == BPF_JMP && step.k == own_process) step.k = uint32_t(::getpid());
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    if (!filter.empty()) ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

std::string sandbox_facts() {
    std::string facts = "limits";
    if (TEXELSCOPE_WITH_SECCOMP && ::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0) facts += ", seccomp";
    if (has_landlock()) facts += ", Landlock";
    return facts;
}

void limit_process() {
    set_limit(RLIMIT_CORE, 1, 1);  // 1: a dump is not handed to a program either
    set_limit(RLIMIT_NOFILE, 64, 64);
    set_limit(RLIMIT_FSIZE, 0, 0);
    ::signal(SIGXFSZ, SIG_IGN);
}

MemoryLimit::MemoryLimit() {
    size_t pages[6] = {};
    if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
        for (size_t& each : pages)
            if (std::fscanf(file, "%zu", &each) != 1) break;
        std::fclose(file);
    }
    before_ = pages[5] * size_t(::sysconf(_SC_PAGESIZE));  // data and stack
}

void MemoryLimit::permit([[maybe_unused]] size_t more) const {
#ifndef TEXELSCOPE_ASAN  // its shadow memory is terabytes of data
    set_limit(RLIMIT_DATA, before_ + more, RLIM_INFINITY);
#endif
}

void limit_time(std::chrono::seconds time) {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    set_limit(RLIMIT_CPU, rlim_t(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 + time.count()), RLIM_INFINITY);
}

namespace {

// Landlock through its system calls: the C library of Debian 12 has no functions for them.

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
