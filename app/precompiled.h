#pragma once
// What most files of the program and of its tests include, compiled once for all of them. It must stay invisible: every
// file includes what it uses, and all builds without this as well (CMAKE_DISABLE_PRECOMPILE_HEADERS=ON).

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/backend/backend.h"
