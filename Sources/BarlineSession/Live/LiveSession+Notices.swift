extension LiveSession {
    /// What there is to say: that the disk is filling, why a recording has ended, who else has the session open.
    /// Reported once.
    package func takeNotices() -> [SessionNotice] {
        let unwritten = player.takes.takeProblems().map { SessionNotice("a take is in memory only: \($0)") }
        let happened = player.bound.withLock { bound in
            defer { bound.notices = [] }
            return bound.notices
        }
        return state.withLock { state in
            defer { state.notices = [] }
            return state.notices + unwritten + happened
        }
    }
}
