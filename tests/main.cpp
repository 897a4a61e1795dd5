// Of the test programs that link the whole program: they decode files as it does.
#include <gmock/gmock.h>

#include "app/files/decoding/decoding.h"
#include "app/files/reading/decoders.h"

// Encoders of HEIF, which tests call, keep memory of their own until the program ends.
extern "C" const char* __lsan_default_suppressions() { return "leak:libx265\n"; }

int main(int argc, char** argv) {
    texelscope::start_decoding(argc, argv, texelscope::foreign_decoder());
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
