// As tests/main.cpp, with decoders that misbehave when a file's name asks for it.
#include <gmock/gmock.h>

#include "app/files/decoding/decoder.h"
#include "tests/files/decoding/misbehaviour.h"

// Encoders of HEIF, which tests call, keep memory of their own until the program ends.
extern "C" const char* __lsan_default_suppressions() { return "leak:libx265\n"; }

int main(int argc, char** argv) {
    texelscope::start_decoding(argc, argv, texelscope::test::misbehaving_decoder());
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
