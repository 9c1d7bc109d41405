/// The program that this is.
public enum Program {
    /// Its version.
    public static let version = "0.1.0"
}
