# What every test should have in its environment.
set(TUTTI_TEST_ENVIRONMENT "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0"
                           "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")

# tutti_program(NAME LIBRARY source...): on `tutti` as users have it, or on a library whose insides the program sees.
function(tutti_program name library)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE ${library})
endfunction()

# tutti_test(NAME "LABELS" COMMAND...): a job, or what counts as one; see tests/CMakeLists.txt. Parsed, since arguments with a
# semicolon fall apart in ARGN. More in its environment: set_property(TEST ... APPEND PROPERTY ENVIRONMENT X=Y).
function(tutti_test name labels)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "" "")
  add_test(NAME ${name} COMMAND ${test_UNPARSED_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" PROCESSORS 2 ENVIRONMENT "${TUTTI_TEST_ENVIRONMENT}")
endfunction()

# tutti_unit_test(NAME source...): one CTest program that sees the library's internals. Exit status 77 is "skipped".
function(tutti_unit_test name)
  tutti_program(${name} tutti_internal ${ARGN})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS unit SKIP_RETURN_CODE 77
                                              ENVIRONMENT "${TUTTI_TEST_ENVIRONMENT}")
endfunction()

# Runs on hosts made of network namespaces, under Debian's mpirun: name, number of hosts, ranks per host,
# program, arguments. Skips where it cannot (not root, no mpirun).
function(tutti_hosts_test name hosts ranks)
  set(here ${PROJECT_SOURCE_DIR}/tests/hosts)
  tutti_test(${name} hosts ${here}/with-hosts ${hosts} -- hosts-run -n ${ranks} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# Runs under `srun -n RANKS` of a Slurm started for it: name, ranks, program, arguments.
function(tutti_slurm_test name ranks)
  set(here ${PROJECT_SOURCE_DIR}/tests/hosts)
  tutti_test(${name} hosts ${here}/with-slurm -- srun -n ${ranks} ${ARGN})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
