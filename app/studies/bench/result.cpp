#include "app/studies/bench/result.h"

#include <cctype>

#include "gpu/core/ascii.h"
#include "gpu/core/work_names.h"

namespace texelscope {
namespace {

std::string_view name_of(BenchCase::Work work) {
    switch (work) {
        case BenchCase::Work::render: return work::render.name;
        case BenchCase::Work::prefilter: return work::prefilter.name;
        case BenchCase::Work::whole_call: return "whole-call";
    }
    return "";
}

}  // namespace

double BenchResult::gigapixels_per_second() const {
    return time && time->median_us > 0 ? double(width) * double(height) / time->median_us * 1e-3 : 0;
}

double BenchResult::gigabytes_per_second() const {
    return time && time->median_us > 0 ? bytes / time->median_us * 1e-3 : 0;
}

std::optional<double> BenchResult::over_copy() const {
    if (!time || !(copy_us > 0)) return {};
    return time->median_us / copy_us;
}

double BenchReport::copy_gigabytes_per_second() const {
    return copy.median_us > 0 ? copy_bytes / copy.median_us * 1e-3 : 0;
}

std::optional<double> BenchReport::share_of_copy(const BenchResult& result) const {
    const double copied = copy_gigabytes_per_second();
    if (!result.time || !(result.bytes > 0) || !(copied > 0)) return {};
    return result.gigabytes_per_second() / copied;
}

const BenchResult* BenchReport::find(std::string_view name) const {
    for (const BenchResult& result : results)
        if (result.name == name) return &result;
    return nullptr;
}

BenchResult result_of(const BenchCase& of) {
    BenchResult result;
    result.name = of.name();
    result.section = of.section;
    result.work = name_of(of.work);
    result.view = of.view;
    result.format = texelscope::name_of(of.format);
    result.method = to_string(of.spec);
    result.simple = of.simple;
    result.backend = of.backend;
    result.source_width = of.source_width;
    result.source_height = of.source_height;
    result.width = of.width;
    result.height = of.height;
    return result;
}

std::string machine_name(const BenchReport& report) {
    std::string words = report.backend == BackendKind::cuda ? report.device : report.device + " " + report.detail;
    for (const std::string_view mark : {"(R)", "(TM)"}) {
        while (words.find(mark) != std::string::npos) words.erase(words.find(mark), mark.size());
    }
    std::string name;
    for (const char c : words) {
        if (std::isalnum(static_cast<unsigned char>(c))) name += lower_case(c);
        else if (!name.empty() && name.back() != '-' && (c & 0x80) == 0) name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name.empty() ? "machine" : name;
}

}  // namespace texelscope
