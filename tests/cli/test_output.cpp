// Destinations of output: standard output, pipes, devices, links, full disks; and messages on what a file cannot keep.

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "app/files/codecs/npy.h"
#include "app/files/reading/image_files.h"
#include "tests/cli/program.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Words = std::vector<std::string>;

class Output : public Program {
protected:
    // Runs the real program with output redirected by the shell ("> /dev/full"). Returns the status; `lines`: stderr.
    int in_shell(const std::string& redirection, Words arguments, Words* lines = nullptr) const {
        arguments.insert(arguments.begin(),
                         {"sh", "-c", "\"$0\" \"$@\" 2>\"$ERR\" " + redirection, TEXELSCOPE_PROGRAM});
        const int status = test::run(arguments, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}, {"ERR", path("errors")}});
        std::istringstream text(content("errors"));
        for (std::string line; lines && std::getline(text, line);) lines->push_back(line);
        return status;
    }
    std::string numbers(const std::string& name, const std::vector<float>& values) const {
        Image image(int(values.size()), 1, 1, SampleType::f32);
        std::copy(values.begin(), values.end(), image.row_as<float>(0));
        write_image(image, path(name));
        return path(name);
    }
    // Four pixels of 8 bits: opaque, half transparent, and two transparent ones, one of them with a colour.
    std::string with_hidden_colour() const {
        const uint8_t pixels[] = {10, 20, 30, 255, 40, 50, 60, 128, 200, 100, 50, 0, 0, 0, 0, 0};
        Image image(4, 1, 4, SampleType::u8, Alpha::straight);
        std::memcpy(image.data(), pixels, sizeof pixels);
        write_image(image, path("hidden.png"));
        return path("hidden.png");
    }
    Words said(const Words& arguments) const {
        const Result result = run(arguments);
        EXPECT_EQ(result.status, 0) << words_of(arguments);
        return result.errors;
    }
};

TEST_F(Output, OnAFullDiskIsAnErrorOfEveryCommand) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    const std::string points = write("points.csv", "0,0\n1,1\n");
    const std::vector<Words> commands = {
        {"--help"},
        {"--version"},
        {"render", "--help"},
        {"methods"},
        {"methods", "--json"},
        {"info"},
        {"info", with_hidden_colour()},
        {"completion", "bash"},
        {"manual"},
        {"experiment"},
        {"bench", "--list", "--backend", "cpu"},
        {"sample", "@step:8", "--at", points, "--backend", "cpu"},
        {"sample", "@step:8", "--at", points, "--backend", "cpu", "-o", "-"},
        {"render", "@step:8", "--backend", "cpu", "-o", "-"},
        {"compare", "@step:8", "--backend", "cpu", "--panes", "bilinear", "--json", "-"},
    };
    for (const Words& command : commands) {
        Words lines;
        EXPECT_EQ(in_shell(">/dev/full", command, &lines), 1) << words_of(command);
        EXPECT_THAT(lines, ElementsAre("texelscope: standard output: cannot be written: no space is left on the disk"))
            << words_of(command);
    }
    for (const Words& command : {Words{"render", "@step:8", "--backend", "cpu", "-o", "/dev/full"},
                                 {"sample", "@step:8", "--at", points, "--backend", "cpu", "-o", "/dev/full"}}) {
        const Result result = run(command);
        EXPECT_EQ(result.status, 1);
        EXPECT_THAT(result.errors,
                    ElementsAre("texelscope: /dev/full: cannot be written: no space is left on the disk"));
    }
}

TEST_F(Output, ToWhatIsClosedIsAnError) {
    const Words render = {"render", "@step:8", "--backend", "cpu", "-o"};
    const auto with = [&](const std::string& output) {
        Words all = render;
        all.push_back(output);
        return all;
    };
    for (const Words& command :
         {Words{"methods"}, {"--help"}, {"info", with_hidden_colour()}, {"experiment"}, with("-")}) {
        Words lines;
        EXPECT_EQ(in_shell(">&-", command, &lines), 1) << words_of(command);
        EXPECT_THAT(lines, ElementsAre("texelscope: standard output: cannot be written: it is closed"))
            << words_of(command);
    }
    EXPECT_EQ(in_shell(">&- <&-", with(path("out.png"))), 0) << "nothing is printed";
    EXPECT_EQ(read_image(path("out.png")).width(), 8);
}

