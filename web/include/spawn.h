#pragma once
// No program is ever started: posix_spawn says so.
#include_next <spawn.h>

#include <cerrno>

inline int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t*, int) { return ENOSYS; }
