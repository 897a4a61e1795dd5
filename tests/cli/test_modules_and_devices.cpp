// OpenImageIO, libjxl, libtiff, OpenSlide and OpenJPEG are modules that only files which need them load: the program
// works without them, and says so where it cannot.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/cli/running.h"
#include "app/files/codecs/codecs.h"
#include "gpu/core/errors.h"
#include "tests/cli/program.h"
#include "tests/files/bytes.h"
#include "tests/support/backends.h"
#include "tests/support/encoded_files.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

// A grey TIFF of two samples, by the specification.
std::string tiff() {
    const auto entry = [](uint32_t tag, uint32_t value) {
        return little16(tag) + little16(4) + little32(1) + little32(value);
    };
    return "II*\0"s + little32(8) + little16(8) + entry(256, 2) + entry(257, 1) + entry(258, 8) + entry(259, 1) +
           entry(262, 1) + entry(273, 8 + 2 + 8 * 12 + 4) + entry(278, 1) + entry(279, 2) + little32(0) + "ab";
}

class Modules : public Program {
protected:
    void SetUp() override {
        Program::SetUp();
        fs::create_directories(folder_ / "bin");
        fs::copy_file(TEXELSCOPE_PROGRAM, folder_ / "bin/texelscope");
        write("a.tif", tiff());
        write("a.png", png(2, 1, 8, 0, "\0ab"s));
        write("a.jpg", jpeg_of(8, 8, 1, JCS_GRAYSCALE, [](int x, int, int) { return 9 * x; }));
        write("a.ppm", "P6 1 1 255\nabc");
    }
    // The copy, which has no module beside it. Its status and its first line of stderr.
    std::pair<int, std::string> alone(const std::vector<std::string>& arguments,
                                      std::map<std::string, std::string> environment = {}) const {
        std::vector<std::string> all = {"sh", "-c", "exec \"$0\" \"$@\" >/dev/null 2>\"$ERR\"", path("bin/texelscope")};
        all.insert(all.end(), arguments.begin(), arguments.end());
        environment.merge(
            std::map<std::string, std::string>{{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}, {"ERR", path("err")}});
        const int status = test::run(all, environment);
        const std::string text = content("err");
        return {status, text.substr(0, text.find('\n'))};
    }
    // Beside the copy.
    void add_module(const std::string& name) const {
        fs::create_symlink(fs::path(TEXELSCOPE_PROGRAM).parent_path() / name, folder_ / "bin" / name);
    }
    std::pair<int, std::string> resized(const std::string& in, const std::string& out) const {
        return alone({"resize", path(in), "-o", path(out), "--size", "4x4", "--backend", "cpu"});
    }
};

TEST_F(Modules, AreNotNeededForTheFormatsOfOtherReaders) {
    for (const char* in : {"a.png", "a.jpg", "a.ppm"}) {
        for (const char* out : {"out.png", "out.jpg", "out.ppm"}) {
            const auto [status, words] = resized(in, out);
            EXPECT_EQ(status, 0) << in << " → " << out << ": " << words;
        }
        const auto [told, complaint] = alone({"info", path(in)});
        EXPECT_EQ(told, 0) << in << ": " << complaint;
    }
}

// What the dynamic linker loads at the start (ld.so(8), LD_TRACE_LOADED_OBJECTS).
TEST_F(Modules, AreNotLoadedAtTheStart) {
    const std::string list = path("list");
    ASSERT_EQ(test::run({"sh", "-c", "LD_TRACE_LOADED_OBJECTS=1 \"$0\" >\"$1\"", TEXELSCOPE_PROGRAM, list}), 0);
    EXPECT_NE(content("list").find("libpng"), std::string::npos);
    EXPECT_EQ(content("list").find("OpenImageIO"), std::string::npos);
    EXPECT_EQ(content("list").find("OpenEXR"), std::string::npos);
    EXPECT_EQ(content("list").find("libjxl"), std::string::npos);
    EXPECT_EQ(content("list").find("libtiff"), std::string::npos);
}

