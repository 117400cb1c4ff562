# SPDX-License-Identifier: BSD-3-Clause
# FFTW 3 in double precision: target stretto::fftw. By header and library, since its packages bring CMake files
# that some distributions break.

find_path(STRETTO_FFTW_INCLUDE fftw3.h REQUIRED)
find_library(STRETTO_FFTW_LIBRARY fftw3 REQUIRED)

add_library(stretto_fftw INTERFACE)
add_library(stretto::fftw ALIAS stretto_fftw)
target_include_directories(stretto_fftw SYSTEM INTERFACE ${STRETTO_FFTW_INCLUDE})
target_link_libraries(stretto_fftw INTERFACE ${STRETTO_FFTW_LIBRARY})
