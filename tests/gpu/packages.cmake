# The packages of the project where nothing is installed but a compiler and CUDA: those that
# `tests/gpu/run.sh pack` copied into build/gpu-pack, and none of the system's. CMake asks here first
# (CMAKE_PROJECT_TOP_LEVEL_INCLUDES).
set(QUIRE_PACK ${CMAKE_CURRENT_LIST_DIR}/../../build/gpu-pack)
get_filename_component(QUIRE_PACK ${QUIRE_PACK} ABSOLUTE)

# quire_packed(TARGET ALIAS): an interface that finds the headers of the pack.
function(quire_packed target alias)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${QUIRE_PACK}/include)
  add_library(${alias} ALIAS ${target})
endfunction()

function(quire_packed_fmt)
  quire_packed(packed_fmt fmt::fmt)
  target_compile_definitions(packed_fmt INTERFACE FMT_HEADER_ONLY=1)
endfunction()

function(quire_packed_Boost)
  quire_packed(packed_boost Boost::context)
  target_link_libraries(packed_boost INTERFACE ${QUIRE_PACK}/lib/libboost_context.so.1.74.0)
endfunction()

function(quire_packed_GTest)
  quire_packed(packed_gtest_headers packed::gtest_headers)
  add_library(packed_gtest STATIC ${QUIRE_PACK}/googletest/src/gtest-all.cc)
  add_library(packed_gtest_main STATIC ${QUIRE_PACK}/googletest/src/gtest_main.cc)
  target_include_directories(packed_gtest SYSTEM PRIVATE ${QUIRE_PACK}/googletest)
  target_link_libraries(packed_gtest PUBLIC packed_gtest_headers Threads::Threads)
  target_link_libraries(packed_gtest_main PUBLIC packed_gtest)
  add_library(GTest::gtest ALIAS packed_gtest)
  add_library(GTest::gtest_main ALIAS packed_gtest_main)
endfunction()

# quire_find_packed(METHOD NAME ...): answers find_package. The packages without contents are those of
# rooms that are configured, but not built there.
macro(quire_find_packed method name)
  if("${name}" MATCHES "^(Eigen3|fmt|nlohmann_json|Boost|GTest|CLI11|ICU|rapidcheck)$")
    set(${name}_FOUND TRUE)
    get_property(quire_known GLOBAL PROPERTY QUIRE_PACKED_${name})
    set_property(GLOBAL PROPERTY QUIRE_PACKED_${name} TRUE)
    if(NOT quire_known)
      if("${name}" STREQUAL Eigen3)
        quire_packed(packed_eigen Eigen3::Eigen)
      elseif("${name}" STREQUAL nlohmann_json)
        quire_packed(packed_json nlohmann_json::nlohmann_json)
      elseif("${name}" STREQUAL CLI11)
        quire_packed(packed_cli11 CLI11::CLI11)
      elseif("${name}" STREQUAL ICU)
        quire_packed(packed_icu ICU::uc)
      elseif("${name}" STREQUAL rapidcheck)
        quire_packed(rapidcheck packed::rapidcheck)
      else()
        cmake_language(CALL quire_packed_${name})
      endif()
    endif()
  endif()
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER quire_find_packed SUPPORTED_METHODS FIND_PACKAGE)
