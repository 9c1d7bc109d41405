#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The files that the program may have open at once.
package enum OpenFiles {
    /// Allows as many as the system lets the program have: each stem and each clip that is streamed holds its file, and
    /// reads it in several places. Shells allow 1,024 to what does not ask.
    package static func allowMost() {
        var limit = rlimit()
        #if canImport(Darwin)
            let files = RLIMIT_NOFILE
            let most = rlim_t(OPEN_MAX)
        #else
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            let most = rlim_t(1 << 16)
        #endif
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < min(limit.rlim_max, most) else { return }
        limit.rlim_cur = min(limit.rlim_max, most)
        _ = setrlimit(files, &limit)
    }
}
