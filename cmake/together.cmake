# Compiles the sources of a target in groups of files: one compiler reads the headers, and makes what comes of their
# templates, once for all of them. From nothing the build takes a fifth of the time.
#
# A file's group follows from its own name and its folder's size, so that a new file seldom moves others. A folder is a
# group, and small ones are one group together; in a large one a file's group is its name's first word where three share
# it, else the range of letters it is in. What two files of a group both call the same in their anonymous namespaces is an
# error: it is written twice, or one of the two wants a better name.
#
# -DPAWL_TOGETHER=OFF compiles each file for itself, as the sanitizers' builds do, so that what a file needs and does not
# include is found.
function(compile_together target)
  set(small 6) # files of a folder that is no group of its own
  set(large 30) # and of one that is divided
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^\\$<") # objects of another target
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
    if(files_${key} LESS ${small})
      string(REGEX REPLACE "/.*" "" group ${group})
      string(APPEND group "_small")
    endif()
    string(REGEX REPLACE "[./]+" "_" group ${group})
    if(files_${key} GREATER ${large})
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
