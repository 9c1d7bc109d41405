#ifndef BARLINE_REALTIME_MEMORY_H
#define BARLINE_REALTIME_MEMORY_H

#include <stddef.h>

// Keeps all memory of the process, that to come too, from being swapped out once it was touched. Only for a process that
// may lock as much as it likes: another one would be refused memory later. Returns 0, or an errno value.
int rt_memory_lock(void);

// Moves the pages of `bytes` bytes of private memory to where others of that length are, which are lost; where they were
// is memory that was not touched. Both begin with a page. Returns whether that could be done, or nothing has changed.
int rt_memory_move(void *from, void *to, size_t bytes);

// Has the system give pages to all of `bytes` bytes of memory now, so that nobody who writes there later waits for one.
// What is there stays, and others may be reading and writing it.
void rt_memory_populate(void *memory, size_t bytes);

// Has the allocator give large blocks back to the system when they are freed, from now on.
void rt_memory_give_back(void);

#endif
