// texelscope compare --restore of many pictures, and of results that were made elsewhere.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>

#include "app/files/reading/image_files.h"
#include "tests/cli/program.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ManyPicturesCommand : public Program {
protected:
    using Results = nlohmann::json;

    void SetUp() override {
        Program::SetUp();
        caches_.emplace("XDG_CACHE_HOME", path("caches"));
    }
    std::optional<Variable> caches_;

    // Pictures a.png, b.png, … in the folder `pictures`.
    std::string folder_of(int count) const {
        const std::string folder = path("pictures");
        std::filesystem::create_directories(folder);
        for (int k = 0; k < count; ++k)
            write_image(noise(64 + 2 * k, 60, k % 2 ? 3 : 1, SampleType::u8, k + 1),
                        folder + "/" + char('a' + k) + ".png");
        return folder;
    }
    static std::vector<std::string> judging(std::vector<std::string> in, std::vector<std::string> more = {}) {
        in.insert(in.begin(), "compare");
        in.insert(in.end(), {"--restore", "2", "--panes", "nearest; bilinear; catmull-rom", "--backend", "cpu"});
        in.insert(in.end(), more.begin(), more.end());
        return in;
    }
    Results results(const std::vector<std::string>& in, std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--json", "-"});
        return Results::parse(printed(judging(in, more)));
    }
    // Times are not the same twice.
    static Results without_times(Results value) {
        if (value.is_object())
            for (const char* key : {"microseconds", "seconds", "slowed"}) value.erase(key);
        if (value.is_structured())
            for (Results& part : value) part = without_times(part);
        return value;
    }
};

TEST_F(ManyPicturesCommand, FiguresAreThoseOfEachPicture) {
    const std::string folder = folder_of(3);
    const Results many = results({folder, "@natural:64"});
    ASSERT_EQ(many["pictures"].size(), 4u);
    EXPECT_EQ(many["pictures"][1]["image"], folder + "/b.png");
    for (const Results& picture : many["pictures"]) {
        Results alone = Results::parse(printed(judging({picture["image"].get<std::string>()}, {"--json", "-"})));
        alone["index"] = picture["index"];
        EXPECT_EQ(without_times(alone), without_times(picture));
    }
    ASSERT_EQ(many["methods"].size(), 3u);
    for (const Results& method : many["methods"]) {
        double sum = 0;
        for (const Results& picture : many["pictures"])
            for (const Results& one : picture["methods"])
                if (one["spec"] == method["spec"]) sum += one["interior"]["psnr"].get<double>();
        EXPECT_NEAR(method["mean"], sum / 4, 1e-9);
    }
    EXPECT_THAT(many["verdict"].get<std::string>(), HasSubstr("With fewer than 6 pictures"));
}

TEST_F(ManyPicturesCommand, ABrokenPictureIsOneLineAndDoesNotEndTheRun) {
    const std::string folder = folder_of(2);
    write("pictures/aa.png", "<html>no picture</html>");
    write_image(noise(8, 8, 1, SampleType::u8, 1), folder + "/small.png");
    const Result result = run(judging({folder}, {"--jobs", "2"}));
    EXPECT_EQ(result.status, 1);
    ASSERT_EQ(result.errors.size(), 3u);
    EXPECT_THAT(result.errors[0], HasSubstr("aa.png"));
    EXPECT_THAT(result.errors[1], HasSubstr("small.png"));
    EXPECT_THAT(result.errors[1], HasSubstr("too small"));
    EXPECT_THAT(result.errors[2], HasSubstr("2 of 4 pictures could not be judged"));
    EXPECT_THAT(result.output, HasSubstr("2 pictures best on average"));
    const Result none = run(judging({path("pictures/aa.png"), path("pictures/small.png")}));
    EXPECT_EQ(none.status, 1);
    EXPECT_THAT(none.output, HasSubstr("No picture could be judged"));
}