TEST_F(Output, EndsQuietlyWithItsReader) {
    Words lines;
    EXPECT_EQ(in_shell("| true", {"manual"}, &lines), 0);
    EXPECT_EQ(in_shell("| head -c 1 >/dev/null", {"methods", "--json"}, &lines), 0);
    EXPECT_THAT(lines, IsEmpty());
}

TEST_F(Output, OfPicturesGoesToStandardOutput) {
    const Words render = {"render", "@zone-plate:24", "--backend", "cpu", "-o"};
    const auto with = [&](Words more) {
        more.insert(more.begin(), render.begin(), render.end());
        return more;
    };
    for (const char* format : {"png", "npy", "pfm", "ppm"}) {  // PFM is written from its end
        const std::string file = path(std::string("file.") + format);
        ASSERT_EQ(run(with({file})).status, 0);
        for (const char* name : {"-", "/dev/stdout"})
            EXPECT_EQ(printed(with({name, "--format", format})), content(fs::path(file).filename())) << format;
    }
    EXPECT_EQ(printed(with({"-"})), content("file.png"));
    EXPECT_EQ(printed(with({"/dev/null"})), "");
    expect_error(2, with({"-", "--format", "xyz"}), {"texelscope cannot write .xyz files"});
}

TEST_F(Output, GoesToPipes) {
    const std::string points = write("points.csv", "0,0\n1,1\n");
    const std::vector<Words> commands = {
        {"render", "@zone-plate:24", "--backend", "cpu", "-o"},
        {"resize", "@zone-plate:24", "--backend", "cpu", "--factor", "2", "-o"},
        {"warp", "@zone-plate:24", "--backend", "cpu", "--map", "@swirl", "-o"},
        {"sample", "@zone-plate:24", "--at", points, "--backend", "cpu", "-o"},
    };
    for (Words command : commands) {
        const std::string extension = command[0] == "sample" ? ".csv" : ".png";
        const std::string pipe = path("pipe" + extension), file = path("file" + extension);
        fs::remove(pipe);
        ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
        std::string got;
        std::thread reader([&] { got = content("pipe" + extension); });
        command.push_back(pipe);
        const Result result = run(command);
        reader.join();
        EXPECT_EQ(result.status, 0) << words_of(command) << (result.errors.empty() ? "" : result.errors[0]);
        EXPECT_TRUE(fs::is_fifo(pipe));
        command.back() = file;
        ASSERT_EQ(run(command).status, 0);
        EXPECT_EQ(got, content("file" + extension)) << words_of(command);
    }
}

TEST_F(Output, IsAllThatIsPrintedThere) {
    const Words compare = {"compare", "@step:16", "--backend", "cpu", "--panes", "bilinear", "--sheet", "-"};
    const std::string sheet = printed(compare);
    EXPECT_EQ(sheet.substr(0, 4), "\x89PNG");
    EXPECT_EQ(sheet.substr(sheet.size() - 8, 4), "IEND");
    Words both = compare;
    both.insert(both.end(), {"--json", "/dev/stdout"});
    expect_error(2, both, {"--json and --sheet both name -"});
}

TEST_F(Output, ToALinkWritesWhatItLeadsTo) {
    const Words render = {"render", "@step:8", "--backend", "cpu", "-o", path("link.png")};
    fs::create_directory(path("folder"));
    fs::create_symlink("folder/second.png", path("link.png"));
    fs::create_symlink("../target.png", path("folder/second.png"));
    EXPECT_EQ(run(render).status, 0);
    EXPECT_TRUE(fs::is_symlink(path("link.png")));
    EXPECT_TRUE(fs::is_symlink(path("folder/second.png")));
    EXPECT_EQ(read_image(path("target.png")).width(), 8);

    fs::remove(path("link.png"));
    fs::create_symlink("nowhere/target.png", path("link.png"));
    expect_error(1, render, {"link.png: cannot be written: there is no folder", "nowhere"});
    fs::remove(path("link.png"));
    fs::create_symlink("link.png", path("link.png"));
    expect_error(1, render, {"link.png: cannot be written: "});
}

