import CRealtime

/// Memory that the program has no use for any more.
package enum FreedMemory {
    /// Has what is freed of large blocks given back to the system from now on: what a long session takes while it is
    /// read, written and sent would stay with the program for as long as it plays.
    package static func giveBack() { rt_memory_give_back() }
}
