# cmake --install build/release --prefix P: the programs with their data, and what a worker outside the tree is
# built from (find_package(uotbench), see docs/guide/outside.md).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/uotbench)
set(halves uotbench_results_base uotbench_results_statistics uotbench_results_record uotbench_results_record_axes
  uotbench_harness_protocol uotbench_harness_host_process uotbench_worker uotbench_shared
  uotbench_harness_trace_base uotbench_harness_trace_threads
  uotbench_harness_trace_warps uotbench_warp_callbacks)
if(TARGET uotbench_simt)
  list(APPEND halves uotbench_simt)
endif()
foreach(half ${halves})
  string(REPLACE uotbench_ "" name ${half})
  string(REPLACE harness_trace_ trace_ name ${name})
  set_target_properties(${half} PROPERTIES EXPORT_NAME ${name})
  foreach(folder include include/uotbench/earlier include/uotbench/internal)
    target_include_directories(${half} INTERFACE $<INSTALL_INTERFACE:${folder}>)
  endforeach()
endforeach()

# The programs find their data from bin: ../share.
get_target_property(programs programs MANUALLY_ADDED_DEPENDENCIES)
install(TARGETS ${programs} DESTINATION bin)
get_target_property(on_demand packaged MANUALLY_ADDED_DEPENDENCIES)
list(REMOVE_ITEM on_demand programs)
foreach(program ${on_demand})
  install(TARGETS ${program} DESTINATION bin OPTIONAL)
endforeach()
list(APPEND programs ${on_demand})
get_property(beside_programs GLOBAL PROPERTY uotbench_beside_programs)
install(FILES ${beside_programs} DESTINATION bin)
foreach(program ${programs})
  install(FILES $<TARGET_FILE:${program}>.code.json DESTINATION bin OPTIONAL)
endforeach()
install(DIRECTORY configs DESTINATION share/uotbench)
install(DIRECTORY kernels DESTINATION share/uotbench
        FILES_MATCHING PATTERN "awkward.json" PATTERN tests EXCLUDE PATTERN oracle EXCLUDE PATTERN shared EXCLUDE PATTERN timed EXCLUDE
        PATTERN parts EXCLUDE)
uotbench_variant_files(python_sources py)
uotbench_list_variants(${PROJECT_BINARY_DIR}/variants.json ${kernel_sources} ${cuda_sources} ${python_sources})
install(FILES ${PROJECT_BINARY_DIR}/variants.json DESTINATION share/uotbench)
# What `uotbench new` writes. Pages link to it.
foreach(place share/uotbench share/doc/uotbench)
  install(DIRECTORY templates DESTINATION ${place})
