import BarlineEngine
import BarlineHost
import BarlineOutputs
import BarlineSession

/// A view of a live performance, and the source of its input. All but ``abandon()`` is called on one thread.
protocol LiveView: AnyObject {
    /// Takes over the terminal.
    func begin(_ performance: LivePerformance)
    /// Shows what has happened and what is.
    func update(_ performance: LivePerformance, events: [EngineEvent], state: EngineState)
    /// Says what has become of the output.
    func show(_ change: OutputChange)
    /// Says where the page is.
    func show(link: String)
    /// Says something that the user should know.
    func notify(_ message: String)
    /// Says how much has happened that was not shown, because the terminal took no more.
    func notifyMissed(_ count: Int)
    /// Gives the terminal back.
    func end()
    /// Gives back what can be while the view's thread hangs in the middle of a text that nobody takes. Called on
    /// another thread.
    func abandon()
}

extension LiveView {
    /// A screen shows how the output is.
    func show(_ change: OutputChange) {}
    /// A screen shows the link all the time.
    func show(link: String) {}
    /// A screen shows what is.
    func notifyMissed(_ count: Int) {}
    /// There is nothing but text.
    func abandon() {}
}

/// Lets a view observe a host.
final class ViewObserver: HostObserver, @unchecked Sendable {
    // The view is touched on the observer's thread only.
    private let view: any LiveView
    private let performance: LivePerformance
    private var hasBegun = false

    init(_ view: any LiveView, _ performance: LivePerformance) {
        self.view = view
        self.performance = performance
    }

    /// Thirty pictures a second.
    var interest: HostInterest { HostInterest(positionInterval: 0.03) }

    func receive(_ report: HostReport) {
        if !hasBegun { view.begin(performance) }
        if report.missed > 0 { view.notifyMissed(report.missed) }
        for notice in report.notices where notice.audience.contains(.user) { view.notify(notice.text) }
        if !hasBegun, let link = performance.pageLink { view.show(link: link) }
        hasBegun = true
        for change in report.outputs { view.show(change) }
        view.update(performance, events: report.audibleEvents, state: report.state)
    }

    func outputWillClose() {
        if performance.player.document.limiter.isOn { return }
        for line in LevelText.losses(performance.player.engine.state, outputs: performance.player.outputs) {
            view.notify(line)
        }
    }

    func end() { if hasBegun { view.end() } }
}

/// JSON Lines where they are asked for, `screen` on a terminal, plain lines elsewhere, as on a terminal that can
/// do no more.
func chosenLiveView(json: Bool, _ screen: @autoclosure () -> any LiveView) -> any LiveView {
    if json { return JSONView() }
    return Terminal.hasScreen && Terminal.hasKeyboard && !Terminal.isDumb ? screen() : PlainView()
}
