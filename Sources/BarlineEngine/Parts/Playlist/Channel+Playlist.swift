extension Channel {
    /// The playlist.
    public static let playlist = Channel.part(Part("playlist"))
}
