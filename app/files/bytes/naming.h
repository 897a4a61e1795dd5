#pragma once
// Errors about the contents of a file, prefixed with its name.

#include <filesystem>
#include <new>
#include <string>
#include <string_view>

#include "gpu/core/errors.h"

namespace texelscope {

// The words with the name of the file in front, once.
inline std::string named(const std::filesystem::path& path, const char* words) {
    const std::string prefix = path.string() + ": ";
    return std::string_view(words).starts_with(prefix) ? words : prefix + words;
}

// Runs `work` and prefixes its errors with the name of the file.
template <class Work> auto naming(const std::filesystem::path& path, Work work) {
    try {
        return work();
    } catch (const UsageError&) {
        throw;
    } catch (const FileError&) {
        throw;
    } catch (const Cancelled& error) {
        throw Cancelled(named(path, error.what()));
    } catch (const OutOfMemory& error) {
        throw OutOfMemory(named(path, error.what()));
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(named(path, "not enough memory"));
    } catch (const std::exception& error) {
        throw FileError(path.string(), error.what());
    }
}

}  // namespace texelscope
