/* SPDX-License-Identifier: BSD-3-Clause */
/* Which descriptors a rank gets beside its standard ones: those that the launcher itself was started with, as
 * in `tuttirun program <(command)`, and none that was opened since. PMIx's thread accepts connections while
 * ranks start, and marks each as not inherited only after that: a rank started in between would hold the
 * launcher's end of another rank's connection. */
#ifndef TTI_LAUNCHER_INHERITED_FILES_H
#define TTI_LAUNCHER_INHERITED_FILES_H

/* At the launcher's start, before it opens anything. What the list has no memory for,
 * and all where there is no /proc, ranks do not get. */
void tti_inherited_note(void);

/* In a child before execve(); only system calls. */
void tti_inherited_pass_on(void);

/* Frees the list. */
void tti_inherited_forget(void);

#endif
