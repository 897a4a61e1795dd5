#include "tests/tiles/live_views.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include <malloc.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
#define COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)  // Clang
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef COUNTS_ALLOCATIONS
#define COUNTS_ALLOCATIONS 1
#endif

namespace {

std::atomic<size_t> in_use{0}, most{0};

#if COUNTS_ALLOCATIONS
void* counted(void* memory) {
    if (!memory) return nullptr;
    const size_t now = in_use.fetch_add(malloc_usable_size(memory)) + malloc_usable_size(memory);
    for (size_t before = most; before < now && !most.compare_exchange_weak(before, now);) {}
    return memory;
}

void uncount(void* memory) {
    if (memory) in_use -= malloc_usable_size(memory);
}
#endif

}  // namespace

#if COUNTS_ALLOCATIONS
extern "C" {

void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* memory, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void* memory);

void* malloc(size_t bytes) { return counted(__libc_malloc(bytes)); }
void* calloc(size_t count, size_t bytes) { return counted(__libc_calloc(count, bytes)); }
void* realloc(void* memory, size_t bytes) {
    uncount(memory);
    void* const result = __libc_realloc(memory, bytes);
    if (!result && bytes > 0) return counted(memory), nullptr;
    return counted(result);
}
void* memalign(size_t alignment, size_t bytes) { return counted(__libc_memalign(alignment, bytes)); }
void* aligned_alloc(size_t alignment, size_t bytes) { return counted(__libc_memalign(alignment, bytes)); }
int posix_memalign(void** memory, size_t alignment, size_t bytes) {
    *memory = counted(__libc_memalign(alignment, bytes));
    return *memory ? 0 : ENOMEM;
}
void free(void* memory) {
    uncount(memory);
    __libc_free(memory);
}
}
#endif

namespace texelscope::test {

bool counts_allocations() { return COUNTS_ALLOCATIONS; }
size_t allocated() { return in_use; }
size_t most_allocated() { return most; }
void forget_most_allocated() { most = in_use.load(); }

}  // namespace texelscope::test
