extension TempoEstimate {
    /// The same answer, as likely as such answers were right; the alternatives share the rest as they did.
    func calibrated(by calibration: Calibration) -> TempoEstimate {
        var changed = self
        changed.confidence = calibration.share(confidence)
        let factor = (1 - changed.confidence) / max(1e-6, 1 - confidence)
        for index in alternatives.indices { changed.alternatives[index].confidence *= factor }
        return changed
    }
}
