#pragma once
// What texelscope bench found, as plain numbers; and its written form.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/studies/bench/cases.h"
#include "app/studies/bench/timing.h"

namespace texelscope {

struct BenchResult {
    std::string name;
    BenchSection section = BenchSection::render;
    std::string work;  // "render", "prefilter", "whole-call", "stage"
    std::string view, format;
    std::string method;  // a spec
    bool simple = false;
    BackendKind backend = BackendKind::cpu;
    int source_width = 0, source_height = 0, width = 0, height = 0;

    std::optional<Timing> time;  // empty if not measured
    std::string skipped;         // why not
    double bytes = 0;            // minimum: what is read once and written once; 0 if not known
    double bytes_in_turn = 0;    // touched before anything is touched again
    double copy_us = 0;          // of a copy that moves the same bytes, in this run
    std::optional<double> over_bilinear;
    std::string note;

    double gigapixels_per_second() const;
    double gigabytes_per_second() const;
    std::optional<double> over_copy() const;  // ratio to the time of that copy
};

struct BenchReport {
    std::string version, device, detail;
    BackendKind backend = BackendKind::cpu;
    double copy_bytes = 0;  // moved by the copy whose bandwidth all shares are of: read and written
    Timing copy;
    std::vector<BenchResult> results;

    double copy_gigabytes_per_second() const;
    std::optional<double> share_of_copy(const BenchResult& result) const;  // of its bandwidth
    const BenchResult* find(std::string_view name) const;                  // null if there is none
};

// The identity of a case, without figures.
BenchResult result_of(const BenchCase& of);

std::string bench_json(const BenchReport& report);

// Throws Error, without the name of the file, for what bench_json() did not write.
BenchReport parse_bench_json(std::string_view text);

// "nvidia-h200", "intel-xeon-processor-2-threads": the name of a file of results.
std::string machine_name(const BenchReport& report);

}  // namespace texelscope
