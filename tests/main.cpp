// main() of the test programs that link the whole program: they decode files as it does.
#include <gmock/gmock.h>

#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"

int main(int argc, char** argv) {
    texelscope::start_decoding(argc, argv, texelscope::foreign_decoder());
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
