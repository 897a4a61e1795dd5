// Windows and programs over real sockets, in one process.

#include <chrono>
#include <condition_variable>
#include <mutex>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/viewer/pushing/pushing.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

// The window's side: collects what is woken for.
class Window {
public:
    explicit Window(const fs::path& folder, const PushLimits& limits = {})
        : server_(
              folder,
              [this] {
                  const std::lock_guard lock(mutex_);
                  woken_ = true;
                  arrived_.notify_all();
              },
              limits) {}

    // What came, within a time that even a busy machine does not take.
    Pushed wait() {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(arrived_.wait_for(lock, std::chrono::seconds(30), [this] { return woken_; }));
        woken_ = false;
        EXPECT_TRUE(server_.has_news());
        return server_.take();
    }
    PushServer* operator->() { return &server_; }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    bool woken_ = false;
    PushServer server_;
};

// A program that may send anything.
class Program {
public:
    explicit Program(const fs::path& folder) : descriptor_(connect_to(folder / "socket")) { EXPECT_GE(descriptor_, 0); }
    ~Program() { ::close(descriptor_); }
    void send(const std::string& bytes) const { ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL); }
    // The next line; empty at the end.
    std::string answer() const {
        std::string line;
        char c;
        while (::recv(descriptor_, &c, 1, 0) == 1 && c != '\n') line += c;
        return line;
    }
    bool closed() const {
        char c;
        return ::recv(descriptor_, &c, 1, 0) <= 0;
    }
    // Nothing more will be sent; answers can still come.
    void end() const { ::shutdown(descriptor_, SHUT_WR); }

private:
    int descriptor_;
};

Image ramp(int width, int height, int channels, SampleType type, Alpha alpha = Alpha::none) {
    Image image(width, height, channels, type, alpha);
    for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = std::byte(i * 7);
    return image;
}

const std::string four_pixels = "{\"texelscope\":1,\"do\":\"show\",\"name\":\"x\",\"width\":2,\"height\":2}\n";

class Pushing : public testing::Test {
protected:
    fs::path folder() const { return base_ / "texelscope"; }
    Folder base_;
};

TEST_F(Pushing, AnImageArrivesAsItWas) {
    Window window(folder());
    auto client = PushClient::connect(folder());
    ASSERT_TRUE(client);
    const Image image = ramp(300, 200, 4, SampleType::u16, Alpha::straight);
    client->show("photo", image);
    const Pushed pushed = window.wait();
    ASSERT_EQ(pushed.frames.size(), 1u);
    const Image& came = *pushed.frames[0].image;
    EXPECT_EQ(pushed.frames[0].name, "photo");
    EXPECT_EQ(describe(came), describe(image));
    EXPECT_EQ(came.alpha(), Alpha::straight);
    EXPECT_TRUE(std::equal(came.data(), came.data() + came.size_bytes(), image.data()));
    client->open({"/a.png"});
    EXPECT_EQ(window.wait().files.at(0).files, std::vector<std::string>{"/a.png"});
}

// A window that is busy does not hold up the program, and gets the newest.
TEST_F(Pushing, OnlyTheNewestOfEachNameIsKept) {
    Window window(folder());
    auto client = PushClient::connect(folder());
    for (int i = 0; i < 100; ++i) client->show("frame", ramp(i + 1, 1, 1, SampleType::u8));
    client->show("other", ramp(5, 5, 1, SampleType::u8));
    const Pushed pushed = window.wait();
    ASSERT_EQ(pushed.frames.size(), 2u);
    EXPECT_EQ(pushed.frames[0].image->width(), 100);
    EXPECT_EQ(pushed.frames[1].name, "other");
}

