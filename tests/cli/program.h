#pragma once
// The program as a user runs it: in its own folder, with its output. Most tests call its one function in this process,
// since loading the program's libraries takes longer than most of its work; launch() starts the real one.

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "app/cli/command_line.h"
#include "tests/support/tools.h"

namespace texelscope::test {

struct Result {
    int status;
    std::string output;               // stdout
    std::vector<std::string> errors;  // lines of stderr
};

class Program : public testing::Test {
protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ =
            std::filesystem::path(testing::TempDir()) / (std::string(info->test_suite_name()) + "-" + info->name());
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    Result run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "texelscope");
        std::vector<char*> argv;
        for (std::string& argument : arguments) argv.push_back(argument.data());
        const Redirection output(stdout, path(".stdout")), errors(stderr, path(".stderr"));
        const int status = run_command_line(int(argv.size()), argv.data());
        std::fflush(stdout);
        return result_of(status);
    }

    // Without a display.
    Result launch(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(),
                         {"sh", "-c", "exec \"$0\" \"$@\" >\"$OUT\" 2>\"$ERR\"", TEXELSCOPE_PROGRAM});
        return result_of(test::run(
            arguments, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}, {"OUT", path(".stdout")}, {"ERR", path(".stderr")}}));
    }

    // Its output; it must succeed.
    std::string printed(const std::vector<std::string>& arguments) const {
        const Result result = run(arguments);
        EXPECT_EQ(result.status, 0) << words_of(arguments) << (result.errors.empty() ? "" : result.errors[0]);
        return result.output;
    }

    // Fails with this status and one line that contains these words; leaves no output behind.
    void expect_error(int status, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& words) const {
        expect_error(run(arguments), status, arguments, words);
    }
    void expect_error(const Result& result, int status, const std::vector<std::string>& arguments,
                      const std::vector<std::string>& words) const {
        EXPECT_EQ(result.status, status) << words_of(arguments);
        ASSERT_EQ(result.errors.size(), 1u) << words_of(arguments);
        for (const std::string& word : words)
            EXPECT_NE(result.errors[0].find(word), std::string::npos) << result.errors[0];
        EXPECT_EQ(result.output, "") << words_of(arguments);
        for (const char* name : {"out.png", "out.csv", "out.npy"})
            EXPECT_FALSE(std::filesystem::exists(path(name))) << words_of(arguments);
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }
    std::string content(const std::string& name) const {
        std::ifstream file(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    static std::string words_of(const std::vector<std::string>& arguments) {
        std::string text;
        for (const std::string& argument : arguments) text += argument + " ";
        return text;
    }

    std::filesystem::path folder_;

private:
    // Redirects a stream into a file for as long as it lives.
    class Redirection {
    public:
        Redirection(std::FILE* stream, const std::string& file) : stream_(stream) {
            std::fflush(stream);
            saved_ = ::dup(::fileno(stream));
            const int target = ::creat(file.c_str(), 0600);
            ::dup2(target, ::fileno(stream));
            ::close(target);
        }
        ~Redirection() {
            std::fflush(stream_);
            ::dup2(saved_, ::fileno(stream_));
            ::close(saved_);
        }
        Redirection(const Redirection&) = delete;
        Redirection& operator=(const Redirection&) = delete;

    private:
        std::FILE* stream_;
        int saved_;
    };

    Result result_of(int status) const {
        Result result{status, content(".stdout"), {}};
        std::istringstream lines(content(".stderr"));
        for (std::string line; std::getline(lines, line);) result.errors.push_back(line);
        return result;
    }
};

}  // namespace texelscope::test
