#pragma once
// A variable of the environment for the time of a test.

#include <cstdlib>
#include <optional>
#include <string>

namespace texelscope::test {

class Variable {
public:
    Variable(const char* name, const std::string& value) : name_(name) {
        if (const char* before = std::getenv(name)) before_ = before;
        ::setenv(name, value.c_str(), 1);
    }
    ~Variable() {
        if (before_) ::setenv(name_, before_->c_str(), 1);
        else ::unsetenv(name_);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
    std::optional<std::string> before_;
};

// Where the trash of the desktop is.
class TrashBelow : public Variable {
public:
    explicit TrashBelow(const std::string& data) : Variable("XDG_DATA_HOME", data), path(data + "/Trash") {}
    std::string path;
};

}  // namespace texelscope::test
