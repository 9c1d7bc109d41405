extension Range<Int> {
    /// The place of a frame in a loop of these frames, counted on around it from either end.
    func wrapping(_ frame: Int) -> Int {
        let offset = (frame - lowerBound) % count
        return lowerBound + (offset < 0 ? offset + count : offset)
    }
}
