#pragma once
// What texelscope compare --restore prints and writes.

#include <string>
#include <vector>

#include "app/studies/restoring/restoring.h"

namespace texelscope {

struct RestoringResult {
    std::string source;  // of the image
    RestoringPlan plan;
    Interior interior;
    BackendInfo backend;
    std::vector<RestoredMethod> methods;  // best first
};

// What was done to which picture, and a row for each method.
std::string restoring_table(const RestoringResult& result);

// Described in docs/compare.md.
std::string restoring_json(const RestoringResult& result);

}  // namespace texelscope
