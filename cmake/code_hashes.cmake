# Writes OUTPUT: {"NAME": "16 hex digits", …}, of each of OBJECTS (separated by '|') a hash of its machine code as
# the compiler left it, before the linker chose places. NAME is that of its source without endings; where several
# have that, of its folder as well. LIBRARY, which runs around them all, is "".
#
# What is hashed is the object without what tells when, where and by whom it was made (STRIP is binutils' strip):
# names of files, lines, local names. What it calls is in it, by name; so are its texts.
function(hash_of FILE RESULT)
  # With -D members of an archive have no dates and owners.
  execute_process(COMMAND ${STRIP} -D --strip-unneeded -R .comment -R ".note*" -R ".gnu.build.attributes*"
                          -o ${OUTPUT}.stripped ${FILE} RESULT_VARIABLE failed ERROR_QUIET)
  set(hash "")
  if(NOT failed)
    file(SHA256 ${OUTPUT}.stripped hash)
    string(SUBSTRING ${hash} 0 16 hash)
  endif()
  file(REMOVE ${OUTPUT}.stripped)
  set(${RESULT} "${hash}" PARENT_SCOPE)
endfunction()

string(REPLACE "|" ";" OBJECTS "${OBJECTS}")
set(all_names "")
foreach(object ${OBJECTS})
  get_filename_component(name ${object} NAME_WE)
  list(APPEND all_names ${name})
endforeach()

set(entries "")
foreach(object ${OBJECTS})
  get_filename_component(name ${object} NAME_WE)
  get_filename_component(folder ${object} DIRECTORY)
  get_filename_component(folder ${folder} NAME)
  # build holds the commit and the flags; main only calls the library. Neither runs while a kernel is timed.
  if(folder MATCHES "^(program|worker)$" AND name MATCHES "^(main|build)$")
    continue()
  endif()
  set(namesakes ${all_names})
  list(FILTER namesakes INCLUDE REGEX "^${name}$")
  list(LENGTH namesakes count)
  if(count GREATER 1)
    set(name ${folder}/${name})
  endif()
  hash_of(${object} hash)
  if(hash)
    list(APPEND entries "\"${name}\": \"${hash}\"")
  endif()
endforeach()
hash_of(${LIBRARY} hash)
if(hash)
  list(APPEND entries "\"\": \"${hash}\"")
endif()
list(JOIN entries ",\n" entries)
file(WRITE ${OUTPUT} "{${entries}}\n")
