import BarlineSession
import Foundation

/// JSON Lines on standard output.
enum JSONOutput {
    static func print(_ values: [String: JSONValue]) {
        Terminal.write(JSONValue.object(values).line + "\n")
    }
}
