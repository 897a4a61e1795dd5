#pragma once
// The weights of methods as numbers that a backend reads, computed at their first use.

#include <algorithm>
#include <list>
#include <memory>

#include "gpu/method/axis_weights.h"
#include "gpu/method/polar.h"
#include "gpu/method/spec.h"
#include "gpu/method/tabulated.h"
#include "gpu/reference/reference.h"

namespace texelscope {

// What was computed for a method with its parameters; the least recently used goes first.

template <class Value> class MethodCache {
public:
    // For up to this many values: each value of a parameter has its own.
    explicit MethodCache(size_t capacity) : capacity_(capacity) {}

    // What make() has returned when it was first requested. Stays until `capacity` others have been requested since.
    template <class Make> const Value& get(const MethodSpec& spec, bool derivative, Make make) {
        const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
            return entry.method == spec.method && entry.parameters == spec.parameters && entry.derivative == derivative;
        });
        if (found != entries_.end()) {
            entries_.splice(entries_.begin(), entries_, found);
        } else {
            entries_.push_front({spec.method, spec.parameters, derivative, make()});
            if (entries_.size() > capacity_) entries_.pop_back();
        }
        return entries_.front().value;
    }

private:
    struct Entry {
        const MethodInfo* method;
        MethodParameters parameters;
        bool derivative;
        Value value;
    };
    std::list<Entry> entries_;  // the most recently used first
    size_t capacity_;
};

class BackendMemory;

class MethodTables {
public:
    // Tables will be in the backend's memory; it must outlive them.
    explicit MethodTables(BackendMemory& backend) : backend_(backend) {}

    // Gives both filters of the job their radius and table. Throws OutOfMemory.
    void set(TabulatedJob& tabulated, const MethodSpec& spec);

    // Gives the job its table. Throws OutOfMemory.
    void set(PolarJob& polar, const MethodSpec& spec) { polar.table = table(spec, false); }

    // Gives the reference's weights their numbers. Throws OutOfMemory.
    void set(WeightPieces& weight, const MethodSpec& spec);

    // In host memory.
    const AxisWeights& weights(const MethodSpec& spec);

private:
    static constexpr size_t capacity = 64;
    using Memory = std::shared_ptr<const void>;

    const float* table(const MethodSpec& spec, bool derivative);
    void set(AxisFilter& filter, const MethodSpec& spec);
    template <class Values> Memory stored(const Values& values);

    BackendMemory& backend_;
    MethodCache<Memory> tables_{capacity}, pieces_{capacity};
    MethodCache<AxisWeights> weights_{capacity};
};

}  // namespace texelscope
