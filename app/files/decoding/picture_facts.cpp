#include "app/files/decoding/picture_facts.h"

namespace texelscope {

const char* words_of_orientation(int orientation) {
    switch (orientation) {
        case 2: return "mirrored";
        case 3: return "upside down";
        case 4: return "upside down and mirrored";
        case 5: return "on its left side and mirrored";
        case 6: return "on its left side";
        case 7: return "on its right side and mirrored";
        case 8: return "on its right side";
        default: return "upright";
    }
}

}  // namespace texelscope