TEST_F(Pushing, NonsenseIsAnsweredByASentence) {
    Window window(folder());
    const std::string huge =
        "{\"texelscope\":1,\"do\":\"show\",\"name\":\"x\",\"width\":200000,\"height\":125000,\"type\":\"f32\"}\n";  // 100 GB
    for (const std::string& sent : {std::string("GET / HTTP/1.1\r\n"), std::string("\0\0\0\n", 4), huge}) {
        const Program program(folder());
        program.send(sent);
        const std::string answer = program.answer();
        EXPECT_TRUE(answer.starts_with("{\"error\":")) << answer;
        EXPECT_TRUE(program.closed());
        const Pushed pushed = window.wait();
        EXPECT_TRUE(pushed.frames.empty());
        EXPECT_FALSE(pushed.problem.empty());
    }
    PushClient::connect(folder())->show("x", ramp(2, 2, 1, SampleType::u8));  // the window still listens
    EXPECT_EQ(window.wait().frames.size(), 1u);
}

TEST_F(Pushing, HalfAnImageIsNotShown) {
    Window window(folder());
    { Program(folder()).send(four_pixels + "ab"); }
    const Pushed pushed = window.wait();
    EXPECT_TRUE(pushed.frames.empty());
    EXPECT_NE(pushed.problem.find("2 of 4 bytes of x"), std::string::npos) << pushed.problem;
}

TEST_F(Pushing, WhoEndsWithinAMessageIsToldSo) {
    Window window(folder());
    for (const auto& [sent, why] : {std::pair(four_pixels + "ab", "it ended after 2 of 4 bytes of x"),
                                    std::pair(four_pixels.substr(0, 20), "it ended after a part of a line")}) {
        const Program program(folder());
        program.send(sent);
        program.end();
        EXPECT_EQ(program.answer(), "{\"error\":\"" + std::string(why) + "\"}");
        EXPECT_TRUE(program.closed());
        EXPECT_EQ(window.wait().problem, why);
    }
    const Program silent(folder());  // ends between messages: nothing is wrong
    silent.end();
    EXPECT_EQ(silent.answer(), "");
}

TEST_F(Pushing, WhoFallsSilentWithinAMessageIsDropped) {
    Window window(folder(), {.stall_seconds = 0.1});
    const Program idle(folder()), stalled(folder());
    idle.send(four_pixels + "abcd");
    EXPECT_EQ(idle.answer(), "{\"ok\":true}");
    window.wait();
    stalled.send(four_pixels + "a");
    EXPECT_NE(stalled.answer().find("0.1 s after 1 of 4 bytes of x"), std::string::npos);
    EXPECT_TRUE(stalled.closed());
    window.wait();
    idle.send(four_pixels + "efgh");  // between messages it may rest
    EXPECT_EQ(idle.answer(), "{\"ok\":true}");
}

TEST_F(Pushing, MoreProgramsThanTheLimitAreToldSo) {
    Window window(folder(), {.clients = 2});
    const Program first(folder()), second(folder());
    for (const Program* program : {&first, &second}) {  // after the answer it has been let in
        program->send(four_pixels + "abcd");
        EXPECT_EQ(program->answer(), "{\"ok\":true}");
    }
    const Program third(folder());
    EXPECT_NE(third.answer().find("2 programs are connected"), std::string::npos);
    first.send(four_pixels + "abcd");
    EXPECT_EQ(first.answer(), "{\"ok\":true}");
}

TEST_F(Pushing, MoreNamesThanTheLimitAreRefused) {
    Window window(folder(), {.names = 2});
    window->set_open({"a"});
    const auto push = [&](const std::string& name) {
        PushClient::connect(folder())->show(name, ramp(2, 2, 1, SampleType::u8));
    };
    push("b");
    try {
        push("c");
        ADD_FAILURE() << "a third name was taken";
    } catch (const Error& error) {
        const std::string why = error.what();
        EXPECT_NE(why.find("2 pushed images are open"), std::string::npos) << why;
        EXPECT_NE(why.find("Ctrl+W"), std::string::npos) << why;  // how one is closed
        EXPECT_NE(why.find("push --close NAME"), std::string::npos) << why;
    }
    push("a");
    push("b");
    window->take();
    window->set_open({});  // what was taken is not open any more
    push("c");
}

