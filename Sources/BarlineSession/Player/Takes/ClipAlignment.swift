import BarlineDSP
import BarlineEngine
import BarlineFiles
import BarlineTime
import Dispatch
import Foundation

/// A clip that was recorded, moved to where it was played by what has been measured since.
///
/// A take moves within its file, which has more at both ends. A layer is a sum, of what was played and of the loop
/// below it: it is made again, of what was played, which is in a file of its own, and of the loop as that is then; so
/// are the changes of the loop as a whole. What there was stays on the disk, for going back.
struct ClipAlignment: Sendable {
    /// The result of an alignment.
    enum Result: Sendable {
        case moved(from: ClipDocument, to: ClipDocument)
        /// Why it stays where it is.
        case refused(String)
    }

    /// Why a clip stays where it is.
    private struct Refusal: Error { let why: String }

    /// The audio of a loop, and the frames of it that are the loop.
    private struct Loop: Sendable {
        let samples: SampleBuffer
        let region: Range<Int>

        init(_ samples: SampleBuffer, _ layer: LayerDocument) {
            self.samples = samples
            let end = min(layer.end ?? samples.frameCount, samples.frameCount)
            region = min(max(0, layer.start), end)..<end
        }
    }

    let clip: ClipDocument
    let measured: [MeasuredLatency]
    let folder: URL
    let loader: AudioClipLoader
    let takes: TakeKeeper
    /// Whether something is recorded over it at the moment.
    let isRecordedOver: Bool

    /// How far what is made again may be from what was recorded, as a part of its peak, to be taken for the same: a
    /// loop that was not at its own tempo is read between its frames.
    private static let tolerance: Float = 1e-3

    /// Moves it.
    ///
    /// - Returns: `nil` where it is where it belongs.
    func result() async -> Result? {
        let chain = clip.chain
        let shifts = chain.map { $0.latency?.shift(measured) ?? 0 }
        if shifts.allSatisfy({ $0 == 0 }) { return nil }
        let isMapped = clip.warp.map { $0.first?.frame == clip.start && $0.last?.frame == clip.end } ?? true
        if clip.layers.isEmpty, shifts[0] != 0, !isMapped {
            return .refused("which of its frames are on which beats was said by hand")
        }
        if isRecordedOver { return .refused("it is recorded over: end that first") }
        var written: [String] = []
        do throws(Refusal) {
            return .moved(from: clip, to: clip.with(chain: try await aligned(chain, by: shifts, &written), shifts))
        } catch {
            for path in written { unlink(path) }
            return .refused(error.why)
        }
    }

    private func aligned(
        _ chain: [LayerDocument], by shifts: [Int], _ written: inout [String]
    ) async throws(Refusal) -> [LayerDocument] {
        var aligned = chain
        var below: (was: Loop, is: Loop)?
        for (place, layer) in chain.enumerated() {
            let shift = shifts[place]
            let was = Loop(try await audio(of: layer.file), layer)
            guard place > 0, let loop = below else {
                aligned[place] = try move(layer, by: shift, within: was.samples.frameCount)
                below = (was, Loop(was.samples, aligned[place]))
                continue
            }
            let isBelowMoved = aligned[place - 1] != chain[place - 1]
            guard isBelowMoved || shift != 0 else {
                below = (was, was)
                continue
            }
            let made = try await remake(layer, place, was, over: loop, by: shift)
            aligned[place] = layer.moved(by: shift)
            let stored = try store(made, layer)
            written.append(stored.path)
            aligned[place].file = stored.name
            below = (was, Loop(made, aligned[place]))
        }
        return aligned
    }

    /// A take is moved within its file.
    private func move(
        _ take: LayerDocument, by shift: Int, within frames: Int
    ) throws(Refusal) -> LayerDocument {
        if shift == 0 { return take }
        if take.pass != nil { throw Refusal(why: "the loop that it was recorded over is not known") }
        guard take.start + shift >= 0, (take.end ?? 0) + shift <= frames else {
            throw Refusal(why: "its file does not have \(abs(shift)) frames more than is played")
        }
        var moved = take.moved(by: shift)
        moved.start += shift
        moved.end = take.end.map { $0 + shift }
        moved.firstBeat = take.firstBeat.map { $0 + shift }
        return moved
    }

