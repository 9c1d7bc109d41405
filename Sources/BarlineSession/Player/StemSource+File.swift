import BarlineEngine
import BarlineFiles

extension StemSource {
    /// What is read, as it was recorded: its frames and its rate are those in which a stem's document counts.
    package var recorded: any StemSource { file ?? self }

    /// The file that is read, also where the stem is transposed or stretched; `nil` where it can't be.
    package var file: StemFile? {
        switch self {
        case let file as StemFile: file
        case let stretched as StretchedStem: stretched.source.file
        case let pitched as PitchedStem: pitched.source.file
        case let moved as FormantStem: moved.source.file
        default: nil
        }
    }
}