TEST_F(Pushing, AProgramClosesWhatIsOpenOrOnItsWay) {
    Window window(folder(), {.names = 2});
    auto client = PushClient::connect(folder());
    ASSERT_TRUE(client);
    const Image image = ramp(2, 2, 1, SampleType::u8);
    client->show("a", image);
    client->show("b", image);
    window.wait();
    client->close("a");  // taken, and not yet said to be open
    Pushed pushed = window.wait();
    EXPECT_EQ(pushed.closed, std::vector<std::string>{"a"});
    EXPECT_TRUE(pushed.frames.empty());

    window->set_open({"b"});
    client->show("c", image);  // there is a place for it again
    client->close("c");        // before the window has taken it
    client->close("b");
    client->show("b", ramp(3, 3, 1, SampleType::u8));  // again, after it was closed
    pushed = window->take();
    EXPECT_EQ(pushed.closed, std::vector<std::string>{"b"});
    ASSERT_EQ(pushed.frames.size(), 1u);
    EXPECT_EQ(pushed.frames[0].name, "b");
    EXPECT_EQ(pushed.frames[0].image->width(), 3);
}

// The program alone is told: in the window nothing has gone wrong.
TEST_F(Pushing, WhatIsNotOpenCannotBeClosed) {
    Window window(folder());
    window->set_open({"a"});
    for (const char* name : {"b", "A", "@pushed:a"}) {
        auto client = PushClient::connect(folder());
        try {
            client->close(name);
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.what(), "no pushed image named " + std::string(name) + " is open");
        }
    }
    EXPECT_FALSE(window->has_news());
    PushClient::connect(folder())->close("a");
    EXPECT_EQ(window.wait().closed, std::vector<std::string>{"a"});
    EXPECT_THROW(PushClient::connect(folder())->close("a"), Error) << "once is enough";
}

TEST_F(Pushing, OnlyTheOwnerCanUseIt) {
    const mode_t mask = ::umask(0);
    Window window(folder());
    ::umask(mask);
    struct stat info {};
    ASSERT_EQ(::stat(folder().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    ASSERT_EQ(::stat((folder() / "socket").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);

    const fs::path open_folder = base_ / "open";
    fs::create_directory(open_folder);
    fs::permissions(open_folder, fs::perms(0755));
    EXPECT_THROW(PushServer(open_folder, [] {}), Error);
    fs::create_directory_symlink(folder(), base_ / "link");
    EXPECT_THROW(PushServer(base_ / "link", [] {}), Error);
}

TEST_F(Pushing, TheNewestWindowGetsItThenTheOneBefore) {
    EXPECT_FALSE(PushClient::connect(folder()));
    Window first(folder());
    {
        Window second(folder());
        PushClient::connect(folder())->show("x", ramp(2, 2, 1, SampleType::u8));
        EXPECT_EQ(second.wait().frames.size(), 1u);
    }
    PushClient::connect(folder())->show("x", ramp(2, 2, 1, SampleType::u8));
    EXPECT_EQ(first.wait().frames.size(), 1u);
}

TEST_F(Pushing, SocketsOfCrashedWindowsAreNoObstacle) {
    Window window(folder());
    const ListeningSocket crashed = listen_in(folder());  // now the newest
    ::close(crashed.descriptor);
    EXPECT_TRUE(PushClient::connect(folder()));
    EXPECT_TRUE(fs::exists(crashed.path));
    { Window next(folder()); }
    EXPECT_FALSE(fs::exists(crashed.path));
    EXPECT_TRUE(PushClient::connect(folder()));
    EXPECT_EQ(window_sockets(folder()).size(), 1u);
}

}  // namespace
}  // namespace texelscope::test