TEST_F(Output, CountsValuesThatTheFormatCannotKeep) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    const std::string in =
        numbers("in.npy", {0, 0.5f, 1, nan, infinite, -infinite, -0.5f, 2, 3, nan, 1.0009f, -0.0009f});
    const auto resized = [&](const std::string& out, Words more = {}) {
        more.insert(more.begin(),
                    {"resize", in, "--factor", "1", "--method", "nearest", "--backend", "cpu", "-o", path(out)});
        return said(more);
    };
    const std::string lost = ": 2 NaN became 0; 2 infinite values were clamped; 3 values beyond 0 to 1 were clamped";
    // Values that are rounded to 0 or 255 are not lost.
    EXPECT_THAT(resized("out.png"), ElementsAre("texelscope: " + path("out.png") + lost));
    EXPECT_THAT(resized("out.ppm"), ElementsAre(HasSubstr(lost)));
    EXPECT_THAT(resized("deep.png", {"--depth", "u16"}), ElementsAre(HasSubstr("5 values beyond 0 to 1 were clamped")));
    EXPECT_THAT(resized("same.npy"), IsEmpty());
    EXPECT_THAT(resized("same.pfm"), IsEmpty());
    const Image same = read_image(path("same.npy"));
    EXPECT_TRUE(std::isnan(same.value(3, 0, 0)));
    EXPECT_EQ(same.value(5, 0, 0), -infinite);
}

TEST_F(Output, SaysNothingOfWhatIsKept) {
    EXPECT_THAT(said({"resize", "@zone-plate:32", "--factor", "0.5", "--method", "bilinear", "--backend", "cpu", "-o",
                      path("a.png")}),
                IsEmpty());
}

TEST_F(Output, KeepsHiddenColoursAtFactor1) {
    const std::string in = with_hidden_colour();
    const auto before = samples<uint8_t>(read_image(in));
    for (const Words& command : {Words{"resize", in, "--factor", "1", "--method", "nearest"},
                                 {"resize", in, "--factor", "1", "--method", "nearest", "--antialias", "off"},
                                 {"resize", in, "--size", "4x1", "--method", "lanczos3"},
                                 {"render", in, "--method", "bspline"},
                                 {"render", in, "--zoom", "1"}}) {
        Words all = command;
        all.insert(all.end(), {"--backend", "cpu", "-o", path("out.png")});
        EXPECT_THAT(said(all), IsEmpty()) << words_of(command);
        EXPECT_EQ(samples<uint8_t>(read_image(path("out.png"))), before) << words_of(command);
    }
}

TEST_F(Output, CountsHiddenColoursThatAreNotInterpolated) {
    const std::string in = with_hidden_colour();
    EXPECT_THAT(
        said({"resize", in, "--factor", "2", "--method", "nearest", "--backend", "cpu", "-o", path("out.png")}),
        ElementsAre("texelscope: " + path("out.png") + ": the colour of 1 transparent pixel was not interpolated"));
}

TEST_F(Output, CountsPixelsWhoseAlphaOrColourTheFormatCannotKeep) {
    const std::string in = with_hidden_colour();
    const auto resized = [&](const std::string& out) {
        return said({"resize", in, "--factor", "1", "--method", "nearest", "--backend", "cpu", "-o", path(out)});
    };
    EXPECT_THAT(resized("out.ppm"), ElementsAre("texelscope: " + path("out.ppm") +
                                                ": 3 pixels were put over black, since PNM is written without alpha"));
    EXPECT_THAT(resized("out.jpg"), ElementsAre(HasSubstr("3 pixels were put over black")));
    for (const char* keeps_both : {"out.bmp", "out.webp"}) EXPECT_THAT(resized(keeps_both), IsEmpty()) << keeps_both;
#if TEXELSCOPE_WITH_OIIO
    EXPECT_THAT(resized("out.exr"), ElementsAre(HasSubstr("1 transparent pixel was made black")));
#endif
}

}  // namespace

// Arrays of numbers through the commands: their type, their shape, and all digits where nothing is computed.

