#pragma once
// Names of files: errors that begin with them, paths in URIs, MD5 of a name for what is kept about a file; and words on
// what is missing of a picture.

#include <filesystem>
#include <new>
#include <string>
#include <string_view>

#include "gpu/core/errors.h"
#include "gpu/core/image.h"

namespace texelscope {

// Names of files: errors that begin with them, paths in URIs; and words on what is missing of a picture.

// Errors about the contents of a file, prefixed with its name.

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

// Words for a picture whose file lacks some of its pixels.

// The missing part in words: "the file ends early; 57 % of the rows are there".
std::string words_of_missing(const SampleRegion& missing, int width, int height);

// Paths in URIs: what the desktop's specifications store.

// Percent-encoded except for the characters that a path in a URI may have, as GLib does: programs of the desktop
// compare such texts byte by byte.
std::string encoded_path(std::string_view path);

// The MD5 digest (RFC 1321), by which the desktop names its thumbnails. Not for anything that must be safe.

// 32 hexadecimal digits, lower case.
std::string md5(std::string_view text);

}  // namespace texelscope
