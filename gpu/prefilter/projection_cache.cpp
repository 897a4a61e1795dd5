#include "gpu/prefilter/projection_cache.h"

#include <algorithm>
#include <list>
#include <mutex>

namespace texelscope {
namespace {

// The taps of a FIR count only for one; coefficients as half floats are none of least squares.
struct Key {
    const MethodInfo* method;
    MethodParameters parameters;
    Prefilter::Kind prefilter;
    int prefilter_taps;
    double origin, step;
    int count;
    bool operator==(const Key&) const = default;
};

Key key_of(const MethodSpec& spec, double origin, double step, int count) {
    const Prefilter prefilter = spec.effective_prefilter();
    const bool fir = prefilter.kind == Prefilter::Kind::fir;
    return {spec.method, spec.parameters, prefilter.kind, fir ? prefilter.taps : 0, origin, step, count};
}

size_t bytes_of(const LongTaps& taps) {
    return taps.first.size() * sizeof(taps.first[0]) + taps.weights.size() * sizeof(taps.weights[0]);
}

class Kept {
public:
    std::shared_ptr<const LongTaps> find(const Key& key) {
        const std::scoped_lock lock(mutex_);
        const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
        if (found == entries_.end()) return nullptr;
        entries_.splice(entries_.begin(), entries_, found);
        return found->taps;
    }

    // What is larger than all that may be kept is not.
    void keep(const Key& key, const std::shared_ptr<const LongTaps>& taps) {
        const std::scoped_lock lock(mutex_);
        entries_.push_front({key, taps});
        bytes_ += bytes_of(*taps);
        while (entries_.size() > most_kept_long_taps || bytes_ > most_kept_long_taps_bytes) {
            bytes_ -= bytes_of(*entries_.back().taps);
            entries_.pop_back();
        }
    }

    size_t bytes() {
        const std::scoped_lock lock(mutex_);
        return bytes_;
    }

private:
    struct Entry {
        Key key;
        std::shared_ptr<const LongTaps> taps;
    };
    std::mutex mutex_;
    std::list<Entry> entries_;  // the most recently used first
    size_t bytes_ = 0;
};

Kept& kept() {
    static Kept all;
    return all;
}

}  // namespace

std::shared_ptr<const LongTaps> kept_least_squares_taps(const MethodSpec& spec, double origin, double step, int count) {
    // A text's method may go, and another come in its place.
    if (spec.method->custom) return std::make_shared<const LongTaps>(least_squares_taps(spec, origin, step, count));
    const Key key = key_of(spec, origin, step, count);
    if (auto found = kept().find(key)) return found;
    auto taps = std::make_shared<const LongTaps>(least_squares_taps(spec, origin, step, count));
    kept().keep(key, taps);
    return taps;
}

size_t kept_long_taps_bytes() { return kept().bytes(); }

}  // namespace texelscope
