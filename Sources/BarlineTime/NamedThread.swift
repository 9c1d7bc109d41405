import CRealtime

/// Starts threads with names for debuggers, the kernel and `barline doctor`: the only place where threads are created.
/// A thread that loops until it is asked to end is a `Worker`, of the engine.
package enum NamedThread {
    /// Runs `body` on a new thread.
    ///
    /// - Parameters:
    ///   - name: the thread's name in the kernel, at most 15 bytes.
    ///   - isBackground: whether nobody waits for what it does, on systems that have more than niceness.
    ///   - stackBytes: the size of its stack; `nil` for the system's default.
    ///   - body: what the thread runs.
    package static func start(
        _ name: String, isBackground: Bool = false, stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void
    ) {
        let context = Unmanaged.passRetained(Body(run: body))
        let hasStarted = rt_thread_start(
            name, stackBytes ?? 0, isBackground,
            { context in
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
            }, context.toOpaque())
        if !hasStarted { context.release() }
    }

    /// The body of a thread, as an object that C passes on.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
