#pragma once
// Measures one case on one backend.

#include <memory>
#include <optional>

#include "app/studies/bench/cases.h"
#include "app/studies/bench/copy_floor.h"
#include "app/studies/bench/result.h"

namespace texelscope {

class CaseMeasurer {
public:
    explicit CaseMeasurer(const std::shared_ptr<Backend>& backend);

    // Figures of the case, without the ratio to bilinear. No more than this many sources take turns. Throws OutOfMemory
    // or Error.
    BenchResult measure(const BenchCase& of, double limit_ms, int most_sources = most_in_turn);

    // Frees the pictures that the next case would have reused.
    void forget() { sources_.reset(); }

    const CopyFloor& copies() const { return copies_; }

private:
    struct Key {
        PixelFormat format;
        int width = 0, height = 0, copies = 0;
        bool operator==(const Key&) const = default;
    };

    void measure_render(const BenchCase& of, const Effort& effort, BenchResult& result);
    void measure_prefilter(const BenchCase& of, const Effort& effort, BenchResult& result);
    void measure_whole_call(const BenchCase& of, const Effort& effort, BenchResult& result);
    BenchSources& sources_of(const BenchCase& of, double bytes_of_each);

    std::shared_ptr<Backend> backend_;
    BenchClock clock_;
    CopyFloor copies_;
    BenchOutputs outputs_;
    int most_sources_ = most_in_turn;
    Key key_;
    std::unique_ptr<BenchSources> sources_;
};

}  // namespace texelscope
