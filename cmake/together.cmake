# Compiles the sources of a target in groups of a few files each: one compiler reads the headers, and makes what comes of
# their templates, once for all of them. From nothing the build takes a quarter of the time.
#
# A file's group follows from its own name, so that a new file moves no others: its folder; in a folder of many files, its
# first word where three share it, else the range of letters it is in. What two files of a group both call the same in
# their anonymous namespaces is an error: it is written twice, or one of the two wants a better name.
#
# -DPAWL_TOGETHER=OFF compiles each file for itself, as the sanitizers' builds do, so that what a file needs and does not
# include is found.
function(compile_together target)
  set(few 14)
  get_target_property(sources ${target} SOURCES)
  set(folders "")
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET source FILENAME name)
    string(REGEX REPLACE "[_.].*" "" word ${name})
    string(MD5 key ${folder})
    math(EXPR files_${key} "0${files_${key}} + 1")
    math(EXPR files_${key}_${word} "0${files_${key}_${word}} + 1")
  endforeach()
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(GET source FILENAME name)
    string(REGEX REPLACE "[_.].*" "" word ${name})
    string(MD5 key ${folder})
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/src OUTPUT_VARIABLE group)
    string(REGEX REPLACE "[./]+" "_" group ${group})
    if(files_${key} GREATER ${few})
      if(files_${key}_${word} GREATER 2)
        string(APPEND group "_${word}")
      elseif(name MATCHES "^[a-f]")
        string(APPEND group "_a-f")
      elseif(name MATCHES "^[g-o]")
        string(APPEND group "_g-o")
      else()
        string(APPEND group "_p-z")
      endif()
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
