# Writes OUTPUT with the commit of SOURCE, where SOURCE is a git checkout; leaves an unchanged file alone.
execute_process(COMMAND git -C ${SOURCE} rev-parse HEAD OUTPUT_VARIABLE commit ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
set(dirty false)
if(failed)
  set(commit "")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    set(dirty true)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT}
     CONTENT "#define UOTBENCH_COMMIT \"${commit}\"\n#define UOTBENCH_DIRTY ${dirty}\n")
