#pragma once
// Whether anything has become slower: compares two reports, case by case.

#include <string>
#include <vector>

#include "app/studies/bench/result.h"

namespace texelscope {

// Times count as multiples of the time to move a byte in the same run, so that a machine at another clock compares.
struct RegressionRow {
    std::string name;
    double before_us = 0, now_us = 0;
    double ratio = 1;    // now over before, each relative to the copy of its own run
    bool apart = false;  // the quartiles of the two do not overlap
};

struct Regression {
    double threshold = 0.1;           // 0.1: 10 %
    std::vector<RegressionRow> rows;  // of cases that both have, of the same sizes
    size_t only_before = 0, only_now = 0;

    bool is_slower(const RegressionRow& row) const { return row.apart && row.ratio > 1 + threshold; }
    bool is_faster(const RegressionRow& row) const { return row.apart && row.ratio < 1 / (1 + threshold); }
    size_t slower() const;
    size_t faster() const;
};

// Throws Error if they are of different backends, or have no case in common.
Regression compared(const BenchReport& before, const BenchReport& now, double threshold);

}  // namespace texelscope
