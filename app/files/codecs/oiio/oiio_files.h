#pragma once
// OpenImageIO: reading and writing, its specs as ours, its metadata.

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {

// Most formats, through OpenImageIO; app/files/codecs/modules.h describes these functions.

void decode_with_oiio(const Codec& codec, const EncodedFile& file, ByteSpan content, DecodingTarget& target);

bool oiio_reads_memory(const Codec& codec);

// Makes OpenImageIO's list of readers, which looks for plugins on the disk.
void prepare_oiio();

// Makes DCMTK read its dictionary, which it does before it opens its first file.
void prepare_dicom();

void encode_with_oiio(const Codec& codec, const RowSource& image, OutputFile& file);

// A file as OpenImageIO reads it.

// The mapped file. OpenImageIO's own IOMemReader trusts positions that a damaged file gives.
class ContentProxy : public OIIO::Filesystem::IOProxy {
public:
    ContentProxy(const std::string& name, ByteSpan content) : IOProxy(name, Read), content_(content) {}

    const char* proxytype() const override { return "texelscope"; }
    size_t size() const override { return content_.size(); }
    size_t read(void* to, size_t bytes) override;
    size_t pread(void* to, size_t bytes, int64_t offset) override;

private:
    ByteSpan content_;
};

// At its first part, straight alpha as stored; `proxy` outlives it. Null, with the reason in `problem`, if it cannot be
// opened.
std::unique_ptr<OIIO::ImageInput> opened_by_oiio(const Codec& codec, const EncodedFile& file,
                                                 OIIO::Filesystem::IOProxy& proxy, OIIO::ImageSpec& spec,
                                                 std::string* problem = nullptr);

// What OpenImageIO says of a file, in our words.

// One printable line, without the names of the file, which the caller adds in front.
std::string tidy(std::string text, std::initializer_list<std::string> names);

[[noreturn]] void throw_damaged(const Codec& codec, const std::string& reason, const EncodedFile& file);

// u8, u16, f16 and f32 as stored, anything else as f32.
SampleType sample_type(OIIO::TypeDesc format);
OIIO::TypeDesc type_desc(SampleType type);

struct Parts {
    std::vector<PictureFacts::Part> listed;
    int count = 1;
};

// Leaves the reader at the last one.
Parts parts_of(OIIO::ImageInput& input, const Codec& codec);

// Metadata that OpenImageIO finds in a file.

// Implements OiioModule::describe (app/files/codecs/modules.h).
std::vector<MetadataRow> oiio_rows(const Codec& codec, const EncodedFile& file, ByteSpan content, int part,
                                   bool own_exif);

}  // namespace texelscope