TEST_F(ManyPicturesCommand, SamplesThatAreNotFiniteAreLeftOutAndSaid) {
    const std::string folder = folder_of(2);
    Image holed = noise(96, 96, 1, SampleType::f32, 7);
    holed.row_as<float>(40)[41] = std::numeric_limits<float>::quiet_NaN();
    holed.row_as<float>(41)[41] = std::numeric_limits<float>::infinity();
    write_image(holed, folder + "/holed.npy");
    const std::string report = path("report.html");
    EXPECT_THAT(printed(judging({folder}, {"--report", report})),
                HasSubstr("1 picture has samples that are not finite: they and what they reach are left out"));
    EXPECT_THAT(content("report.html"), HasSubstr("holed.npy: 2 samples not finite"));
    for (const Results& picture : results({folder})["pictures"])
        EXPECT_EQ(picture.contains("not_finite") ? picture["not_finite"]["samples"].get<int>() : 0,
                  picture["image"] == folder + "/holed.npy" ? 2 : 0);
}

TEST_F(ManyPicturesCommand, JobsAndPartsGiveTheSameFigures) {
    const std::string folder = folder_of(5);
    const Results whole = results({folder});
    EXPECT_EQ(without_times(results({folder}, {"--jobs", "3", "--keep", "off"})), without_times(whole));
    std::vector<std::string> parts = {"compare", "--merge", "--json", "-"};
    for (const char* part : {"1/2", "2/2"}) {
        parts.push_back(path(std::string(part).substr(0, 1) + ".json"));
        printed(judging({folder}, {"--shard", part, "--json", parts.back()}));
    }
    EXPECT_EQ(Results::parse(printed(parts)), whole) << "times too: what is kept is not measured again";
    EXPECT_THAT(printed({"compare", parts[4], parts[5], "--merge"}), HasSubstr("5 pictures best on average"));
    expect_error(1, {"compare", parts[4], parts[4], "--merge"}, {"a.png is in", "already"});
    expect_error(1, {"compare", folder + "/a.png", "--merge"}, {"a.png", "no result of texelscope compare"});
    expect_error(1, {"compare", path("none.json"), "--merge"}, {"none.json"});
    expect_error(2, {"compare", parts[4], "--merge", "--restore", "2"}, {"--merge", "leave out"});
    for (const char* wrong : {"0/2", "3/2", "1", "a/b", "1/", "/2", "1/0", "-1/2", "99999999999999999999/2"})
        expect_error(2, judging({folder}, {"--shard", wrong}), {"--shard must be I/N", wrong});
    expect_error(2, judging({folder}, {"--shard", "9/9"}), {"--shard 9/9", "only 5 pictures"});
    for (const char* wrong : {"0", "x", "1000"})
        expect_error(2, judging({folder}, {"--jobs", wrong}), {"--jobs", wrong});
}

// A kept record is told from a new one by a time that no machine measures.
TEST_F(ManyPicturesCommand, ATestThatWasEndedGoesOnWhereItWas) {
    const std::string folder = folder_of(3);
    printed(judging({folder}, {"--shard", "1/2", "--keep", path("kept")}));
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path("kept"))) files.push_back(entry.path());
    ASSERT_EQ(files.size(), 2u);
    for (const auto& file : files) {
        Results record = Results::parse(content("kept/" + file.filename().string()));
        for (Results& method : record["methods"]) method["microseconds"] = 1e9;
        write("kept/" + file.filename().string(), record.dump());
    }
    const auto kept_ones = [&](std::vector<std::string> more, const std::vector<std::string>& in) {
        more.insert(more.end(), {"--keep", path("kept")});
        size_t count = 0;
        const Results all = results(in, more);
        for (const Results& picture : all["pictures"])
            if (picture["methods"][0]["microseconds"] == 1e9) ++count;
        return count;
    };
    EXPECT_EQ(kept_ones({}, {folder}), 2u);
    std::filesystem::rename(folder + "/a.png", folder + "/z.png");
    EXPECT_EQ(kept_ones({}, {folder}), 2u) << "by content, not by name";
    EXPECT_EQ(kept_ones({"--linear-light"}, {folder}), 0u);
    EXPECT_EQ(kept_ones({"--shrink-with", "bspline"}, {folder}), 0u);
    std::filesystem::copy_file(folder + "/b.png", folder + "/z.png", std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(kept_ones({}, {folder}), 1u) << "another picture by the same name";
    for (const auto& file : files) write("kept/" + file.filename().string(), "{\"methods\": [");
    EXPECT_EQ(kept_ones({}, {folder}), 0u) << "damaged";
    expect_error(1, judging({folder}, {"--keep", folder + "/b.png"}), {"b.png", "is not a folder"});
    expect_error(2, judging({folder + "/b.png"}, {"--keep", "off"}), {"--keep", "many pictures"});
}

