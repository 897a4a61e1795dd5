#pragma once
// How the values of EXIF tags are said: "1/250 s", "f/2.8", "35 mm".

#include <string>

#include "app/files/metadata/tiff_directory.h"

namespace texelscope::exif {

std::string number(double value);  // up to 6 digits; "unknown" if it is no finite number

std::string seconds(const TiffValues& values);           // "1/250 s"
std::string seconds_of_apex(const TiffValues& values);   // "1/250 s" from −log₂
std::string f_number(const TiffValues& values);          // "f/2.8"
std::string f_number_of_apex(const TiffValues& values);  // "f/2.8" from 2·log₂
std::string millimetres(const TiffValues& values);       // "35 mm"
std::string metres(const TiffValues& values);            // "2.5 m", "infinity"
std::string stops(const TiffValues& values);             // "+0.33 EV"
std::string lens(const TiffValues& values);              // "24–70 mm, f/2.8"
std::string date(const TiffValues& values);              // "2024-05-01 12:30:00"
std::string version(const TiffValues& values);           // "2.32"
std::string remark(const TiffValues& values);            // a text behind its character set
std::string utf16(const TiffValues& values);             // of Windows' own tags
std::string flash(const TiffValues& values);
std::string orientation(const TiffValues& values);
std::string exposure_program(const TiffValues& values);
std::string metering(const TiffValues& values);
std::string light_source(const TiffValues& values);
std::string colour_space(const TiffValues& values);
std::string compression(const TiffValues& values);
std::string photometric(const TiffValues& values);
std::string resolution_unit(const TiffValues& values);
std::string planar(const TiffValues& values);
std::string sample_format(const TiffValues& values);
std::string exposure_mode(const TiffValues& values);
std::string white_balance(const TiffValues& values);
std::string scene(const TiffValues& values);
std::string level(const TiffValues& values);  // "normal", "low", "high"

}  // namespace texelscope::exif
