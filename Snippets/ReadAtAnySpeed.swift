// A loop of one sine cycle, read a fifth faster: the read goes round the seam as if there were none.

import BarlineDSP
import BarlineTime
import Foundation

let cycle = (0..<100).map { Float(sin(2 * Double.pi * Double($0) / 100)) }
let loop = SampleBuffer(left: cycle, sampleRate: .standard)
let region = SourceRegion(
    left: loop.left, right: loop.right, length: loop.frameCount, framesBefore: 0, framesAfter: 0, loops: true,
    seamLeft: loop.left, seamRight: loop.right, seamLength: 0)
let reader = VarispeedReader()
let filter = reader.filter(rate: 1.2)
for frame in 0..<200 {
    let position = SourcePosition(rawValue: 0).advanced(by: SourcePosition(1.2), times: Int64(frame))
    print(reader.frame(of: region, at: position, filter: filter).left)
}
