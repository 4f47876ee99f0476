# How everything here is compiled.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O3 -g -DNDEBUG")

option(TUTTI_WERROR "Warnings are errors; ON by the presets" OFF)
option(TUTTI_FUZZ "Build the fuzzers of tests/fuzz (clang)" OFF)
set(TUTTI_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread")

add_compile_definitions(_GNU_SOURCE)
add_compile_options(-Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings
                    -Wvla -Wundef -Wformat=2 -Wno-format-nonliteral)
if(TUTTI_WERROR)
  add_compile_options(-Werror)
endif()
if(TUTTI_SANITIZE)
  # -O1: the checks that the sanitizers add are three times as many without it.
  add_compile_options(-O1 -fsanitize=${TUTTI_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TUTTI_SANITIZE})
endif()
