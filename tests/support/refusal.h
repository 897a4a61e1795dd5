#pragma once
// The message of an exception, for tests of refusals.

#include <string>

#include "gpu/core/errors.h"

namespace texelscope::test {

// Empty if the call throws nothing.
template <class Call> std::string refusal(Call call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace texelscope::test

// The call is refused in one sentence that contains `word`.
#define EXPECT_REFUSED(call, word)                                                    \
    do {                                                                              \
        const std::string sentence_ = texelscope::test::refusal([&] { call; });       \
        EXPECT_NE(sentence_.find(word), std::string::npos)                            \
            << #call << ": '" << sentence_ << "' should speak of '" << (word) << "'"; \
        EXPECT_EQ(sentence_.find('\n'), std::string::npos) << sentence_;              \
    } while (false)