TEST_F(ManyPicturesCommand, WritesAPageAndATable) {
    const std::string folder = folder_of(6);
    printed(judging({folder}, {"--report", path("r.html"), "--csv", path("r.csv")}));
    const std::string page = content("r.html"), table = content("r.csv");
    for (const char* part :
         {"Which method is best for 6 pictures?", "Quality over the pictures", "Quality against time",
          "PSNR (dB) of each picture", "wins", "data:image/png;base64,", "f.png", "largest error at"})
        EXPECT_THAT(page, HasSubstr(part));
    EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 6 * 3);
    EXPECT_THAT(table, HasSubstr("/f.png,\"catmull-rom:path=auto,address=clamp\","));
    printed(judging({folder + "/a.png"}, {"--csv", path("one.csv")}));
    EXPECT_THAT(content("one.csv"), HasSubstr("Catmull–Rom,catmull-rom,"));
}

TEST_F(ManyPicturesCommand, WhatDoesNotGoTogetherIsRefused) {
    const std::string folder = folder_of(2);
    std::filesystem::create_directories(path("empty"));
    expect_error(1, judging({path("empty")}), {"empty", "no pictures"});
    expect_error(2, judging({folder}, {"--sheet", path("out.png")}), {"--sheet shows one picture"});
    expect_error(2, judging({folder + "/a.png"}, {"--jobs", "2"}), {"--jobs", "many pictures"});
    expect_error(2, judging({folder + "/a.png", "-"}), {"standard input is one picture"});
    expect_error(2, {"compare", folder + "/a.png", folder + "/b.png"}, {"one picture, not 2", "--restore"});
    for (const char* option : {"--csv", "--result", "--write-shrunk", "--shard", "--jobs"})
        expect_error(2, {"compare", folder + "/a.png", option, "x=y.png"}, {option, "needs --restore"});
}

// What another program would do: enlarge the shrunk picture.
TEST_F(ManyPicturesCommand, ResultsOfOtherProgramsAreMethods) {
    const std::string folder = folder_of(2);
    EXPECT_EQ(printed(judging({folder}, {"--write-shrunk", path("{name}.npy")})), "");
    for (const char* name : {"a", "b"}) {
        const Image original = load_image(folder + "/" + name + ".png");
        EXPECT_EQ(load_image(path(std::string(name) + ".npy")).width(), original.width() / 2);
        const std::string size = std::to_string(original.width()) + "x" + std::to_string(original.height());
        printed({"resize", path(std::string(name) + ".npy"), "-o", path(std::string("up-") + name + ".npy"), "--size",
                 size, "--method", "catmull-rom", "--address", "clamp", "--backend", "cpu"});
    }
    const Results many = results({folder}, {"--result", "other=" + path("up-{name}.npy")});
    ASSERT_EQ(many["methods"].size(), 4u);
    std::map<std::string, Results> methods;
    for (const Results& method : many["methods"]) methods[method["name"]] = method;
    EXPECT_NEAR(methods["other"]["mean"], methods["Catmull–Rom"]["mean"], 1e-3) << "made by the same method";
    EXPECT_TRUE(methods["other"]["microseconds"].is_null());
    EXPECT_TRUE(methods["other"]["fetches"].is_null());
    const std::string table =
        printed(judging({folder + "/a.png"}, {"--result", "other=" + path("up-a.npy"), "--sheet", path("sheet.png")}));
    EXPECT_THAT(table, HasSubstr("result:other"));
}

