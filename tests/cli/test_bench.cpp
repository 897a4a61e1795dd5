// texelscope bench: its cases, its arithmetic, its comparison with earlier results. No figure is expected to be fast.

#include <chrono>
#include <cmath>
#include <iterator>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/studies/bench/result.h"
#include "gpu/method/spec.h"
#include "tests/cli/program.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

constexpr int width = 40, height = 24, side = 64;

class Bench : public Program {
protected:
    std::vector<std::string> words(std::vector<std::string> more) const {
        std::vector<std::string> all = {"bench", "--backend", "cpu", "--size", "40x24", "--source", "64"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    json results(std::vector<std::string> more) const {
        more.insert(more.end(), {"--json", "-"});
        return json::parse(printed(words(more)));
    }
    // One quick run of all sections, for the tests that inspect it: its table and its JSON.
    struct Quick {
        std::string table;
        json report;
    };
    const Quick& quick() const {
        static const Quick run = [&] {
            const std::string table = printed(words({"--quick", "--json", path("quick.json")}));
            return Quick{table, json::parse(content("quick.json"))};
        }();
        return run;
    }
    static json find(const json& report, const std::string& name) {
        for (const json& result : report["results"])
            if (result["name"] == name) return result;
        ADD_FAILURE() << "no result is called " << name;
        return {};
    }
    // Changes all times of a report by this factor.
    std::string doctored(json report, double factor) const {
        for (json& result : report["results"])
            for (const char* key : {"median", "lower", "upper"})
                result["microseconds"][key] = result["microseconds"][key].get<double>() * factor;
        return write("doctored.json", report.dump());
    }
    std::vector<std::string> one_case(std::vector<std::string> more) const {
        more.insert(more.begin(),
                    {"--only", "render", "--method", "catmull-rom", "--case", "/straight/f32x1/catmull-rom"});
        return words(more);
    }
};

TEST_F(Bench, AQuickRunPrintsATableWithAllItsColumns) {
    const std::string& table = quick().table;
    for (const char* part : {"device",
                             "(cpu)",
                             "GB/s",
                             "µs",
                             "quartiles",
                             "Gpixel/s",
                             "MB",
                             "of copy",
                             "× bilinear",
                             "× copy",
                             "nearest",
                             "bilinear:path=hardware",
                             "bspline:prefilter=iir",
                             "catmull-rom",
                             "straight, u8x4 64×64 to 40×24",
                             "zoom8, f32x1 64×64 to 40×24",
                             "rotate, u8x4",
                             "shrink4, u8x4 64×64 to 16×16",
                             "shrink4-rotate, u8x4 64×64 to 16×16",
                             "prefilter, f32x1 64×64",
                             "bspline:prefilter=fir15",
                             "quintic:prefilter=iir",
                             "resize 248×236 u8x1 by 5",
                             "whole-call"})
        EXPECT_NE(table.find(part), std::string::npos) << part << "\n" << table;
}

TEST_F(Bench, JsonIsConsistent) {
    const json& report = quick().report;
    EXPECT_EQ(report["backend"], "cpu");
    const double copied = report["copy"]["gigabytes_per_second"];
    EXPECT_NEAR(copied,
                report["copy"]["bytes"].get<double>() / report["copy"]["microseconds"]["median"].get<double>() / 1000,
                3e-5 * copied);
    std::set<std::string> names;
    for (const json& r : report["results"]) {
        SCOPED_TRACE(r["name"].get<std::string>());
        EXPECT_TRUE(names.insert(r["name"]).second);
        const json& time = r["microseconds"];
        const double us = time["median"];
        EXPECT_GT(us, 0);
        EXPECT_LE(time["lower"], us);
        EXPECT_GE(time["upper"], us);
        EXPECT_GE(time["batches"], 3);
        const double pixels = r["output"][0].get<double>() * r["output"][1].get<double>();
        EXPECT_NEAR(r["gigapixels_per_second"].get<double>() * us, pixels / 1000, 3e-8 * pixels);
        if (r["work"] == "whole-call") continue;
        const double bytes = r["bytes"];
        EXPECT_NEAR(r["share_of_copy"].get<double>() * copied * us, bytes / 1000, (0.5 + 4e-5 * bytes) / 1000);
        EXPECT_NEAR(r["over_copy"].get<double>() * r["copy_microseconds"].get<double>(), us, 3e-5 * us);
        EXPECT_GE(r["bytes_in_turn"], bytes);
    }
    for (const std::string view : {"straight", "zoom8", "rotate", "shrink4", "shrink4-rotate"})
        for (const std::string format : {"u8x4", "f32x1"}) {
            const std::string stem = "render/" + view + "/" + format + "/";
            for (const std::string method : {"nearest", "bilinear", "bspline:prefilter=iir", "catmull-rom"}) {
                const json r = find(report, stem + method), bilinear = find(report, stem + "bilinear");
                EXPECT_NEAR(r["over_bilinear"].get<double>() * bilinear["microseconds"]["median"].get<double>(),
                            r["microseconds"]["median"], 3e-5 * r["microseconds"]["median"].get<double>());
            }
            if (view.starts_with("shrink4")) continue;  // of a single path
            const json r = find(report, stem + "catmull-rom:path=hardware");
            EXPECT_NEAR(r["over_bilinear"].get<double>() *
                            find(report, stem + "bilinear:path=hardware")["microseconds"]["median"].get<double>(),
                        r["microseconds"]["median"], 3e-5 * r["microseconds"]["median"].get<double>());
        }
}

// Texels under a parallelogram of the output's pixels, widened by the taps along both axes, and the output.
TEST_F(Bench, BytesAreTheFootprintAndTheOutput) {
    const json& report = quick().report;
    const auto bytes = [&](const std::string& name) { return find(report, "render/" + name)["bytes"].get<double>(); };
    const double output = 4.0 * width * height;
    EXPECT_NEAR(bytes("straight/u8x4/nearest"), 4.0 * width * height + output, 1);
    EXPECT_NEAR(bytes("straight/u8x4/bilinear"), 4.0 * (width + 1) * (height + 1) + output, 1);
    EXPECT_NEAR(bytes("straight/f32x1/catmull-rom"), 4.0 * (width + 3) * (height + 3) + output, 1);
    EXPECT_NEAR(bytes("zoom8/u8x4/catmull-rom"), 4 * (39 / 8.0 + 4) * (23 / 8.0 + 4) + output, 1);
    // Coefficients are floats, whatever the samples were.
    EXPECT_NEAR(bytes("straight/u8x4/bspline:prefilter=iir"), 16.0 * (width + 3) * (height + 3) + output, 1);
    // The area of a polygon plus a box: polygon + box + side · extent for each axis.
    const double c = std::cos(std::numbers::pi / 18), s = std::sin(std::numbers::pi / 18);
    const double extent_x = 39 * c + 23 * s, extent_y = 39 * s + 23 * c;
    EXPECT_NEAR(bytes("rotate/u8x4/bilinear"), 4 * (39 * 23 + 4 + 2 * extent_x + 2 * extent_y) + output, 1);
    // Antialiased, the bilinear weight function is 8 samples wide; all of the image is read, and no more.
    EXPECT_NEAR(bytes("shrink4/u8x4/bilinear"), 4.0 * side * side + 4.0 * 16 * 16, 1);
    // Rotated, the view's corners leave the image, and some of the image's corners the view.
    EXPECT_LT(bytes("shrink4-rotate/u8x4/bilinear"), bytes("shrink4/u8x4/bilinear"));
    EXPECT_GT(bytes("shrink4-rotate/u8x4/bilinear"), 0.9 * bytes("shrink4/u8x4/bilinear"));
}

TEST_F(Bench, PrefiltersReadSamplesAndWriteFloats) {
    const json& report = quick().report;
    const double samples = side * side;
    const auto bytes = [&](const std::string& name) {
        return find(report, "prefilter/64/" + name)["bytes"].get<double>();
    };
    EXPECT_EQ(bytes("f32x1/bspline:address=mirror,prefilter=iir"), samples * (4 + 4));
    EXPECT_EQ(bytes("u8x4/bspline:address=mirror,prefilter=iir"), samples * (4 + 16));
    // If the signal does not repeat, there is a margin of at least 14.
    EXPECT_GE(bytes("f32x1/bspline:prefilter=iir"), samples * 4 + 4 * (side + 28) * (side + 28));
    EXPECT_GT(bytes("f32x1/quintic:prefilter=iir"), bytes("f32x1/bspline:prefilter=iir"));
    EXPECT_GT(find(report, "prefilter/64/u8x4/bspline:prefilter=fir7")["microseconds"]["median"], 0);
}

TEST_F(Bench, CasesAreChosenByNameAndMethod) {
    const json one =
        results({"--only", "render", "--method", "lanczos3:path=hardware", "--case", "rotate/f16x4/lanczos3"});
    ASSERT_EQ(one["results"].size(), 1u);
    EXPECT_EQ(one["results"][0]["name"], "render/rotate/f16x4/lanczos3:path=hardware");
    EXPECT_EQ(one["results"][0]["method"], "lanczos3:path=hardware,address=clamp");
    EXPECT_TRUE(one["results"][0]["over_bilinear"].is_null());
    const json both = results({"--only", "render", "--method", "mitchell", "--case", "*/straight/u16x4/*"});
    ASSERT_EQ(both["results"].size(), 2u);  // with bilinear for comparison
    EXPECT_GT(find(both, "render/straight/u16x4/mitchell")["over_bilinear"], 0);
}

TEST_F(Bench, NamesAreUniqueAndEveryMethodIsThere) {
    std::istringstream lines(
        printed({"bench", "--backend", "cpu", "--full", "--only", "render,prefilter,resize,paper", "--list"}));
    std::set<std::string> names;
    for (std::string line; std::getline(lines, line);) EXPECT_TRUE(names.insert(line).second) << line;
    for (const MethodInfo* method : all_methods())
        for (const std::string format : {"u8x1", "u8x4", "u16x4", "f16x4", "f32x1", "f32x4"})
            for (const std::string path : {"", "path=global", "path=lookup", "path=hardware"}) {
                std::string spec(method->id);
                if (!path.empty()) spec += ":" + path;
                const MethodSpec on_path = parse_spec(spec);
                if (on_path.effective_path() != on_path.path) continue;  // polar methods have two paths
                if (method->has_prefilter()) spec += std::string(path.empty() ? ":" : ",") + "prefilter=iir";
                EXPECT_TRUE(names.contains("render/rotate/" + format + "/" + spec)) << format << " " << spec;
            }
    for (const char* name :
         {"render/pan/u8x4/bilinear", "render/pan-large/u8x4/bilinear", "render/rotate/u8x4/nearest/simple",
          "resize/x5/u8x1/nearest/cpu", "resize/x5/u8x1/bilinear/whole-call/cpu",
          "paper/prefilter-1024/f32x1/bspline:prefilter=fir15", "paper/zoom16/f32x1/bilinear"})
        EXPECT_TRUE(names.contains(name)) << name;
}

TEST_F(Bench, ThePapersTablesStandBesideThePublishedFigures) {
    const std::string file = path("paper.json");
    const std::string table = printed(words({"--quick", "--only", "paper", "--json", file}));
    // Published: 3.2 / 1.5, 14.5 / 1.5, … of table 3, and what they are made of.
    for (const char* part : {"Table 1", "Table 2", "Table 3", "GTX 260M", "Tesla C2050", "12.506", "11.15", "0.61",
                             "2.13", "9.67", "1.49", "3.31", "1.36", "1.31", "rotation", "×16 zoom"})
        EXPECT_NE(table.find(part), std::string::npos) << part << "\n" << table;
    const json report = json::parse(content("paper.json"));
    const auto us = [&](const std::string& name) {
        return find(report, "paper/" + name)["microseconds"]["median"].get<double>();
    };
    EXPECT_EQ(find(report, "paper/zoom4/f32x1/bilinear")["source"], json({16, 16}));
    EXPECT_EQ(find(report, "paper/zoom4/f32x1/bilinear")["output"], json({64, 64}));
    const double bilinear = std::min(us("zoom2/f32x1/bilinear"), us("zoom2/f32x1/bilinear:path=hardware"));
    const double ratio =
        (us("prefilter-32/f32x1/bspline:prefilter=fir15") + us("zoom2/f32x1/bspline:path=hardware,prefilter=iir")) /
        bilinear;
    const size_t zoom2 = table.find("×2 zoom"), line = table.find("fir15, hardware path", zoom2);
    std::istringstream shown(table.substr(line, table.find('\n', line) - line));
    const std::vector<std::string> cells{std::istream_iterator<std::string>(shown), {}};
    ASSERT_GE(cells.size(), 2u);
    // Two decimals in the table, six digits in the file: on a busy machine ratios are large.
    EXPECT_NEAR(std::stod(cells[cells.size() - 2]), ratio, 0.005 + 1e-5 * ratio) << shown.str();
}

TEST_F(Bench, WhatBecameSlowerIsListedAndFails) {
    const json report = json::parse(printed(one_case({"--json", "-"})));
    const Result slower = run(one_case({"--against", doctored(report, 1e-6)}));
    EXPECT_EQ(slower.status, 1);
    ASSERT_EQ(slower.errors.size(), 1u);
    EXPECT_NE(slower.errors[0].find("doctored.json by more than 10 %"), std::string::npos) << slower.errors[0];
    EXPECT_NE(slower.output.find("slower  render/straight/f32x1/catmull-rom"), std::string::npos) << slower.output;
    EXPECT_EQ(run(one_case({"--against", path("doctored.json"), "--threshold", "1e9"})).status, 0);
    const Result faster = run(one_case({"--against", doctored(report, 1e6), "--threshold", "25"}));
    EXPECT_EQ(faster.status, 0) << faster.output;
    EXPECT_NE(faster.output.find("faster  render/straight/f32x1/catmull-rom"), std::string::npos) << faster.output;
    // The standard output contains only JSON.
    const Result both = run(one_case({"--against", path("doctored.json"), "--json", "-"}));
    EXPECT_TRUE(json::accept(both.output));
}

TEST_F(Bench, ResultsAreSavedUnderTheMachinesName) {
    printed(one_case({"--save", folder_.string()}));
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        if (entry.path().extension() == ".json") files.push_back(entry.path().filename().string());
    ASSERT_EQ(files.size(), 1u);
    const json report = json::parse(content(files[0]));
    BenchReport machine;
    machine.device = report["device"];
    machine.detail = report["detail"];
    EXPECT_EQ(files[0], machine_name(machine) + ".json");
    machine.device = "Intel(R) Core(TM) i5-8250U";
    machine.detail = "8 threads";
    EXPECT_EQ(machine_name(machine), "intel-core-i5-8250u-8-threads");
    EXPECT_EQ(files[0].find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-."), std::string::npos) << files[0];
    EXPECT_EQ(run(one_case({"--against", path(files[0]), "--threshold", "1e9"})).status, 0);
}

TEST_F(Bench, ALargeImageIsExplored) {
    const std::vector<std::string> words = {"bench",  "--backend", "cpu",     "--quick",          "--only", "tiles",
                                            "--size", "160x90",    "--image", "@zone-plate:6000", "--json", "-"};
    const json report = json::parse(printed(words));
    const auto microseconds = [&](const std::string& stage) {
        const json result = find(report, "tiles/" + stage);
        EXPECT_EQ(result["output"], json({160, 90}));
        EXPECT_NE(result["view"].get<std::string>().find("@zone-plate:6000 of 6000×6000"), std::string::npos);
        return result["microseconds"]["median"].get<double>();
    };
    for (const char* stage : {"first picture", "after a drag", "pan over tiles", "the same in memory"})
        EXPECT_GT(microseconds(stage), 0) << stage;
    EXPECT_GE(microseconds("longest frame of a drag"), microseconds("frame of a drag"));
    expect_error(1, {"bench", "--backend", "cpu", "--only", "tiles", "--image", path("missing.tif")},
                 {"nothing could be measured", "missing.tif"});
}

TEST_F(Bench, WrongWordsAreRefused) {
    const auto refuse = [&](int status, const std::vector<std::string>& more, const std::vector<std::string>& parts) {
        expect_error(status, words(more), parts);
    };
    refuse(2, {"--only", "prefilters"},
           {"--only must be render, prefilter, resize, paper, frame or tiles", "'prefilters'"});
    refuse(2, {"--only", ""}, {"--only must name at least one item"});
    refuse(2, {"--method", "bicubix"}, {"bicubix"});
    refuse(2, {"--method", "nearest;;bilinear"}, {"--method", "empty part"});
    refuse(2, {"--case", "no-such-case"}, {"--case 'no-such-case' matches none of", "--list"});
    refuse(2, {"--quick", "--full"}, {"--quick", "--full"});
    refuse(2, {"--threshold", "5"}, {"--threshold", "--against"});
    refuse(2, {"--against", "x.json", "--threshold", "0"}, {"--threshold must be above 0"});
    refuse(2, {"--save", path("missing")}, {"missing", "no such folder"});
    refuse(2, {"--list", "--json", "-"}, {"it measures nothing"});
    expect_error(2, {"bench", "--backend", "cpu", "--size", "64"}, {"--size must be WIDTHxHEIGHT"});
    expect_error(2, {"bench", "--backend", "cpu", "--source", "3.5"}, {"--source must be a whole number", "3.5"});
    expect_error(2, {"bench", "--backend", "gpu"}, {"gpu"});
    refuse(1, {"--against", path("missing.json")}, {"missing.json: no such file"});
    refuse(1, {"--json", path("missing/out.json")}, {"missing"});
    refuse(1, {"--against", write("bad.json", "{\"bench\": 1}")},
           {"bad.json: is not what texelscope bench --json writes: a value is missing"});
    const Result no_json = run({"bench", "--against", write("text.txt", "hello\n")});
    expect_error(no_json, 1, {"--against"}, {"text.txt: is not what texelscope bench --json writes: it is no JSON"});
    EXPECT_EQ(no_json.errors.at(0).find("exception"), std::string::npos) << no_json.errors[0];
    refuse(1, {"--against", write("new.json", "{\"bench\": 2}")}, {"new.json", "format 2"});
}

TEST_F(Bench, AnInterruptedRunLeavesTheOldResults) {
    write("out.json", "precious");
    Process process({TEXELSCOPE_PROGRAM, "bench", "--backend", "cpu", "--full", "--json", path("out.json")}, {});
    while (process.running() && process.processor_seconds() < 0.2)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_TRUE(process.running());  // it is measuring
    process.terminate();
    EXPECT_NE(process.wait(30), 0);
    EXPECT_EQ(content("out.json"), "precious");
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        EXPECT_FALSE(entry.path().filename().string().starts_with(".texelscope-")) << entry.path();
}

// Two runs of one case of 90 to 110 µs, whose copy takes as long as given.
BenchReport report_of(double median_us, double copy_us) {
    BenchReport report;
    report.copy_bytes = 1e6;
    report.copy = {copy_us, copy_us, copy_us, 7, 1};
    BenchResult result;
    result.name = "render/rotate/u8x4/bilinear";
    result.time = Timing{median_us, 0.9 * median_us, 1.1 * median_us, 7, 1};
    report.results = {result};
    return report;
}

TEST(BenchRegression, TimesAreRelativeToTheCopyOfTheirRun) {
    const auto row = [](const BenchReport& before, const BenchReport& now) {
        return compared(before, now, 0.1).rows.at(0);
    };
    EXPECT_DOUBLE_EQ(row(report_of(100, 10), report_of(50, 5)).ratio, 1);  // a machine twice as fast
    EXPECT_DOUBLE_EQ(row(report_of(100, 10), report_of(100, 5)).ratio, 2);
    EXPECT_DOUBLE_EQ(row(report_of(100, 10), report_of(150, 10)).ratio, 1.5);
}

TEST(BenchRegression, OnlyWhatLiesApartIsSlower) {
    const auto slower = [](double now, double threshold) {
        return compared(report_of(100, 10), report_of(now, 10), threshold).slower();
    };
    EXPECT_EQ(slower(150, 0.1), 1u);
    EXPECT_EQ(slower(150, 0.6), 0u);  // below the threshold
    EXPECT_EQ(slower(115, 0.1), 0u);  // 103.5 … 126.5 against 90 … 110
    EXPECT_EQ(compared(report_of(100, 10), report_of(60, 10), 0.1).faster(), 1u);
}

TEST(BenchRegression, OtherSizesAndBackendsAreNotCompared) {
    BenchReport other = report_of(100, 10);
    other.results[0].width = 3;
    EXPECT_THROW(compared(other, report_of(100, 10), 0.1), Error);
    other = report_of(100, 10);
    other.backend = BackendKind::cuda;
    EXPECT_THROW(compared(other, report_of(100, 10), 0.1), Error);
}

TEST(BenchTiming, QuartilesLieBetweenTheSortedValues) {
    const double values[] = {5, 1, 4, 2, 3, 10};
    const Timing time = summarised(values, 4);
    EXPECT_DOUBLE_EQ(time.median_us, 3.5);
    EXPECT_DOUBLE_EQ(time.lower_us, 2.25);
    EXPECT_DOUBLE_EQ(time.upper_us, 4.75);
    EXPECT_EQ(time.batches, 6);
    EXPECT_EQ(time.repeats, 4);
}

}  // namespace
}  // namespace texelscope::test