    /// A layer is made again.
    private func remake(
        _ layer: LayerDocument, _ place: Int, _ was: Loop, over loop: (was: Loop, is: Loop), by shift: Int
    ) async throws(Refusal) -> SampleBuffer {
        guard let pass = layer.pass else {
            throw Refusal(why: "what was played in its layer \(place) was not kept by itself")
        }
        let rate = was.samples.sampleRate
        guard LayerRecipe.marginFrames(at: rate) + pass.recipe.length <= was.samples.frameCount else {
            throw Refusal(why: "its layer \(place) is shorter than the \(pass.recipe.length) frames that it was")
        }
        var played: (was: LayerRecipe.Played, is: LayerRecipe.Played)?
        if let file = pass.played {
            let samples = try await audio(of: file.file)
            let needed = pass.recipe.needed(at: rate)
            let first = file.start + shift
            guard samples.sampleRate == rate, first + needed.lowerBound >= 0,
                first + needed.upperBound <= samples.frameCount
            else {
                throw Refusal(
                    why: "what was played in its layer \(place) is not kept for \(abs(shift)) frames more at its ends")
            }
            played = (LayerRecipe.Played(samples, from: file.start), LayerRecipe.Played(samples, from: first))
        }
        let recipe = pass.recipe
        let result = await ClipAlignment.apart { [played] () -> Swift.Result<SampleBuffer, Refusal> in
            let recorded = recipe.make(over: loop.was.samples, loop.was.region, played: played?.was, at: rate)
            guard let recorded, ClipAlignment.isSame(recorded, was.samples, recipe, rate) else {
                return .failure(
                    Refusal(why: "its layer \(place), or the loop below it, is not any more what was recorded"))
            }
            guard let made = recipe.make(over: loop.is.samples, loop.is.region, played: played?.is, at: rate) else {
                return .failure(Refusal(why: "its layer \(place) can't be made again"))
            }
            return .success(made)
        }
        return try result.get()
    }

    /// Computes for long, where nobody else waits for a thread.
    private static func apart<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: body()) }
        }
    }

    /// Whether what is made again of what there was is what was recorded.
    private static func isSame(
        _ made: SampleBuffer, _ recorded: SampleBuffer, _ recipe: LayerRecipe, _ rate: SampleRate
    ) -> Bool {
        let first = LayerRecipe.marginFrames(at: rate)
        let end = first + recipe.length
        guard made.frameCount >= end, recorded.frameCount >= end else { return false }
        var (peak, difference) = (Float(0), Float(0))
        for frame in first..<end {
            for (new, old) in [(made.left, recorded.left), (made.right, recorded.right)] {
                peak = max(peak, abs(old[frame]))
                difference = max(difference, abs(new[frame] - old[frame]))
            }
        }
        return difference <= tolerance * peak
    }

    private func store(
        _ made: SampleBuffer, _ layer: LayerDocument
    ) throws(Refusal) -> (path: String, name: String) {
        let old = URL(fileURLWithPath: layer.file, relativeTo: folder).path
        let first = LayerRecipe.marginFrames(at: made.sampleRate)
        let chunks = TakeChunks(
            loop: first..<made.frameCount, beats: layer.beats ?? 0,
            timeReference: TakeFile.timeReference(of: old) ?? 0, sampleRate: made.sampleRate)
        do throws(AudioFileError) {
            return try takes.store(made, chunks, title: "\(clip.id) layer")
        } catch {
            throw Refusal(why: "its layers can't be written: \(error)")
        }
    }

    private func audio(of file: String) async throws(Refusal) -> SampleBuffer {
        let path = URL(fileURLWithPath: file, relativeTo: folder).path
        if let take = await takes.audio(of: path, named: file, isWhole: true) { return take.samples }
        do throws(AudioFileError) {
            return try await loader.load(path).samples
        } catch {
            throw Refusal(why: "\(error)")
        }
    }
}

extension ClipLatency {
    /// How many frames more were measured since than was taken off.
    fileprivate func shift(_ measured: [MeasuredLatency]) -> Int {
        let better = measured.last { ($0.output, $0.input) == (output, input) && $0.sampleRate == sampleRate }
        return better.map { $0.correction - correction } ?? 0
    }
}

extension LayerDocument {
    /// The same with so many frames more taken off.
    fileprivate func moved(by shift: Int) -> LayerDocument {
        var moved = self
        moved.latency?.frames += shift
        moved.latency?.correction += shift
        moved.pass?.played?.start += shift
        return moved
    }
}

extension ClipDocument {
    /// Its layers from the lowest one on, with those that were undone.
    fileprivate var chain: [LayerDocument] { layers + [layer] + undoneLayers.reversed() }

    /// The same clip with layers that were moved, the lowest one by the first of `shifts`.
    fileprivate func with(chain: [LayerDocument], _ shifts: [Int]) -> ClipDocument {
        var clip = chain[layers.count] == layer ? self : with(chain[layers.count])
        clip.layers = Array(chain.prefix(layers.count))
        clip.undoneLayers = chain.dropFirst(layers.count + 1).reversed()
        if layers.isEmpty {
            // Of a take attacks are where they are in its file, and its beats where it was recorded.
            clip.onsets = onsets
            clip.warp = warp?.map { WarpMarker(frame: $0.frame + shifts[0], beat: $0.beat) }
        }
        return clip
    }
}