TEST_F(ManyPicturesCommand, ResultsThatDoNotFitAreRefused) {
    const std::string folder = folder_of(2), one = folder + "/a.png";
    write_image(noise(64, 60, 3, SampleType::u8, 3), path("colours.png"));
    write_image(noise(63, 60, 1, SampleType::u8, 3), path("narrow.png"));
    const auto with = [&](const std::string& result) { return judging({one}, {"--result", result}); };
    expect_error(1, with("x=" + path("narrow.png")), {"x: it is 63×60 instead of 64×60"});
    expect_error(1, with("x=" + path("colours.png")), {"x: it has 3 channels instead of 1 channel"});
    expect_error(1, with("x=" + path("none.png")), {"none.png", "no such file"});
    for (const char* wrong : {"x", "=a.png", "x="}) expect_error(2, with(wrong), {"--result must be NAME=FILE", wrong});
    expect_error(2, judging({folder}, {"--result", "x=a.png"}), {"--result must have {name}"});
    expect_error(2, judging({folder}, {"--write-shrunk", path("out.png")}), {"--write-shrunk must have {name}"});
    expect_error(2, judging({one, one}, {"--write-shrunk", path("{name}.png")}), {"have the same {name}"});
    expect_error(2, judging({one}, {"--result", "x=" + one, "--result", "x=" + one}), {"two results are named x"});
    expect_error(2, {"compare", one, "--restore", "shift:0.5x2", "--result", "x=" + one}, {"--result needs --restore"});
    const Result result = run(judging({folder}, {"--result", "x=" + path("{name}.png")}));
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.errors.size(), 3u) << "a line for each picture, and how many";
}

