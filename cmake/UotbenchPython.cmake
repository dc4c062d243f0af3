# The worker `python` and the adapters: launchers beside the other programs, which find an interpreter when they are
# started. Nothing is built, so nothing of Python's is needed to build.

# RESULT: TEXT as one word of sh.
function(uotbench_sh_word RESULT TEXT)
  string(REPLACE "'" "'\\''" text "${TEXT}")
  set(${RESULT} "'${text}'" PARENT_SCOPE)
endfunction()

# In FOLDER.
function(uotbench_python_launchers FOLDER)
  foreach(pair launcher:uotbench-worker-python adapter_launcher:uotbench-adapter)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 template)
    list(GET pair 1 program)
    configure_file(${PROJECT_SOURCE_DIR}/harness/python/${template}.in ${FOLDER}/${program} @ONLY
      FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endforeach()
endfunction()

uotbench_sh_word(UOTBENCH_PYTHON_ROOT "${PROJECT_SOURCE_DIR}")
uotbench_sh_word(UOTBENCH_PEERS "${PROJECT_SOURCE_DIR}/build/peers")
uotbench_python_launchers(${CMAKE_RUNTIME_OUTPUT_DIRECTORY})

# Installed, its files are found from where it stands; the environment of the tree is used as long as it is there.
set(UOTBENCH_PYTHON_ROOT "$here/../share/uotbench/python")
uotbench_python_launchers(${PROJECT_BINARY_DIR}/package)
install(PROGRAMS ${PROJECT_BINARY_DIR}/package/uotbench-worker-python ${PROJECT_BINARY_DIR}/package/uotbench-adapter
        DESTINATION bin)
install(DIRECTORY harness/python/ DESTINATION share/uotbench/python/harness/python
        FILES_MATCHING PATTERN "*.py" PATTERN tests EXCLUDE PATTERN __pycache__ EXCLUDE)
install(DIRECTORY kernels DESTINATION share/uotbench/python
        FILES_MATCHING PATTERN "*.py" PATTERN tests EXCLUDE PATTERN oracle EXCLUDE PATTERN __pycache__ EXCLUDE)

# The package that reads run files, as a wheel: packed by the first python3 that has flit_core. Without one there is no
# wheel, and nothing else is missing.
function(uotbench_has_flit_core RESULT PYTHON)
  execute_process(COMMAND ${PYTHON} -c "import flit_core.wheel" RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
  if(NOT code EQUAL 0)
    set(${RESULT} FALSE PARENT_SCOPE)
  endif()
endfunction()
find_program(UOTBENCH_FLIT_PYTHON python3 VALIDATOR uotbench_has_flit_core)
if(UOTBENCH_FLIT_PYTHON)
  set(runs ${PROJECT_SOURCE_DIR}/results/python)
  set(wheel ${PROJECT_BINARY_DIR}/python/uotbench_runs-${PROJECT_VERSION}-py3-none-any.whl)
  file(GLOB runs_sources CONFIGURE_DEPENDS ${runs}/uotbench_runs/* ${runs}/pyproject.toml)
  list(FILTER runs_sources EXCLUDE REGEX __pycache__)
  # The time of all its files is 1980-01-01: the same files make the same bytes.
  add_custom_command(OUTPUT ${wheel} DEPENDS ${runs_sources} VERBATIM
    COMMAND ${CMAKE_COMMAND} -E env SOURCE_DATE_EPOCH=315532800
            ${UOTBENCH_FLIT_PYTHON} -m flit_core.wheel ${runs} --outdir ${PROJECT_BINARY_DIR}/python)
  add_custom_target(python_wheel DEPENDS ${wheel})
  add_dependencies(programs python_wheel)
  install(FILES ${wheel} DESTINATION share/uotbench/python)
endif()