#if TEXELSCOPE_WITH_OIIO
TEST_F(Modules, OfOpenImageIOIsMissedInOneSentence) {
    const std::string needed = "out.tif: OpenImageIO, which such files need, cannot be loaded (";
    const auto [status, words] = resized("a.png", "out.tif");
    EXPECT_EQ(status, 1);
    EXPECT_NE(words.find(needed), std::string::npos) << words;
    EXPECT_NE(words.find("texelscope_oiio.so: cannot open shared object file"), std::string::npos) << words;
    EXPECT_FALSE(fs::exists(path("out.tif")));
    write("bin/texelscope_oiio.so", "no library");
    const auto [again, complaint] = resized("a.png", "out.tif");
    EXPECT_EQ(again, 1);
    EXPECT_NE(complaint.find(needed), std::string::npos) << complaint;
}
#endif

// As it is installed: bin/texelscope, and the module below lib/.
TEST_F(Modules, AreFoundBesideTheProgramAndWhereTheyAreInstalled) {
    if (!readable(*codec_of_extension("a.tif"))) GTEST_SKIP() << "this build has no libtiff";
    const fs::path module = fs::path(TEXELSCOPE_PROGRAM).parent_path() / "texelscope_tiff.so";
    for (const char* place : {".", TEXELSCOPE_MODULE_FOLDER "/modules"}) {
        const fs::path folder = (folder_ / "bin" / place).lexically_normal();
        fs::create_directories(folder);
        fs::create_symlink(module, folder / "texelscope_tiff.so");
        const auto [status, words] = resized("a.tif", "out.png");
        EXPECT_EQ(status, 0) << place << ": " << words;
        fs::remove(folder / "texelscope_tiff.so");
    }
}

TEST_F(Modules, OfLibtiffIsMissedInOneSentence) {
    if (!readable(*codec_of_extension("a.tif"))) GTEST_SKIP() << "this build has no libtiff";
    const auto [status, words] = resized("a.tif", "out.png");
    EXPECT_EQ(status, 1);
    EXPECT_NE(words.find("a.tif: libtiff, which such files need, cannot be loaded ("), std::string::npos) << words;
    EXPECT_NE(words.find("texelscope_tiff.so: cannot open shared object file"), std::string::npos) << words;
}

// A file that only begins like a JPEG XL shows who has read it.
TEST_F(Modules, OfLibjxlIsMissedInOneSentence) {
    if (!readable(*codec_of_extension("a.jxl"))) GTEST_SKIP() << "this build has no libjxl";
    write("a.jxl", "\xff\x0a\x00"s);
    const auto [status, words] = resized("a.jxl", "out.png");
    EXPECT_EQ(status, 1);
    EXPECT_NE(words.find("a.jxl: libjxl, which such files need, cannot be loaded ("), std::string::npos) << words;
    EXPECT_NE(words.find("texelscope_jxl.so: cannot open shared object file"), std::string::npos) << words;

    add_module("texelscope_jxl.so");
    const auto [again, damage] = resized("a.jxl", "out.png");
    EXPECT_EQ(again, 1);
    EXPECT_NE(damage.find("the JPEG XL is damaged"), std::string::npos) << damage;
}

// The files only begin like files of the two formats.
TEST_F(Modules, OfOpenExrAndOfLibheifAreMissedInOneSentence) {
    struct Case {
        std::string file, beginning, library, module;
    };
    for (const auto& [file, beginning, library, module] :
         {Case{"a.exr", "v/1\x01", "OpenEXR", "texelscope_openexr.so"}, Case{"a.heic",
                                                                             "\0\0\0\x0c"
                                                                             "ftypheic"s,
                                                                             "libheif", "texelscope_heif.so"}}) {
        if (!readable(*codec_of_extension(file))) continue;
        write(file, beginning);
        const auto [status, words] = resized(file, "out.png");
        EXPECT_EQ(status, 1);
        EXPECT_NE(words.find(file + ": " + library + ", which such files need, cannot be loaded ("), std::string::npos)
            << words;
        add_module(module);
        const auto [again, damage] = resized(file, "out.png");
        EXPECT_EQ(again, 1);
        EXPECT_NE(damage.find(" is damaged or of a kind that cannot be read ("), std::string::npos) << damage;
    }
}

