# What `cmake --install` lays down: libraries, headers, tools, pkg-config files, CMake package, manual pages,
# documents, examples; and the reference, if the target `docs` has made it.
include(CMakePackageConfigHelpers)

install(TARGETS tutti tutti_stream EXPORT TuttiTargets)
install(TARGETS pingpong_msg DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tutti) # for tutti-stream-bench, not for users
install(DIRECTORY include/tutti TYPE INCLUDE)
install(EXPORT TuttiTargets NAMESPACE Tutti:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tutti)
configure_package_config_file(cmake/TuttiConfig.cmake.in ${PROJECT_BINARY_DIR}/TuttiConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tutti)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/TuttiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/TuttiConfig.cmake ${PROJECT_BINARY_DIR}/TuttiConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Tutti)
# Installed anywhere, the tools find the library beside them.
set_target_properties(tutti-bench tutti-stream-bench tutti-info tutti-stream PROPERTIES INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
# From the folder of the .pc file up to the prefix, so that an installed tree may be moved.
file(RELATIVE_PATH TUTTI_PC_UP /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/tutti.pc.in ${PROJECT_BINARY_DIR}/tutti.pc @ONLY)
configure_file(cmake/tutti_stream.pc.in ${PROJECT_BINARY_DIR}/tutti_stream.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tutti.pc ${PROJECT_BINARY_DIR}/tutti_stream.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(GLOB man_pages docs/man/*.1)
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
install(DIRECTORY ${PROJECT_BINARY_DIR}/reference/html DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
# In the same places to each other as in the source tree, so that links between them lead somewhere.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN *.md PATTERN *.png PATTERN man EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        FILES_MATCHING PATTERN *.[ch] PATTERN *.in PATTERN *.html PATTERN *.js PATTERN *.conf PATTERN *.png PATTERN CMakeLists.txt)
