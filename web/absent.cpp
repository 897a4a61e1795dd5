// What WebAssembly does not have, in the words in which the system refuses it, so that no source asks where it runs.

#include <dlfcn.h>
#include <sched.h>

extern "C" {

// Libraries that are loaded by name: what wants one, such as NVRTC, says that it is missing, as on any machine without it.
void* dlopen(const char*, int) { return nullptr; }
void* dlsym(void*, const char*) { return nullptr; }
int dlclose(void*) { return 0; }
int dladdr(const void*, Dl_info*) { return 0; }

// The processors that a program may use: the number of all of them counts then.
int sched_getaffinity(pid_t, size_t, cpu_set_t*) { return -1; }
int __sched_cpucount(size_t, const cpu_set_t*) { return 0; }
}
