/// The program that this is.
package enum Program {
    /// Its version.
    package static let version = "0.1.0"
}
