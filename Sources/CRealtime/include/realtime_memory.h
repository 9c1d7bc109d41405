#ifndef BARLINE_REALTIME_MEMORY_H
#define BARLINE_REALTIME_MEMORY_H

// Keeps all memory of the process, that to come too, from being swapped out once it was touched. Only for a process that
// may lock as much as it likes: another one would be refused memory later. Returns 0, or an errno value.
int rt_memory_lock(void);

// Has the allocator give large blocks back to the system when they are freed, from now on.
void rt_memory_give_back(void);

#endif
