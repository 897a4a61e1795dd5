#pragma once
// The output of texelscope bench.

#include <string>

#include "app/studies/bench/result.h"

namespace texelscope {

// Machine and copy, and a table for each section.
std::string bench_tables(const BenchReport& report);

// The cases that became slower or faster than in the file of that name, and a summary line.
std::string regression_table(const Regression& regression, const std::string& name);

// Tables 1 to 3 of the paper, and the resize article's; empty if the report does not contain them.
std::string paper_tables(const BenchReport& report);
std::string article_table(const BenchReport& report);

// "8.42", "71.2", "10400": three digits or more.
std::string three_digits(double value);

}  // namespace texelscope
