# Compiles the sources of a target in groups of files: one compiler reads the headers, and makes what comes of their
# templates, once for all of them. From nothing the build takes less than a fifth of the time.
#
# The first group whose pattern a file's path below src/ fits is its own; one that fits none is compiled for itself. What
# two files of a group both call the same in their anonymous namespaces is an error: it is written twice, or one of the
# two wants a better name. Verbs are called after what they do on purpose, so nouns with the same verbs are apart. A
# group takes a minute of one core at most, or the last one to be compiled is waited for.
#
# What a pattern names beside its folder (loop/ultrawork, loop/verification, rest_pulls, verify) is apart from its twins:
# files of one shape whose parts are called the same on purpose.
#
# -DPAWL_TOGETHER=OFF compiles each file for itself, as the sanitizers' builds do, so that what a file needs and does not
# include is found.
set(source_groups
  "base=^(base|core)/"
  "store=^store/"
  "lifecycles_review=^lifecycles/(review/|issue/|loop/ultrawork)"
  "engine=^(engine/|lifecycles/loop/verification)"
  "lifecycles=^lifecycles/"
  "runners_bots=^runners/(issue|pr|story_bot)/"
  "runners=^(runners|integrations/tmux)/"
  "practice_graphql=^practice/(graphql|seed|rest_pulls)"
  "practice=^practice/"
  "github=^(integrations/(github|runner|signing)|commands/world)/"
  "commands_story=^commands/(story|board|leave|tour)"
  "commands_issue=^(commands/issue|frontends/)"
  "commands_review=^commands/(review|pr)"
  "integrations=^(integrations/|commands/ralph)"
  "commands_a-f=^commands/(verify|[a-f])"
  "commands_g-o=^commands/[g-o]"
  "commands=^commands/")

# compile_together(TARGET NAME=PATTERN...)
function(compile_together target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/src OUTPUT_VARIABLE path)
    foreach(group IN LISTS ARGN)
      string(REGEX REPLACE "=.*" "" name ${group})
      string(REGEX REPLACE "^[^=]+=" "" pattern ${group})
      if(path MATCHES ${pattern})
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name})
        break()
      endif()
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
