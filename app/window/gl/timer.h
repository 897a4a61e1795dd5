#pragma once
// Measures how long OpenGL works on something, without waiting for it.

#include <array>
#include <optional>

#include "app/window/gl/handles.h"

namespace texelscope::gl {

// begin … end around the calls; the time comes some frames later.
class Timer {
public:
    void begin() {
        Slot& slot = slots_[next_];
        if (!slot.query) slot.query = Query::create();
        if (slot.pending) collect(slot);  // all are pending: give up the oldest unless it has arrived
        glBeginQuery(GL_TIME_ELAPSED, slot.query.name());
    }
    void end() {
        glEndQuery(GL_TIME_ELAPSED);
        slots_[next_].pending = true;
        next_ = (next_ + 1) % slots_.size();
    }

    // Milliseconds of the last measurement available; empty before the first.
    std::optional<double> milliseconds() {
        for (size_t i = 0; i < slots_.size(); ++i) collect(slots_[(next_ + i) % slots_.size()]);
        return last_;
    }

private:
    struct Slot {
        Query query;
        bool pending = false;
    };
    void collect(Slot& slot) {
        if (!slot.pending) return;
        GLint available = 0;
        glGetQueryObjectiv(slot.query.name(), GL_QUERY_RESULT_AVAILABLE, &available);
        if (!available) return;
        GLuint64 nanoseconds = 0;
        glGetQueryObjectui64v(slot.query.name(), GL_QUERY_RESULT, &nanoseconds);
        last_ = double(nanoseconds) * 1e-6;
        slot.pending = false;
    }
    std::array<Slot, 4> slots_;
    size_t next_ = 0;
    std::optional<double> last_;
};

}  // namespace texelscope::gl
