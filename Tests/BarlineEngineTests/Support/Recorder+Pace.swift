import Foundation

extension Recorder {
    /// Renders block by block up to `frame` at most, as long as that is wanted: slowly enough for threads that read to
    /// keep up.
    func renderPaced(to frame: Int, while isWanted: () -> Bool = { true }) {
        while frames < frame, isWanted() {
            render(64, .fixed(64))
            Thread.sleep(forTimeInterval: 0.0005)
        }
    }
}