TEST_F(Modules, OfOpenSlideIsMissedBySlidesThatAreNoTiffs) {
    if (!readable(*codec_of_extension("a.svs"))) GTEST_SKIP() << "this build has no OpenSlide";
    write("a.mrxs", "no picture");
    const auto [status, words] = resized("a.mrxs", "out.png");
    EXPECT_EQ(status, 1);
    EXPECT_NE(words.find("a.mrxs: OpenSlide, which such files need, cannot be loaded ("), std::string::npos) << words;
    write("a.svs", tiff());
    add_module("texelscope_tiff.so");
    const auto [read, complaint] = resized("a.svs", "out.png");
    EXPECT_EQ(read, 0) << complaint;
}

// A codestream that ends after its first markers shows who has read it.
TEST_F(Modules, OfOpenJpegIsMissedOnlyWithoutOpenImageIO) {
    if (!codec_of_extension("a.j2k")->open_regions) GTEST_SKIP() << "this build has no OpenJPEG";
    write("a.j2k", "\xff\x4f\xff\x51\x00\x29 and no more"s);
#if TEXELSCOPE_WITH_OIIO
    add_module("texelscope_oiio.so");
    const std::string expected = "a.j2k: the JPEG 2000 is damaged";
#else
    const std::string expected = "a.j2k: OpenJPEG, which such files need, cannot be loaded (";
#endif
    const auto [status, words] = resized("a.j2k", "out.png");
    EXPECT_EQ(status, 1);
    EXPECT_NE(words.find(expected), std::string::npos) << words;
}

}  // namespace

// Falling back to the CPU in the middle of the work, and what `info` reports about devices.

