#include "app/image_source.h"

#include "app/files/image_files.h"
#include "app/test_images/test_images.h"

namespace texelscope {

Image load_image(const std::string& source) {
    return source.starts_with('@') ? make_test_image(source) : read_image(source);
}

}  // namespace texelscope
