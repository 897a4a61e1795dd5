// As tests/main.cpp, with decoders that misbehave when a file's name asks for it.
#include <gmock/gmock.h>

#include "app/files/decoding/decoding.h"
#include "tests/files/decoding/misbehaviour.h"

int main(int argc, char** argv) {
    texelscope::start_decoding(argc, argv, texelscope::test::misbehaving_decoder());
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
