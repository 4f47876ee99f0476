# cmake -D FOLDER=bench -D HEADER=loop_hash.h -P loop_hash.cmake: which sources the measuring loop was built of, the ports
# to libraries left out. bench/compare, which builds the same loop for each MPI, computes it, too (loop_hash() of peers.py).
file(GLOB sources ${FOLDER}/*.c ${FOLDER}/*.h)
set(hashes)
foreach(source IN LISTS sources)
  if(NOT source MATCHES "/port_[^/]*$")
    file(SHA256 ${source} hash)
    list(APPEND hashes ${hash})
  endif()
endforeach()
list(SORT hashes)
list(JOIN hashes "\n" text)
string(SHA256 hash "${text}")
file(WRITE ${HEADER} "#define BENCH_LOOP_HASH \"${hash}\"\n")
