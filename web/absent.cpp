// What WebAssembly does not have, in the words in which the system refuses it, so that no source asks where it runs; and
// memory as elsewhere.

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

extern "C" {

// Libraries that are loaded by name: what wants one, such as NVRTC, says that it is missing, as on any machine without it.
void* dlopen(const char*, int) { return nullptr; }
void* dlsym(void*, const char*) { return nullptr; }
int dlclose(void*) { return 0; }
int dladdr(const void*, Dl_info*) { return 0; }

// The processors that a program may use: the number of all of them counts then.
int sched_getaffinity(pid_t, size_t, cpu_set_t*) { return -1; }
int __sched_cpucount(size_t, const cpu_set_t*) { return 0; }

// A file without a name, in the file system that is in memory anyway.
int memfd_create(const char*, unsigned) {
    static std::atomic<int> made = 0;
    const std::string name = "/tmp/nameless-" + std::to_string(++made);
    const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file >= 0) ::unlink(name.c_str());
    return file;
}

// How much a thread gives way: the browser does not ask, but the loops of gpu/core/parallel.cpp do.
static thread_local int nice_of_thread = 0;
int setpriority(int, id_t, int nice) {
    nice_of_thread = nice;
    return 0;
}
int getpriority(int, id_t) { return nice_of_thread; }

// At multiples of 16 bytes, the largest texel; Emscripten's own are at those of 8.
void* malloc(size_t bytes) { return memalign(16, bytes); }
void* calloc(size_t count, size_t bytes) {
    if (bytes != 0 && count > SIZE_MAX / bytes) return nullptr;
    void* const memory = memalign(16, count * bytes);  // of malloc and memset, Clang would make a call of calloc
    if (memory) std::memset(memory, 0, count * bytes);
    return memory;
}
}
