#pragma once
// Whether the address sanitizer watches this program: it has memory, signals and allocators of its own.

namespace texelscope::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;  // GCC
#elif defined(__has_feature)
inline constexpr bool sanitized = __has_feature(address_sanitizer);  // Clang
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace texelscope::test
