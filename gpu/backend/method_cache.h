#pragma once
// What was computed for a method with its parameters; the least recently used goes first.

#include <algorithm>
#include <list>

#include "gpu/method/spec.h"

namespace texelscope {

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

}  // namespace texelscope
