// MD5 as RFC 1321 defines it.

#include <gtest/gtest.h>

#include "app/files/desktop/md5.h"

namespace texelscope::test {
namespace {

// The test suite in its appendix A.5.
TEST(Md5, OfTheTextsInTheStandard) {
    EXPECT_EQ(md5(""), "d41d8cd98f00b204e9800998ecf8427e");
    EXPECT_EQ(md5("a"), "0cc175b9c0f1b6a831c399e269772661");
    EXPECT_EQ(md5("abc"), "900150983cd24fb0d6963f7d28e17f72");
    EXPECT_EQ(md5("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
    EXPECT_EQ(md5("abcdefghijklmnopqrstuvwxyz"), "c3fcd3d76192e4007dfb496cca67e13b");
    EXPECT_EQ(md5("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
              "d174ab98d277d9f5a5611c2c9f419d9f");
    EXPECT_EQ(md5("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
              "57edf4a22be3c955ac49da2e2107b67a");
}

// The example of the Thumbnail Managing Standard 0.9.
TEST(Md5, NamesAThumbnail) { EXPECT_EQ(md5("file:///home/jens/photos/me.png"), "c6ee772d9e49320e97ec29a7eb5b1697"); }

}  // namespace
}  // namespace texelscope::test
