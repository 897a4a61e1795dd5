// push, --reuse and "-", without windows: the test listens in their place.

#include <cstdlib>
#include <filesystem>

#include "app/files/reading/image_files.h"
#include "app/viewer/pushing/pushing.h"
#include "tests/cli/program.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

class Push : public Program {
protected:
    void SetUp() override {
        Program::SetUp();
        runtime_.emplace("XDG_RUNTIME_DIR", folder_.string());
    }
    void TearDown() override {
        runtime_.reset();
        Program::TearDown();
    }
    fs::path place() const { return folder_ / "texelscope"; }
    std::optional<Variable> runtime_;
};

// Lets standard input be something else for as long as it lives.
class Input {
public:
    explicit Input(int descriptor) : saved_(::dup(0)) {
        ::dup2(descriptor, 0);
        ::close(descriptor);
    }
    ~Input() {
        ::dup2(saved_, 0);
        ::close(saved_);
    }

private:
    int saved_;
};

void expect_same(const Image& image, const Image& wanted) {
    ASSERT_EQ(describe(image), describe(wanted));
    EXPECT_TRUE(std::equal(image.data(), image.data() + image.size_bytes(), wanted.data()));
}

TEST_F(Push, NeedsAWindow) {
    expect_error(1, {"push", "@step:8"}, {"no texelscope window"});
    ::unsetenv("XDG_RUNTIME_DIR");
    expect_error(1, {"push", "@step:8"}, {"XDG_RUNTIME_DIR is not set"});
}

TEST_F(Push, SendsAnyFileAndPrintsNothing) {
    PushServer window(place(), [] {});
    const Image image = load_image("@zone-plate:40");
    write_image(image, path("plate.npy"));
    EXPECT_EQ(printed({"push", path("plate.npy"), "--name", "a plate"}), "");
    EXPECT_EQ(printed({"push", path("plate.npy"), "--texels", "u8"}), "");
    EXPECT_EQ(printed({"push", write("s.csv", "1\n2\n4\n")}), "");
    const Pushed pushed = window.take();
    ASSERT_EQ(pushed.frames.size(), 3u);
    EXPECT_EQ(pushed.frames[0].name, "a plate");
    expect_same(*pushed.frames[0].image, load_image(path("plate.npy")));
    EXPECT_EQ(pushed.frames[1].name, "plate.npy");
    EXPECT_EQ(pushed.frames[1].image->type(), SampleType::u8);
    EXPECT_TRUE(pushed.frames[2].image->one_dimensional());
    expect_error(2, {"push", "@step:8", "--name", ""}, {"--name"});
    expect_error(2, {"push", "@step:8", "--name", "a\tb"}, {"--name", "control characters"});
    expect_error(1, {"push", path("none.npy")}, {"none.npy", "no such file"});
}

TEST_F(Push, ClosesByName) {
    PushServer window(place(), [] {});
    EXPECT_EQ(printed({"push", "@step:8", "--name", "a step"}), "");
    EXPECT_EQ(window.take().frames.size(), 1u);
    window.set_open({"a step"});
    EXPECT_EQ(printed({"push", "--close", "a step"}), "");
    EXPECT_EQ(window.take().closed, std::vector<std::string>{"a step"});
    expect_error(1, {"push", "--close", "another"}, {"no pushed image named another is open"});
    expect_error(2, {"push", "@step:8", "--close", "a step"}, {"--close stands alone"});
    expect_error(2, {"push", "--name", "a", "--close", "a step"}, {"--close stands alone"});
    expect_error(2, {"push", "--close", ""}, {"--close must be a text"});
    expect_error(2, {"push"}, {"IN is required"});
    EXPECT_FALSE(window.has_news());
}

// The class that users copy: an array of one axis is a signal, and what is no image is said before anything is sent.
TEST_F(Push, TheExampleSendsImagesAndSignals) {
    PushServer window(place(), [] {});
    const std::string program =
        "import sys\ntry:\n  import numpy as np\nexcept ImportError:\n  sys.exit(77)\n"
        "sys.path.insert(0, '" TEXELSCOPE_SOURCE_DIR
        "/examples')\nsys.dont_write_bytecode = True\nfrom push_frames import Window\nwindow = Window()\n"
        "window.show('line', np.arange(5.))\nwindow.show('image', np.zeros((3, 4, 3), np.uint8), shared=True)\n"
        "window.show('gone', np.arange(3.))\nwindow.close('gone')\n"
        "for array in np.array(3.), np.zeros((2, 2, 2, 2)):\n"
        "  try:\n    window.show('wrong', array)\n    sys.exit(1)\n  except ValueError:\n    pass\n";
    const int status = test::run({TEXELSCOPE_PYTHON, "-c", program}, {{"XDG_RUNTIME_DIR", folder_.string()}});
    if (status == 77) GTEST_SKIP() << "no NumPy here";
    ASSERT_EQ(status, 0);
    const Pushed pushed = window.take();
    ASSERT_EQ(pushed.frames.size(), 2u);
    const Image& line = *pushed.frames[0].image;
    EXPECT_TRUE(line.one_dimensional());
    EXPECT_EQ(line.width(), 5);
    EXPECT_EQ(line.value(3, 0, 0), 3);
    EXPECT_FALSE(pushed.frames[1].image->one_dimensional());
    EXPECT_EQ(pushed.frames[1].image->channels(), 3);
}

