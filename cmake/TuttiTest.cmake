# tutti_unit_test(NAME source...): one CTest program that sees the library's internals. Exit status 77 is "skipped".
function(tutti_unit_test name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE tutti_internal)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 60 SKIP_RETURN_CODE 77)
endfunction()
