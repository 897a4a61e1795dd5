#pragma once
// Experiments as tests run them: on the CPU, without progress reports or stopped after a number of steps.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "app/studies/experiments/experiment.h"

namespace texelscope::test {

class Steps : public ExperimentProgress {
public:
    explicit Steps(int most = 1 << 30) : most_(most) {}
    void step(int done, int total, const std::string& now, const Image* picture) override {
        EXPECT_LE(done, total);
        EXPECT_GE(done, last_) << "it went back";
        EXPECT_FALSE(now.empty());
        last_ = done;
        if (picture) pictures_ += 1;
        if (++steps_ > most_) throw Cancelled("enough");
    }
    int steps() const { return steps_; }
    int pictures() const { return pictures_; }

private:
    int most_, steps_ = 0, last_ = 0, pictures_ = 0;
};

inline ExperimentResult run_here(std::string_view name, const std::map<std::string, std::string>& options = {}) {
    const Experiment& experiment = find_experiment(name);
    ExperimentOptions chosen(experiment.options);
    for (const auto& [option, text] : options) chosen.set(option, text);
    Steps steps;
    return run_experiment(experiment, chosen, make_cpu_backend(), steps);
}

// The number in this column of the row whose first cell has this text.
inline double number_at(const ResultTable& table, const std::string& row, size_t column) {
    for (const auto& cells : table.rows)
        if (const auto* words = std::get_if<std::string>(&cells[0]); words && *words == row)
            return std::get<double>(cells[column]);
    ADD_FAILURE() << "no row " << row;
    return 0;
}

}  // namespace texelscope::test
