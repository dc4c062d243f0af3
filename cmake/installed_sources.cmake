# Sources for workers outside the tree: copies in the folder `installed` of the headers, and of the files `compiled`, of
# the folder `source`. Run by cmake --install.
#
# No folder of a user's answers an include of theirs, whatever it is called and in whichever order folders are searched:
#   #include "kernels/uot/problem.hpp"   is, in the copies,   #include <uotbench/internal/kernels/uot/problem.hpp>
#
# A kernel written before there was include/uotbench/ includes the former. For each header that one of include/uotbench/
# includes, earlier/ has one that forwards to it, with a message that names the other.
cmake_policy(VERSION 3.25)

# Another installation may read the file meanwhile. An unchanged file keeps its time, or users would compile all anew.
string(RANDOM LENGTH 12 name)
set(new ${installed}-${name})
function(uotbench_write FILE TEXT)
  set(old "")
  if(EXISTS ${FILE})
    file(READ ${FILE} old)
  endif()
  string(COMPARE EQUAL "${old}" "${TEXT}" same)
  if(NOT same)
    file(WRITE ${new} "${TEXT}")
    get_filename_component(folder ${FILE} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(RENAME ${new} ${FILE})
  endif()
endfunction()

set(places include results harness/protocol harness/worker harness/trace harness/simt kernels)
set(headers "")
foreach(place ${places})
  file(GLOB_RECURSE found RELATIVE ${source} ${source}/${place}/*.hpp ${source}/${place}/*.cuh)
  list(APPEND headers ${found})
endforeach()
list(FILTER headers EXCLUDE REGEX "/tests/|^kernels/.*/oracle/")
set(written ${headers} ${compiled})
foreach(file ${headers} ${compiled})
  file(READ ${source}/${file} text)
  string(REGEX REPLACE "#include \"((results|harness|kernels)/[^\"]+)\"" "#include <uotbench/internal/\\1>" text "${text}")
  uotbench_write(${installed}/${file} "${text}")
  if(file MATCHES "^include/(.*)$")
    set(public ${CMAKE_MATCH_1})
    string(REGEX MATCHALL "uotbench/internal/[^>]+" forwarded "${text}")
    list(TRANSFORM forwarded REPLACE "^uotbench/internal/" "")
    foreach(header ${forwarded})
      uotbench_write(${installed}/earlier/${header} "// For kernels written before there was <${public}>.
#pragma once

#include <uotbench/internal/${header}>

#pragma message(\"${header} is deprecated: include <${public}>\")
")
      list(APPEND written earlier/${header})
    endforeach()
  endif()
endforeach()
file(GLOB_RECURSE old RELATIVE ${installed} ${installed}/*)
list(REMOVE_ITEM old ${written})
foreach(file ${old})
  file(REMOVE ${installed}/${file})
endforeach()