// Programs of every system: the small picture's samples repeated by a script, or nothing at all.
TEST_F(ManyPicturesCommand, OtherProgramsAreMethods) {
    const std::string one = folder_of(1) + "/a.png", done = path("done");
    const auto with = [&](const std::string& command, std::vector<std::string> more = {"--allow-commands"}) {
        std::vector<std::string> all = {"compare",   one,   "--restore", "2",
                                        "--backend", "cpu", "--panes",   "nearest; command:'" + command + "'"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    const std::string repeat =
        "/usr/bin/python3 -c \"import numpy as n, sys; a = n.load(sys.argv[1]); "
        "n.save(sys.argv[2], a.repeat(2, 0).repeat(2, 1))\" {in.npy} {out.npy}";
    expect_error(2, with("touch " + done + "; cp {in} {out}", {}), {"would run: touch", "--allow-commands"});
    EXPECT_FALSE(std::filesystem::exists(done)) << "not unasked";
    if (::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") == 0) {
        const Results figures = Results::parse(printed(with(repeat, {"--allow-commands", "--json", "-"})));
        ASSERT_EQ(figures["methods"].size(), 2u);
        for (const Results& method : figures["methods"]) {
            EXPECT_NEAR(method["all"]["rmse"], figures["methods"][0]["all"]["rmse"], 1e-6) << "repeated is nearest";
            EXPECT_GT(method["microseconds"], 0);
        }
        EXPECT_NE(figures["methods"][0]["spec"], figures["methods"][1]["spec"]);
        std::vector<std::string> alone = with(repeat, {"--allow-commands", "--json", "-"});
        alone[7] = "command:'" + repeat + "'";
        EXPECT_EQ(Results::parse(printed(alone))["methods"].size(), all_methods().size() + 1) << "beside all of ours";
    }
    expect_error(1, with("echo no such filter >&2; exit 3; # {in} {out}"), {"ended with status 3: no such filter"});
    expect_error(1, with("cp {in} " + done + "; echo quietly; true {out}"), {"wrote nothing to {out}: quietly"});
    expect_error(1, with("cp {in} {out}"), {"it is 32×30 instead of 64×60"});
    expect_error(1, with("echo \"<html>\" > {out}; true {in}"), {"what it wrote cannot be read"});
    expect_error(
        1, with("head -c 100000000 /dev/zero > {out}; true {in}", {"--allow-commands", "--command-memory", "0.01"}),
        {"command head"});
    expect_error(1, with("kill -9 $$; true {in} {out}"), {"ended by signal 9"});
    expect_error(1, with("sh -c \"kill -11 \\$\\$\"; exit $?; true {in} {out}"), {"ended by signal 11"});
    expect_error(1, with("seq 1 9999; echo last words; exit 3; true {in} {out}"), {"status 3: last words"});
    expect_error(1, with("printf \"10 %%\\r20 %%\\rno room\"; exit 1; true {in} {out}"), {"status 1: no room"});
    // A size that is refused before memory is taken for it; the file has no samples on the disk.
    const std::string huge = write("huge.pgm", "P5 131072 131072 255\n");
    std::filesystem::resize_file(huge, std::filesystem::file_size(huge) + (size_t(1) << 34));
    expect_error(1, with("ln -s " + huge + " {out}; true {in}"), {"it is 131072×131072 instead of 64×60"});
    expect_error(2, judging({one}, {"--allow-commands"}), {"--allow-commands needs a command"});
    expect_error(2, with("cp {in} x"), {"needs {in} and {out}"});
    expect_error(2, with("cp {in} {out", {"--allow-commands"}), {"needs {in} and {out}"});
    expect_error(2, with("cp {in} {out}", {"--allow-commands", "--command-seconds", "0"}), {"--command-seconds"});
}

// Memory is what a program writes to: those for GPUs reserve more addresses than there is memory.
TEST_F(ManyPicturesCommand, AProgramMayReserveWhatItDoesNotWriteTo) {
    if (::system("/usr/bin/python3 -c 'import mmap' 2>/dev/null") != 0) GTEST_SKIP() << "needs /usr/bin/python3";
    const std::string one = folder_of(1) + "/a.png";
    const auto with = [&](const std::string& code, const std::string& then) {
        const std::string file = write("program.py", code);
        return std::vector<std::string>{"compare",
                                        one,
                                        "--restore",
                                        "1",
                                        "--backend",
                                        "cpu",
                                        "--allow-commands",
                                        "--panes",
                                        "nearest; command:'/usr/bin/python3 " + file + " && " + then + " {in} {out}'"};
    };
    const std::string reserve =
        "import mmap\nmmap.mmap(-1, 1 << 38, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=0)\n";
    EXPECT_THAT(printed(with(reserve, "cp")), HasSubstr("command "));
    expect_error(1, with("a = bytearray(16 << 30)\n", "cp"), {"MemoryError"});
}

// By what a picture is shrunk: without antialiasing bilinear by 2 reads halfway between two samples, which is their mean;
// nearest one of them.
TEST_F(ManyPicturesCommand, PicturesAreShrunkWithoutAntialiasingToo) {
    const std::string one = folder_of(1) + "/a.png";
    const Image original = load_image(one);
    const auto small = [&](const char* filter) {
        printed({"compare", one, "--restore", "2", "--shrink-with", filter, "--antialias", "off", "--write-shrunk",
                 path("s.npy"), "--backend", "cpu"});
        return load_image(path("s.npy"));
    };
    const Image means = small("bilinear"), some = small("nearest");
    for (int y = 0; y < means.height(); ++y)
        for (int x = 0; x < means.width(); ++x) {
            const auto at = [&](int dx, int dy) { return original.value(2 * x + dx, 2 * y + dy, 0); };
            ASSERT_NEAR(means.value(x, y, 0), (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4, 1e-6);
            ASSERT_NEAR(some.value(x, y, 0), at(1, 1), 1e-6);
        }
    const auto test = [&](std::vector<std::string> more) { return results({one, "@natural:64"}, more)["test"][0]; };
    EXPECT_EQ(test({"--antialias", "off"})["antialias"], false);
    EXPECT_EQ(test({"--shrink-with", "like:opencv/cubic"})["filter"], "like:opencv/cubic");
    EXPECT_THAT(printed(judging({one}, {"--antialias", "off"})), HasSubstr("by lanczos3, without antialiasing"));
    EXPECT_THAT(printed(judging({one}, {"--shrink-with", "like:opencv/cubic"})), HasSubstr("by like:opencv/cubic\n"));
    expect_error(2, judging({one}, {"--shrink-with", "like:pillow/bicubic", "--antialias", "off"}),
                 {"like:pillow/bicubic itself says"});
    expect_error(2, {"compare", one, "--restore", "shift:0.5x2", "--antialias", "off"}, {"--antialias", "FACTOR"});
}

// What it started ends with it: the file that would appear after its end does not.
TEST_F(ManyPicturesCommand, AProgramThatHangsIsKilledWithAllItStarted) {
    const std::string one = folder_of(1) + "/a.png", late = path("late");
    const std::vector<std::string> hanging = {"compare",
                                              one,
                                              "--restore",
                                              "2",
                                              "--backend",
                                              "cpu",
                                              "--allow-commands",
                                              "--command-seconds",
                                              "0.3",
                                              "--panes",
                                              "nearest; command:'(sleep 1; touch " + late +
                                                  ") & setsid sh -c \"sleep 1; touch " + late +
                                                  "\" & sleep 600; true {in} {out}'"};
    const auto begin = std::chrono::steady_clock::now();
    expect_error(1, hanging, {"did not end within 0.3 s"});
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    EXPECT_FALSE(std::filesystem::exists(late));
}

}  // namespace
}  // namespace texelscope::test
