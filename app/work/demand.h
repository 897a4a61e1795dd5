#pragma once
// Values that take longer than a frame, by key: each is wanted, being made in a thread of its own, or there.

#include <algorithm>
#include <exception>
#include <functional>
#include <list>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/work/background_work.h"

namespace texelscope {

// What becomes of values that are there when a frame has not asked for them.
enum class Unasked { forgotten, kept };

// Made one at a time; what is asked for first in a frame is made first. All calls are from the window's thread, makers
// run in others.
template <class Key, class Value, class Same = std::equal_to<Key>> class Demand {
public:
    struct Made {
        Key key;
        std::optional<Value> value;
        std::exception_ptr problem = nullptr;  // of the maker, if there is no value

        std::string why() const { return words_of_problem(problem); }
    };
    // Runs in the thread. May throw; then the key is there without a value, and not made again.
    using Maker = std::function<Value(const std::stop_token&)>;

    // `wake`: see BackgroundWork.
    explicit Demand(const std::function<void()>& wake = {}, Unasked unasked = Unasked::forgotten, Same same = {})
        : unasked_(unasked), same_(std::move(same)), work_(wake) {}

    // What is there for the key; null: nothing. It is not asked for.
    const Made* find(const Key& key) const {
        const auto at =
            std::find_if(there_.begin(), there_.end(), [&](const Entry& e) { return same_(e.made.key, key); });
        return at == there_.end() ? nullptr : &at->made;
    }

    // What is there for the key, asked for in this frame: what is not there is made, and what is there stays until the
    // next frame.
    const Made* ask(const Key& key) {
        for (Entry& entry : there_)
            if (same_(entry.made.key, key)) {
                entry.asked = true;
                return &entry.made;
            }
        if (!contains(wanted_, key)) wanted_.push_back(key);
        return nullptr;
    }

    // It was made elsewhere.
    void put(Made made) {
        cancel(made.key);
        there_.push_back({std::move(made)});
    }

    // The key is not wanted, not being made and not there any more.
    void cancel(const Key& key) {
        std::erase_if(wanted_, [&](const Key& each) { return same_(each, key); });
        if (const Job* job = work_.question(); job && contains(job->keys, key)) work_.drop();
        forget_if([&](const Key& each) { return same_(each, key); });
    }

    // Forgets what is there for the keys that meet the condition.
    template <class Condition> void forget_if(Condition condition) {
        std::erase_if(there_, [&](const Entry& entry) { return condition(entry.made.key); });
    }

    // Once per frame, when all have asked: forgets and ends what nobody has asked for, and begins with what is wanted
    // first. `begin(key)` returns its Maker; may throw, too.
    template <class Begin> void end_frame(Begin begin) {
        end_frame([](const Key&, const Key&) { return false; },
                  [&](const std::vector<Key>& keys) { return begin(keys.front()); });
    }

    // end_frame(begin), but keys for which `together(first, other)` are made with the first, by one `begin(keys)`.
    template <class Together, class Begin> void end_frame(Together together, Begin begin) {
        if (unasked_ == Unasked::forgotten)
            std::erase_if(there_, [](Entry& entry) { return !std::exchange(entry.asked, false); });
        const std::vector<Key> wanted = std::exchange(wanted_, {});
        const auto still = [&](const Key& key) { return contains(wanted, key); };
        if (const Job* job = work_.question(); job && std::any_of(job->keys.begin(), job->keys.end(), still)) return;
        work_.drop();
        if (wanted.empty()) return;
        std::vector<Key> keys{wanted.front()};
        for (size_t i = 1; i < wanted.size(); ++i)
            if (together(wanted.front(), wanted[i])) keys.push_back(wanted[i]);
        try {
            Maker make = begin(keys);
            work_.ask({keys, std::move(make)},
                      [](const Job& job, const std::stop_token& stop) { return job.make(stop); });
        } catch (const std::exception&) {
            for (Key& key : keys) put({std::move(key), {}, std::current_exception()});
        }
    }

    // Once per turn of the loop. True if something has come, which `use(made)` sees first; it may take the value away.
    template <class Use> bool take(Use use) {
        auto result = work_.take();
        if (!result) return false;
        std::vector<Key>& keys = result->question.keys;
        Made first{keys.front(), std::move(result->answer), result->problem};
        use(first);
        for (size_t i = 1; i < keys.size(); ++i) put({std::move(keys[i]), first.value, first.problem});
        put(std::move(first));
        return true;
    }
    bool take() {
        return take([](const Made&) {});
    }
    bool has_news() const { return work_.has_news(); }

    // For a window that is not woken.
    void wake(WakeUp& wake_up, double look_every) const { work_.wake(wake_up, look_every); }

private:
    struct Entry {
        Made made;
        bool asked = true;
    };
    // What a maker holds is freed in the window's thread, with the question.
    struct Job {
        std::vector<Key> keys;
        Maker make;
    };
    bool contains(const std::vector<Key>& keys, const Key& key) const {
        return std::any_of(keys.begin(), keys.end(), [&](const Key& each) { return same_(each, key); });
    }

    Unasked unasked_;
    Same same_;
    std::vector<Key> wanted_;  // in this frame
    std::list<Entry> there_;
    BackgroundWork<Job, Value> work_;
};

}  // namespace texelscope