TEST_F(Push, ReuseOpensInTheRunningWindow) {
    PushServer window(place(), [] {});
    EXPECT_EQ(printed({"--reuse", "@step:8", "some/where.png", path("a.png")}), "");
    const auto files = window.take().files;
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files[0].files,
              (std::vector<std::string>{"@step:8", (fs::current_path() / "some/where.png").string(), path("a.png")}));
    EXPECT_EQ(printed({"--reuse"}), "");  // brings the window to the user's attention
    EXPECT_EQ(window.take().files.size(), 1u);
    expect_error(2, {"--reuse", "@step:8", "--zoom", "4"}, {"--reuse", "view and methods"});
}

TEST_F(Push, StandardInput) {
    const std::string pgm = "P5 3 2 255\nabcdef";
    PushServer window(place(), [] {});
    const auto piped = [&] { return Input(::open(write("in.pgm", pgm).c_str(), O_RDONLY)); };
    {
        const Input input = piped();
        EXPECT_EQ(printed({"render", "-", "-o", path("same.pgm")}), "");
    }
    EXPECT_EQ(content("same.pgm").substr(content("same.pgm").size() - 6), "abcdef");
    {
        const Input input = piped();
        EXPECT_EQ(printed({"push", "-"}), "");
    }
    {
        const Input input = piped();
        EXPECT_EQ(printed({"--reuse", "-"}), "");
    }
    const Pushed pushed = window.take();
    ASSERT_EQ(pushed.frames.size(), 1u);
    EXPECT_EQ(pushed.frames[0].name, "standard input");
    expect_same(*pushed.frames[0].image, read_image(path("in.pgm")));
}

TEST_F(Push, StandardInputIsDescribedAndNamed) {
    const auto piped = [&] { return Input(::open(write("in.pgm", "P5 3 2 255\nabcdef").c_str(), O_RDONLY)); };
    {
        const Input input = piped();
        const std::string text = printed({"info", "-"});
        for (const char* words : {"standard input\n", "3 × 2 pixels", "PNM", "8-bit integers"})
            EXPECT_NE(text.find(words), std::string::npos) << words << '\n' << text;
        EXPECT_EQ(text.find("/proc"), std::string::npos) << text;
    }
    {
        const Input input = piped();
        EXPECT_NE(printed({"info", "-", "--json", "--channels", "1"}).find("\"width\": 3"), std::string::npos);
    }
    {
        const Input input = piped();
        expect_error(1, {"info", "-", "--part", "2"}, {"standard input: it has no part '2'"});
    }
    {
        const Input input = piped();
        expect_error(1, {"compare", "-", "--restore", "4", "--backend", "cpu"}, {"--restore: standard input: "});
    }
    {
        write_image(load_image("@zone-plate:64"), path("large.pgm"));
        const Input input(::open(path("large.pgm").c_str(), O_RDONLY));
        const std::string text = printed({"compare", "-", "--restore", "2", "--panes", "bilinear", "--backend", "cpu"});
        EXPECT_TRUE(text.starts_with("image      standard input, 64×64")) << text;
    }
}

TEST_F(Push, StandardInputThatIsNoImage) {
    {
        const Input input(::open(write("in.txt", "hello").c_str(), O_RDONLY));
        expect_error(1, {"render", "-", "-o", path("out.png")}, {"standard input: this is a text, not an image file"});
    }
    {
        const Input input(::open("/dev/null", O_RDONLY));
        expect_error(1, {"-"}, {"standard input: is empty"});
    }
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    ASSERT_GE(terminal, 0);
    const Input input(terminal);
    expect_error(1, {"render", "-", "-o", path("out.png")}, {"standard input: is a terminal"});
    expect_error(1, {"-"}, {"standard input: is a terminal"});
}

}  // namespace
}  // namespace texelscope::test
