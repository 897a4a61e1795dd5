#pragma once
// The output of texelscope compare, on the terminal and in files.

#include <string>
#include <vector>

#include "app/cli/compare_options.h"

namespace texelscope {

struct ComparisonResult {
    ComparisonPlan plan;
    BackendInfo backend;
    std::vector<PaneFigures> figures;  // one per pane
};

// Image, view, reference and device, and a row for each pane.
std::string comparison_table(const ComparisonResult& result);

// Described in docs/compare.md.
std::string comparison_json(const ComparisonResult& result);

SheetText sheet_text(const ComparisonResult& result);

}  // namespace texelscope
