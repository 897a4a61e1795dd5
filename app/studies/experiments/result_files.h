#pragma once
// Reports of a result, in every form.

#include <filesystem>
#include <string>

#include "app/studies/experiments/result.h"

namespace texelscope {

// For a terminal: tables, verdicts and facts.
std::string result_as_text(const ExperimentResult& result);

// One table: a row of headings, then the values, numbers with all their digits.
std::string table_as_csv(const ResultTable& table);

// Everything but the pictures: tables, curves, verdicts, facts. Throws Error if a file's name in it is not UTF-8.
std::string result_as_json(const ExperimentResult& result);

// One self-contained page, including plots and pictures. Well-formed as XML, too.
std::string result_as_html(const ExperimentResult& result);

// A plot as .svg, or as an image by the name's extension; the main table; the whole result. Each file is written
// completely or not at all. Throw FileError or UsageError.
void write_plot(const Plot& plot, const std::filesystem::path& path);
void write_table(const ResultTable& table, const std::filesystem::path& path);

// All of it into a folder, which is created if it does not exist: report.html, result.json, and each table (.csv), plot
// (.svg, .png) and picture (.png) under its own name.
void write_folder(const ExperimentResult& result, const std::filesystem::path& folder);

// "rms-by-turn": a title as a part of a file's name.
std::string file_stem(const std::string& title);

}  // namespace texelscope
