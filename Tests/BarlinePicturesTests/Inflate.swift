/// Decompression by RFC 1951.
struct Inflate {
    /// What can't be decompressed.
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var bit = 0
    private var output: [UInt8] = []

    /// Decompresses a stream without its header and checksum.
    static func decode(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = Inflate(bytes: bytes)
        var isLast = false
        while !isLast {
            isLast = try stream.number(1) == 1
            switch try stream.number(2) {
            case 0: try stream.stored()
            case 1:
                let lengths = (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }
                try stream.compressed(Code(lengths), Code([Int](repeating: 5, count: 30)))
            case 2: try stream.dynamic()
            default: throw Malformed()
            }
        }
        return stream.output
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func number(_ count: Int) throws -> Int {
        var value = 0
        for index in 0..<count {
            guard bit / 8 < bytes.count else { throw Malformed() }
            value |= Int(bytes[bit / 8] >> UInt8(bit % 8) & 1) << index
            bit += 1
        }
        return value
    }

    private mutating func stored() throws {
        bit = (bit + 7) / 8 * 8
        let length = try number(16)
        _ = try number(16)
        for _ in 0..<length { output.append(UInt8(try number(8))) }
    }

    private mutating func dynamic() throws {
        let literals = try number(5) + 257
        let distances = try number(5) + 1
        let count = try number(4) + 4
        var lengths = [Int](repeating: 0, count: 19)
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        for index in 0..<count { lengths[order[index]] = try number(3) }
        let code = Code(lengths)
        var all: [Int] = []
        while all.count < literals + distances {
            let symbol = try self.symbol(code)
            switch symbol {
            case 16:
                guard let last = all.last else { throw Malformed() }
                all += [Int](repeating: last, count: try number(2) + 3)
            case 17: all += [Int](repeating: 0, count: try number(3) + 3)
            case 18: all += [Int](repeating: 0, count: try number(7) + 11)
            default: all.append(symbol)
            }
        }
        try compressed(Code(Array(all[..<literals])), Code(Array(all[literals...])))
    }

    private mutating func compressed(_ literals: Code, _ distances: Code) throws {
        let lengthBases = [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
            227, 258,
        ]
        let distanceBases = [
            1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
            6145, 8193, 12_289, 16_385, 24_577,
        ]
        while true {
            let symbol = try self.symbol(literals)
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            let place = symbol - 257
            guard lengthBases.indices.contains(place) else { throw Malformed() }
            let length = lengthBases[place] + (try number(place < 8 || place == 28 ? 0 : place / 4 - 1))
            let far = try self.symbol(distances)
            guard distanceBases.indices.contains(far) else { throw Malformed() }
            let distance = distanceBases[far] + (try number(far < 4 ? 0 : far / 2 - 1))
            guard distance <= output.count else { throw Malformed() }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    private mutating func symbol(_ code: Code) throws -> Int {
        var value = 0
        for length in 1...15 {
            value = value << 1 | (try number(1))
            if let symbol = code.symbols[length << 16 | value] { return symbol }
        }
        throw Malformed()
    }

    /// A canonical Huffman code: symbols by their length and code.
    private struct Code {
        var symbols: [Int: Int] = [:]

        init(_ lengths: [Int]) {
            var code = 0
            for length in 1...15 {
                for symbol in lengths.indices where lengths[symbol] == length {
                    symbols[length << 16 | code] = symbol
                    code += 1
                }
                code <<= 1
            }
        }
    }
}
