#include "app/viewer/loop/interface_texture.h"

namespace texelscope {
namespace {

int64_t uploads = 0;

}  // namespace

int64_t upload_count() { return uploads; }

InterfacePicture upload(gl::Texture& texture, const Image& image, bool pixels) {
    ++uploads;
    if (!texture) texture = gl::Texture::create();
    const bool grey = image.channels() == 1, alpha = image.channels() == 4;
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0,
                 grey    ? GL_R8
                 : alpha ? GL_RGBA8
                         : GL_RGB8,
                 image.width(), image.height(), 0,
                 grey    ? GL_RED
                 : alpha ? GL_RGBA
                         : GL_RGB,
                 GL_UNSIGNED_BYTE, image.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, pixels ? GL_NEAREST : GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    const GLint second = grey ? GL_RED : GL_GREEN, third = grey ? GL_RED : GL_BLUE;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_G, second);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_B, third);
    glBindTexture(GL_TEXTURE_2D, 0);
    return {texture.name(), image.width(), image.height()};
}

}  // namespace texelscope