namespace {

using testing::HasSubstr;

constexpr int64_t beyond_float = (int64_t(1) << 24) + 1;

class NumberTypesOf : public Program {
protected:
    template <class T>
    std::string array(const std::string& name, const std::string& descr, const std::string& shape,
                      const std::vector<T>& values) const {
        const std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        return write(name, npy("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }", bytes));
    }
    std::string dtype_and_shape(const std::string& name) const {
        const std::string bytes = content(name);
        const NpyHeader header = parse_npy_header(span_of(bytes));
        std::string text = header.descr;
        for (const uint64_t side : header.shape) text += " " + std::to_string(side);
        return text;
    }
    template <class T> std::vector<T> values(const std::string& name) const {
        const std::string bytes = content(name);
        const size_t at = parse_npy_header(span_of(bytes)).data_at;
        std::vector<T> values((bytes.size() - at) / sizeof(T));
        std::memcpy(values.data(), bytes.data() + at, values.size() * sizeof(T));
        return values;
    }
};

TEST_F(NumberTypesOf, AnArrayKeepsItsNumberOfDimensions) {
    const std::vector<float> six = {1, 2, 3, 4, 5, 6};
    const std::pair<const char*, const char*> shapes[] = {
        {"(6,)", "<f4 6"}, {"(2, 3)", "<f4 2 3"}, {"(2, 3, 1)", "<f4 2 3 1"}, {"(1, 2, 3)", "<f4 1 2 3"}};
    for (const auto& [shape, expected] : shapes) {
        const std::string in = array("in.npy", "<f4", shape, six);
        printed({"resize", in, "-o", path("same.npy"), "--factor", "1", "--method", "nearest"});
        EXPECT_EQ(dtype_and_shape("same.npy"), expected);
        EXPECT_EQ(values<float>("same.npy"), six);
    }
    printed({"render", array("in.npy", "<f4", "(2, 3)", six), "-o", path("view.npy"), "--size", "5x4"});
    EXPECT_EQ(dtype_and_shape("view.npy"), "<f4 4 5");
    printed({"render", array("in.npy", "<f4", "(2, 3)", six), "-o", path("slope.npy"), "--derivative", "x"});
    EXPECT_EQ(dtype_and_shape("slope.npy"), "<f4 2 3");
    printed({"resize", "@step:8", "-o", path("image.npy"), "--factor", "1"});
    EXPECT_EQ(dtype_and_shape("image.npy"), "<f4 8 8 1") << "a picture has an axis of channels";
}

TEST_F(NumberTypesOf, EveryTypeIsWrittenIfItIsAskedFor) {
    const std::string in = array<double>("in.npy", "<f8", "(1, 4)", {-1.6, 0.4, 0.6, 300});
    const auto written = [&](const char* depth) {
        printed({"resize", in, "-o", path("out.npy"), "--factor", "1", "--method", "nearest", "--depth", depth});
        return dtype_and_shape("out.npy");
    };
    EXPECT_EQ(written("u8"), "|u1 1 4");
    EXPECT_EQ(values<uint8_t>("out.npy"), (std::vector<uint8_t>{0, 102, 153, 255})) << "0 to 1";
    EXPECT_EQ(written("u16"), "<u2 1 4");
    EXPECT_EQ(values<uint16_t>("out.npy"), (std::vector<uint16_t>{0, 26214, 39321, 65535}));
    EXPECT_EQ(written("i8"), "|i1 1 4");
    EXPECT_EQ(values<int8_t>("out.npy"), (std::vector<int8_t>{-2, 0, 1, 127}));
    EXPECT_EQ(written("i16"), "<i2 1 4");
    EXPECT_EQ(values<int16_t>("out.npy"), (std::vector<int16_t>{-2, 0, 1, 300}));
    EXPECT_EQ(written("i32"), "<i4 1 4");
    EXPECT_EQ(values<int32_t>("out.npy"), (std::vector<int32_t>{-2, 0, 1, 300}));
    EXPECT_EQ(written("u32"), "<u4 1 4");
    EXPECT_EQ(values<uint32_t>("out.npy"), (std::vector<uint32_t>{0, 0, 1, 300}));
    EXPECT_EQ(written("i64"), "<i8 1 4");
    EXPECT_EQ(values<int64_t>("out.npy"), (std::vector<int64_t>{-2, 0, 1, 300}));
    EXPECT_EQ(written("u64"), "<u8 1 4");
    EXPECT_EQ(values<uint64_t>("out.npy"), (std::vector<uint64_t>{0, 0, 1, 300}));
    EXPECT_EQ(written("f16"), "<f2 1 4");
    EXPECT_EQ(written("f32"), "<f4 1 4");
    EXPECT_EQ(written("f64"), "<f8 1 4");
    EXPECT_EQ(values<double>("out.npy"), (std::vector<double>{-1.6, 0.4, 0.6, 300})) << "not rounded to float";
}

TEST_F(NumberTypesOf, WithoutADepthArraysAreFloats) {
    for (const auto& [descr, bytes] : {std::pair{"|u1", 1}, {"<u2", 2}, {"<i4", 4}, {"<f8", 8}, {"<f2", 2}}) {
        const std::string in = array("in.npy", descr, "(2, 2)", std::vector<uint8_t>(size_t(4 * bytes)));
        printed({"resize", in, "-o", path("out.npy"), "--factor", "2"});
        EXPECT_EQ(dtype_and_shape("out.npy"), "<f4 4 4") << descr;
    }
}

TEST_F(NumberTypesOf, NearestKeepsLabelsBeyondFloat) {
    const std::string in = array<int64_t>("in.npy", "<i8", "(1, 3)", {beyond_float, INT64_MIN, INT64_MAX});
    printed({"resize", in, "-o", path("out.npy"), "--size", "6x1", "--method", "nearest", "--depth", "i64"});
    EXPECT_EQ(values<int64_t>("out.npy"),
              (std::vector<int64_t>{beyond_float, beyond_float, INT64_MIN, INT64_MIN, INT64_MAX, INT64_MAX}));
    printed({"render", in, "-o", path("out.npy"), "--method", "nearest", "--depth", "u64"});
    EXPECT_EQ(values<uint64_t>("out.npy"), (std::vector<uint64_t>{uint64_t(beyond_float), 0, uint64_t(INT64_MAX)}));
    printed({"warp", in, "--map", "@swirl:0", "-o", path("out.npy"), "--method", "nearest", "--depth", "i64"});
    EXPECT_EQ(values<int64_t>("out.npy"), (std::vector<int64_t>{beyond_float, INT64_MIN, INT64_MAX}));
    printed({"resize", in, "-o", path("out.npy"), "--factor", "1", "--method", "bilinear", "--depth", "i64"});
    EXPECT_EQ(values<int64_t>("out.npy").front(), beyond_float - 1) << "computed as float32";
}

TEST_F(NumberTypesOf, SamplesAreWrittenWithAllDigits) {
    const std::string in = array<uint64_t>("in.npy", "<u8", "(1, 2)", {UINT64_MAX, 7});
    const std::string at = write("at.csv", "0,0\n0.8,0\n5,0\n");
    EXPECT_EQ(printed({"sample", in, "--at", at, "--method", "nearest", "--outside", "nan"}),
              "0,0,18446744073709551615\n0.8,0,7\n5,0,nan\n");
    printed({"sample", in, "--at", at, "--method", "nearest", "-o", path("values.npy"), "--depth", "u64"});
    EXPECT_EQ(dtype_and_shape("values.npy"), "<u8 3");
    EXPECT_EQ(values<uint64_t>("values.npy"), (std::vector<uint64_t>{UINT64_MAX, 7, 7}));
    printed({"sample", in, "--at", at, "--method", "nearest", "-o", path("values.npy")});
    EXPECT_EQ(dtype_and_shape("values.npy"), "<f4 3");
    expect_error(2, {"sample", in, "--at", at, "--depth", "u64"}, {"--depth", ".npy"});
}

TEST_F(NumberTypesOf, InfoSaysWhatIsComputed) {
    const auto said = [&](const std::string& descr, size_t bytes) {
        return printed({"info", array("in.npy", descr, "(2, 2)", std::vector<uint8_t>(4 * bytes))});
    };
    EXPECT_THAT(said("<i2", 2), HasSubstr("signed 16-bit integers, kept as numbers\n"));
    EXPECT_THAT(
        said("<u4", 4),
        HasSubstr("unsigned 32-bit integers, kept as numbers; computed as 32-bit floats, exact up to 16777216"));
    EXPECT_THAT(said("<f8", 8), HasSubstr("64-bit floats; computed as 32-bit floats"));
    EXPECT_THAT(said("<u2", 2), HasSubstr("16-bit integers\n"));
}

TEST_F(NumberTypesOf, ValuesTooLargeForFloatsAreCounted) {
    const std::string in = array<double>("in.npy", "<f8", "(1, 3)", {1e300, HUGE_VAL, -1e300});
    const auto said = [&](const char* depth) {
        return run({"resize", in, "-o", path("out.npy"), "--factor", "1", "--method", "nearest", "--depth", depth})
            .errors;
    };
    EXPECT_THAT(said("f32"), testing::ElementsAre(HasSubstr("2 values too large for 32-bit floats became infinite")));
    EXPECT_THAT(said("f64"), testing::IsEmpty());
}

TEST_F(NumberTypesOf, OtherFormatsSayWhatTheyHold) {
    const std::string in = array<int32_t>("in.npy", "<i4", "(1, 2)", {-5, 2});
    expect_error(2, {"resize", in, "-o", path("out.png"), "--factor", "1", "--depth", "i32"},
                 {"PNG", "i32", "u8, u16"});
    printed({"resize", in, "-o", path("out.pgm"), "--factor", "1"});
    EXPECT_EQ(content("out.pgm").substr(content("out.pgm").size() - 2), std::string("\0\xff", 2));
}

}  // namespace
}  // namespace texelscope::test
