#pragma once
// Counts all memory of this test program that malloc() gives, in every thread: by taking malloc's place.

#include <cstddef>

namespace texelscope::test {

// False in builds with a sanitizer, which has an allocator of its own.
bool counts_allocations();

// Bytes in use now; the maximum since the last call of forget_most_allocated().
size_t allocated();
size_t most_allocated();
void forget_most_allocated();

}  // namespace texelscope::test
