import BarlineSession
import Foundation

/// An answer as it came.
struct HTTPAnswer {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]

    var json: JSONValue? { try? JSONValue(parsing: Data(body)) }

    subscript(key: String) -> JSONValue? {
        if case .object(let values)? = json { return values[key] }
        return nil
    }
}

extension TestSocket {
    /// Asks for something and reads the answer.
    func request(
        _ method: String, _ target: String, headers: [String: String] = [:], host: String? = nil, body: [UInt8]? = nil,
        port: Int
    ) throws -> HTTPAnswer {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"]
        lines += headers.map { "\($0.key): \($0.value)" }
        if let body { lines.append("Content-Length: \(body.count)") }
        send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        if let body { send(body) }
        return try answer(isBodiless: method == "HEAD")
    }

    func answer(isBodiless: Bool = false) throws -> HTTPAnswer {
        let lines = try read(through: "\r\n\r\n").components(separatedBy: "\r\n")
        let status = Int(lines.first?.split(separator: " ").dropFirst().first ?? "0") ?? 0
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let length = isBodiless || status == 304 || status == 101 ? 0 : Int(headers["content-length"] ?? "0") ?? 0
        return HTTPAnswer(status: status, headers: headers, body: try read(length, within: 60))
    }
}

extension JSONValue {
    subscript(key: String) -> JSONValue? {
        if case .object(let values) = self { return values[key] }
        return nil
    }

    subscript(index: Int) -> JSONValue? {
        if case .array(let values) = self, values.indices.contains(index) { return values[index] }
        return nil
    }

    var values: [String: JSONValue]? { if case .object(let values) = self { values } else { nil } }
    var number: Double? { if case .number(let value) = self { value } else { nil } }
    var text: String? { if case .string(let value) = self { value } else { nil } }
    var list: [JSONValue] { if case .array(let values) = self { values } else { [] } }
}
