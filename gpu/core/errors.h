#pragma once
// What can go wrong, as exceptions whose text is one sentence for the user: what, what is wrong, what would be right.

#include <stdexcept>
#include <string>

namespace texelscope {

// Anything the user can act upon. The command line ends with status 1, the viewer shows the text and goes on.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A word, number or option that the user typed cannot be meant so. The command line ends with status 2.
class UsageError : public Error {
public:
    using Error::Error;
};

// A file cannot be read or written; the text starts with its name.
class FileError : public Error {
public:
    FileError(const std::string& path, const std::string& what) : Error(path + ": " + what) {}
};

// The host or the device has not the memory that was asked for.
class OutOfMemory : public Error {
public:
    using Error::Error;
};

// The GPU's context is gone or broken (an illegal access, a driver reset, a device taken away): every further call on the
// same backend fails alike. What is in host memory is untouched; make another backend.
class DeviceLost : public Error {
public:
    using Error::Error;
};

// The asked-for backend, device or feature is not there.
class Unavailable : public Error {
public:
    using Error::Error;
};

}  // namespace texelscope
