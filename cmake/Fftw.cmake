# SPDX-License-Identifier: BSD-3-Clause
# FFTW 3 in double precision: target stretto::fftw. It is found by header and library, because the CMake files
# in FFTW's packages are wrong in some distributions.

find_path(STRETTO_FFTW_INCLUDE fftw3.h REQUIRED)
if(STRETTO_STATIC)
  find_library(STRETTO_FFTW_LIBRARY libfftw3.a REQUIRED)
endif()
find_library(STRETTO_FFTW_LIBRARY fftw3 REQUIRED)

add_library(stretto_fftw INTERFACE)
add_library(stretto::fftw ALIAS stretto_fftw)
target_include_directories(stretto_fftw SYSTEM INTERFACE ${STRETTO_FFTW_INCLUDE})
target_link_libraries(stretto_fftw INTERFACE ${STRETTO_FFTW_LIBRARY})
