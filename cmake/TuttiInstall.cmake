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
# Installed anywhere, the tools find the library beside them, and the .pc files the prefix above them: such a tree may be
# moved. Where the user names one whole path for libraries, or for headers, that is where these are, whatever the prefix.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(TUTTI_RPATH ${CMAKE_INSTALL_FULL_LIBDIR})
  set(TUTTI_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set(TUTTI_RPATH "\$ORIGIN/${up}")
  file(RELATIVE_PATH up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  set(TUTTI_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(folder IN ITEMS LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${folder}}")
    set(TUTTI_PC_${folder} ${CMAKE_INSTALL_FULL_${folder}})
  else()
    set(TUTTI_PC_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
  endif()
endforeach()
set_target_properties(tutti-bench tutti-stream-bench tutti-info tutti-stream PROPERTIES INSTALL_RPATH "${TUTTI_RPATH}")
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
