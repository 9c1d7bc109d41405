import BarlineEngine
import BarlineOutputs
import BarlineSession

/// How a live performance is shown, and where its input comes from.
protocol LiveView: AnyObject {
    /// Takes over the terminal.
    func begin(_ performance: LivePerformance)
    /// Shows what has happened and what is.
    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState)
    /// Says where the page is.
    func show(link: String)
    /// Says something that the user should know.
    func tell(_ message: String)
    /// Gives the terminal back.
    func end()
}

extension LiveView {
    /// A screen shows the link all the time.
    func show(link: String) {}
}

/// JSON Lines where they are asked for, `screen` on a terminal, plain lines elsewhere, as on a terminal that can
/// do no more.
func chosenLiveView(json: Bool, _ screen: @autoclosure () -> any LiveView) -> any LiveView {
    if json { return JSONView() }
    return Terminal.hasScreen && Terminal.hasKeyboard && !Terminal.isDumb ? screen() : PlainView()
}
