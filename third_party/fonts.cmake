# The fonts that go into the program, Inter and JetBrains Mono. Both are under the SIL Open Font License 1.1, which
# allows that; each file carries its copyright and licence.
# Sets TEXELSCOPE_FONT_FILES, empty where one is missing, and TEXELSCOPE_FONTS_REASON (one line for the summary).

set(font_files "")
set(missing_fonts "")
foreach(font IN ITEMS Inter-Regular.otf Inter-SemiBold.otf Inter-Italic.otf JetBrainsMono-Regular.ttf)
    string(MAKE_C_IDENTIFIER "TEXELSCOPE_FONT_${font}" variable)
    find_file(${variable} ${font}
        PATHS /usr/share/fonts /usr/local/share/fonts PATH_SUFFIXES opentype/inter truetype/jetbrains-mono
        NO_CMAKE_FIND_ROOT_PATH)  # for another system too they are this one's
    mark_as_advanced(${variable})
    if(${variable})
        list(APPEND font_files ${${variable}})
    else()
        list(APPEND missing_fonts ${font})
    endif()
endforeach()

set(TEXELSCOPE_FONT_FILES "")
if(missing_fonts)
    list(JOIN missing_fonts ", " missing_fonts)
    set(TEXELSCOPE_FONTS_REASON "${missing_fonts} not found; on Debian: fonts-inter fonts-jetbrains-mono")
else()
    set(TEXELSCOPE_FONT_FILES ${font_files})
endif()