namespace {

// A CPU that pretends to be a GPU.
class StandInGpu final : public CountingBackend {
public:
    StandInGpu() : CountingBackend(make_cpu_backend()) {
        info_.kind = BackendKind::cuda;
        info_.device = "stand-in";
    }
    const BackendInfo& info() const override { return info_; }

private:
    BackendInfo info_;
};

std::shared_ptr<Backend> stand_in_gpu(BackendChoice, std::string*) { return std::make_shared<StandInGpu>(); }

// The backends on which the work was begun, when the first of them fails in this way.
template <class Failure>
std::vector<BackendKind> begun(BackendChoice choice, const Failure& failure, const MakeBackend& make) {
    std::vector<BackendKind> kinds;
    try {
        on_backend(
            choice,
            [&](const std::shared_ptr<Backend>& backend) {
                kinds.push_back(backend->info().kind);
                if (kinds.size() == 1) throw failure;
            },
            make);
    } catch (const Failure&) {
        kinds.push_back(kinds.back());  // twice the same: it was not caught
    }
    return kinds;
}

const std::vector<BackendKind> fell = {BackendKind::cuda, BackendKind::cpu},
                               did_not = {BackendKind::cuda, BackendKind::cuda};

TEST(OnBackend, AutoFallsToTheCpuWhereTheGpuIsFullOrLost) {
    EXPECT_EQ(begun(BackendChoice::automatic, OutOfMemory("no memory on the GPU"), stand_in_gpu), fell);
    EXPECT_EQ(begun(BackendChoice::automatic, DeviceLost("an illegal address"), stand_in_gpu), fell);
}

TEST(OnBackend, OtherErrorsAndOtherChoicesStay) {
    EXPECT_EQ(begun(BackendChoice::automatic, Error("the file is damaged"), stand_in_gpu), did_not);
    EXPECT_EQ(begun(BackendChoice::cuda, OutOfMemory("no memory on the GPU"), stand_in_gpu), did_not);
    const auto cpu = [](BackendChoice, std::string*) { return make_cpu_backend(); };
    EXPECT_EQ(begun(BackendChoice::automatic, OutOfMemory("no memory"), cpu), (std::vector(2, BackendKind::cpu)));
}

class FallingProgram : public Program {};

// The device that is said to fail need not exist.
TEST_F(FallingProgram, RendersOnTheCpuWhereNoDeviceCanBeUsed) {
    for (const char* fault : {"none", "*=out-of-memory"}) {
        const std::string out = path("out.png"), errors = path("errors");
        const std::vector<std::string> command = {
            "sh", "-c",       "exec \"$0\" \"$@\" 2>\"$ERR\"", TEXELSCOPE_PROGRAM, "render", "@step:16", "-o",
            out,  "--backend"};
        const std::map<std::string, std::string> environment = {{"TEXELSCOPE_TEST_FAULT", fault}, {"ERR", errors}};
        auto with_auto = command, with_cuda = command;
        with_auto.push_back("auto");
        with_cuda.push_back("cuda");
        EXPECT_EQ(test::run(with_auto, environment), 0) << fault << ": " << content("errors");
        EXPECT_TRUE(std::filesystem::exists(out)) << fault;
        std::filesystem::remove(out);
        EXPECT_EQ(test::run(with_cuda, environment), 1) << fault;
        EXPECT_NE(content("errors").find("backend cuda: "), std::string::npos) << fault << ": " << content("errors");
        EXPECT_FALSE(std::filesystem::exists(out)) << fault;
    }
}

std::vector<DeviceAnswer> two_devices() {
    DeviceAnswer old, good;
    old.index = 0;
    old.name = "NVIDIA GeForce GTX 1080";
    old.limits.compute_capability = 61;
    old.why_not = "no code for its compute capability 6.1 is in this program";
    good.index = 1;
    good.name = "NVIDIA H200";
    good.limits.compute_capability = 90;
    good.limits.multiprocessors = 132;
    good.limits.shared_bytes_per_block = 227 << 10;
    good.limits.texture_width = 131072;
    good.limits.texture_height = 65536;
    good.code = "compiled for compute capability 9.0";
    return {old, good};
}

TEST(DeviceFacts, TellWhichDeviceIsUsedAndWhyNotAnother) {
    const FactRows rows = device_rows(two_devices(), 1);
    const FactRows expected = {
        {"CUDA device 0", "NVIDIA GeForce GTX 1080, compute capability 6.1: cannot be used"},
        {"  reason", "no code for its compute capability 6.1 is in this program"},
        {"CUDA device 1", "NVIDIA H200, compute capability 9.0: in use"},
        {"  code", "compiled for compute capability 9.0"},
        {"  hardware", "132 multiprocessors, 227 KiB of shared memory per block"},
    };
    EXPECT_EQ(rows, expected);
    EXPECT_TRUE(device_rows({}, any_device).empty());
    const auto json = devices_as_json(two_devices(), 1);
    ASSERT_EQ(json.size(), 2u);
    EXPECT_EQ(json[0].at("usable"), false);
    EXPECT_EQ(json[0].at("used"), false);
    EXPECT_EQ(json[0].at("compute_capability"), "6.1");
    EXPECT_FALSE(json[0].contains("code"));
    EXPECT_EQ(json[1].at("used"), true);
    EXPECT_EQ(json[1].at("code"), "compiled for compute capability 9.0");
    EXPECT_EQ(json[1].at("shared_bytes_per_block"), 227 << 10);
    EXPECT_EQ(json[1].at("largest_texture"), (nlohmann::ordered_json{131072, 65536}));
}

}  // namespace
}  // namespace texelscope::test
