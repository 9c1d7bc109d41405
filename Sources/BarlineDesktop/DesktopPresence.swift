/// A player's presence on the desktop, for as long as the value is kept: MPRIS2 on Linux's session bus.
///
/// Where there is no such bus there is no presence, and nothing else changes.
package final class DesktopPresence: Sendable {
    #if os(Linux)
        private let service: MPRISService

        /// Announces a player; `nil` where there is no desktop to announce it to.
        ///
        /// - Parameters:
        ///   - player: what is shown and controlled; it is not kept alive.
        ///   - name: its name on the bus, of letters and digits. Where another program has it, a number is added.
        ///   - identity: its name for people.
        package init?(_ player: any MediaPlayer, name: String = "barline", identity: String = "Barline") {
            guard let service = MPRISService(player, name: name, identity: identity) else { return nil }
            self.service = service
        }

        deinit { service.end() }

        /// The name under which the player is on the bus.
        var busName: String { service.busName }

        /// Publishes to the desktop what has changed since the last time. To be called after every change, and as often
        /// as one likes: where nothing has changed, nothing is published. The position alone is no change.
        package func update() { service.update() }

        /// Signals to the desktop that the position has jumped.
        package func announceJump() { service.announceJump() }
    #else
        /// Announces a player; always `nil` on this system.
        package init?(_ player: any MediaPlayer, name: String = "barline", identity: String = "Barline") { return nil }

        /// The name under which the player is on the bus.
        package var busName: String { "" }

        /// Publishes to the desktop what has changed.
        package func update() {}

        /// Signals to the desktop that the position has jumped.
        package func announceJump() {}
    #endif
}
