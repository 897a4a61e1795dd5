#pragma once
// Walks the structure of a file before it is decoded. The libraries fill what is missing with zeros or grey, some of
// them after allocating what a hostile header asks for, one of them for ever; here each is one clear sentence.

#include "app/files/formats.h"

namespace texelscope {

// PNG, JPEG, GIF, BMP, TGA, HDR and PSD; every other format is left to its library. Throws Error.
void check_whole(const Format& format, ByteSpan bytes);

// Of damage_rows.cpp.
void check_bmp(ByteSpan bytes);
void check_tga(ByteSpan bytes);
void check_hdr(ByteSpan bytes);
void check_psd(ByteSpan bytes);

}  // namespace texelscope
