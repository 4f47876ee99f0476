/* SPDX-License-Identifier: BSD-3-Clause */
/* All descriptors of a process that has just been made, whoever opened them. In the child of a threaded
 * process, which may do no more than system calls; also after vfork(). Where the kernel has no close_range()
 * for it (before Linux 5.9, for marks 5.11; some seccomp profiles) they are taken one by one. */
#ifndef TTI_BASE_OPEN_FILES_H
#define TTI_BASE_OPEN_FILES_H

/* Closes those from `first` on. */
void tti_open_files_close(int first);
/* Marks those from `first` on, which then end with execve(). */
void tti_open_files_mark(int first);

#endif