endforeach()
install(FILES docs/my_worker.py DESTINATION share/uotbench/templates/worker)
# The program writes these of itself.
set(shell ${PROJECT_BINARY_DIR}/shell)
foreach(file "uotbench:completion bash" "_uotbench:completion zsh" "uotbench.fish:completion fish" "uotbench.1:man")
  string(REGEX REPLACE "^([^:]*):(.*)$" "\\2" words "${file}")
  string(REGEX REPLACE ":.*$" "" file "${file}")
  install(CODE "
    file(MAKE_DIRECTORY \"${shell}\")
    execute_process(COMMAND \"$<TARGET_FILE:uotbench>\" ${words} OUTPUT_FILE \"${shell}/${file}\" COMMAND_ERROR_IS_FATAL ANY)")
endforeach()
install(FILES ${shell}/uotbench DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${shell}/_uotbench DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${shell}/uotbench.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${shell}/uotbench.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# Pages lie to each other as in the tree, with what they link to, so that links lead somewhere here, too.
install(DIRECTORY docs DESTINATION share/doc/uotbench
        FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "my_worker.*" PATTERN "reframe_uotbench.py"
        PATTERN "*.ipynb" PATTERN "call.c")
install(DIRECTORY results/evidence DESTINATION share/doc/uotbench/results)
# Files outside docs that pages link to.
install(FILES tools/tests/robustness.md DESTINATION share/doc/uotbench/tools/tests)
install(FILES harness/worker/oracle/README.md DESTINATION share/doc/uotbench/harness/worker/oracle)
install(FILES configs/peers.json DESTINATION share/doc/uotbench/configs)
install(FILES README.md CONTRIBUTING.md CITATION.cff CHANGELOG.md LICENSE rooms.txt DESTINATION share/doc/uotbench)

# Kernels as functions, where they have been built.
if(TARGET uotbench_call)
  get_target_property(libraries call MANUALLY_ADDED_DEPENDENCIES)
  foreach(library ${libraries})
    install(FILES $<TARGET_FILE:${library}> $<TARGET_FILE:${library}>.code.json
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/uotbench OPTIONAL)
    install(FILES $<TARGET_FILE:${library}>.code.json DESTINATION uotbench/lib COMPONENT python OPTIONAL EXCLUDE_FROM_ALL)
  endforeach()
  # And as the Python package that pyproject.toml describes.
  install(TARGETS ${libraries} LIBRARY DESTINATION uotbench/lib COMPONENT python EXCLUDE_FROM_ALL)
  foreach(file __init__.py __init__.pyi calling.py transport.py transport_input.py libraries.py py.typed)
    install(FILES harness/python/uotbench/${file} DESTINATION uotbench COMPONENT python EXCLUDE_FROM_ALL)
  endforeach()
  install(FILES harness/call/call.h DESTINATION include/uotbench/harness/call)
  install(FILES harness/call/call.h harness/call/call.hpp DESTINATION include/uotbench)
endif()

install(TARGETS ${halves} EXPORT uotbench ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT uotbench NAMESPACE uotbench:: FILE uotbenchTargets.cmake DESTINATION ${package})
# What workers outside the tree are compiled from: <uotbench/...>, which kernels include; internal/, which that includes;
# earlier/, for kernels that include a header of internal/ by its path in the tree.
set(installed ${PROJECT_BINARY_DIR}/installed)
set(compiled "")
foreach(source ${UOTBENCH_HARNESS}/main.cpp ${UOTBENCH_HARNESS}/build.cpp ${UOTBENCH_TRACE_SOURCE} ${UOTBENCH_SIMT_PLATFORM}
        ${UOTBENCH_SIMT_TRACE} ${UOTBENCH_TIMED})
  file(RELATIVE_PATH source ${PROJECT_SOURCE_DIR} ${source})
  list(APPEND compiled ${source})
endforeach()
install(CODE "
  set(source \"${PROJECT_SOURCE_DIR}\")
  set(installed \"${installed}\")
  set(compiled \"${compiled}\")")
install(SCRIPT cmake/installed_sources.cmake)
install(DIRECTORY ${installed}/include/uotbench DESTINATION include)
install(DIRECTORY ${installed}/earlier DESTINATION include/uotbench)
install(DIRECTORY ${installed}/results ${installed}/harness ${installed}/kernels DESTINATION include/uotbench/internal
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cuh")
foreach(source ${compiled})
  set(folder share/uotbench/worker)
  if(source MATCHES "^kernels/([^/]+)/")
    string(APPEND folder /timed/${CMAKE_MATCH_1})
  endif()
  install(FILES ${installed}/${source} DESTINATION ${folder})
endforeach()

set(uotbench_libraries "")
if(PAPI_FOUND)
  list(APPEND uotbench_libraries "${PAPI_LIBRARY}")
endif()
configure_package_config_file(cmake/uotbenchConfig.cmake.in ${PROJECT_BINARY_DIR}/package/uotbenchConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/uotbenchConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/uotbenchConfig.cmake
              ${PROJECT_BINARY_DIR}/package/uotbenchConfigVersion.cmake
              cmake/UotbenchWorker.cmake cmake/UotbenchSimt.cmake cmake/UotbenchOwnWorker.cmake cmake/commit.cmake cmake/code_hashes.cmake
        DESTINATION ${package})
