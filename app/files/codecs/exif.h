#pragma once
// Where a picture's EXIF data are, and the orientation that a camera noted in them. All else: metadata/exif_rows.h.
// CIPA DC-008-2019 (Exif 2.32), section 4.6.4; Adobe's TIFF 6.0, section 2.

#include "app/files/codecs/codecs.h"

namespace texelscope {

// The tag 0x0112 of the first directory, 1 to 8; 1 if there is none, or what there is makes no sense.
int orientation_in_exif(ByteSpan exif);

// The EXIF data in a whole JPEG (APP1), PNG (eXIf), WebP (EXIF) or HEIF (an item); empty if there are none. Throws nothing.
ByteSpan exif_data(const Format& format, ByteSpan file);

// The orientation in the EXIF data of a whole JPEG, PNG or WebP; 1 for other formats: HEIF is turned by its library, by
// properties of its own. Throws nothing,
// whatever the bytes are.
int stored_orientation(const Format& format, ByteSpan file);

}  // namespace texelscope
