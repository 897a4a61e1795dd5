#pragma once
// Errors about the contents of a file, prefixed with its name.

#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "gpu/core/errors.h"

namespace texelscope {

// Runs `work` and prefixes its errors with the name of the file.
template <class Work> auto naming(const std::filesystem::path& path, Work work) {
    try {
        return work();
    } catch (const UsageError&) {
        throw;
    } catch (const FileError&) {
        throw;
    } catch (const Cancelled& error) {
        throw Cancelled(fmt::format("{}: {}", path.string(), error.what()));
    } catch (const OutOfMemory& error) {
        throw OutOfMemory(fmt::format("{}: {}", path.string(), error.what()));
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(fmt::format("{}: not enough memory", path.string()));
    } catch (const std::exception& error) {
        throw FileError(path.string(), error.what());
    }
}

}  // namespace texelscope
