# quire_relink(NAME SOURCE file TESTS test...): test programs with a file in place of the one that a
# room was made of. Target NAME; programs build/<preset>/relinked/NAME/<test>.
#
# The linker takes a member of a static library only for a symbol that is still missing. The file's
# object comes before the libraries and defines all that our own member would, so ours stays out,
# and one compilation and one link make the program.
function(quire_relink name)
  cmake_parse_arguments(RELINK "" "SOURCE" "TESTS" ${ARGN})
  add_library(${name}_file OBJECT EXCLUDE_FROM_ALL ${RELINK_SOURCE})
  # As options of the source they come after -Wall: a file with gaps has things that nobody uses.
  set(options -Wno-error -Wno-unused -Wno-unused-parameter)
  # A kernel is compiled for the emulator.
  if(RELINK_SOURCE MATCHES "[.]cu$")
    get_property(emulated GLOBAL PROPERTY QUIRE_EMULATED_OPTIONS)
    list(APPEND options ${emulated})
    set_source_files_properties(${RELINK_SOURCE} PROPERTIES LANGUAGE CXX)
  endif()
  set_source_files_properties(${RELINK_SOURCE} PROPERTIES COMPILE_OPTIONS "${options}")
  add_custom_target(${name})
  foreach(test ${RELINK_TESTS})
    get_target_property(libraries ${test} LINK_LIBRARIES)
    target_link_libraries(${name}_file PRIVATE ${libraries})
    add_executable(${name}_${test} EXCLUDE_FROM_ALL)
    target_link_libraries(${name}_${test} PRIVATE ${name}_file ${libraries})
    set_target_properties(${name}_${test} PROPERTIES
      OUTPUT_NAME ${test}
      RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/relinked/${name})
    add_dependencies(${name} ${name}_${test})
  endforeach()
endfunction()

# quire_field(VARIABLE FILE NAME): the one-line value of a field of an exercise.txt or a mutant.
function(quire_field variable file name)
  file(STRINGS ${file} lines REGEX "^${name}: ")
  string(REGEX REPLACE "^${name}: *" "" value "${lines}")
  set(${variable} "${value}" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
endfunction()

# quire_programs(VARIABLE VALUE): the test programs in a list `program:filter program ...`. One that
# does not exist is left out with a warning; whoever wants to run it will miss it.
function(quire_programs variable value)
  string(REGEX REPLACE ":[^ ]*" "" value "${value}")
  separate_arguments(programs UNIX_COMMAND "${value}")
  list(REMOVE_DUPLICATES programs)
  foreach(program ${programs})
    if(NOT TARGET ${program}_objects)
      message(WARNING "there is no test program ${program}, named in \"${value}\"")
      list(REMOVE_ITEM programs ${program})
    endif()
  endforeach()
  set(${variable} ${programs} PARENT_SCOPE)
endfunction()
