import BarlineSession
import Foundation
import Testing

/// The description of the server is true: what it says is answered is what is answered.
@Suite("OpenAPI", .serialized)
struct OpenAPITests {
    @Test("Every path that is described is there, with an answer that is described and has what its schema wants")
    func described() async throws {
        try await serving { served async throws in
            let document = try #require(try served.request("GET", "/api/openapi.json").json)
            #expect(document["openapi"] == "3.1.0")
            let paths = try #require(document["paths"]?.values)
            let targets = [
                "/api/waveform": "/api/waveform?clip=a&points=16", "/api/analysis": "/api/analysis?clip=a",
                "/api/files": "/api/files?name=x.txt", "/api/cover": "/api/cover?clip=a",
                "/api/recordings/{name}": "/api/recordings/none",
            ]
            for (path, item) in paths {
                guard case .object(let operations) = item else { continue }
                for (method, operation) in operations {
                    let answer =
                        path == "/api/actions"
                        ? try served.act(#"{"do": "tap"}"#)
                        : try served.request(
                            method.uppercased(), targets[path] ?? path, body: method == "put" ? [] : nil)
                    let described = operation["responses"]?["\(answer.status)"]
                    #expect(described != nil, "\(method) \(path): \(answer.status)")
                    guard let schema = described?["content"]?["application/json"]?["schema"], let value = answer.json
                    else { continue }
                    try check(value, schema, document, "\(method) \(path)")
                }
            }
            #expect(paths.count == 14)
        }
    }

    @Test("What is not described is not there")
    func undescribed() async throws {
        try await serving { served async throws in
            let document = try #require(try served.request("GET", "/api/openapi.json").json)
            let paths = try #require(document["paths"]?.values)
            for path in paths.keys where !path.contains("{") {
                for method in ["DELETE", "PATCH", "OPTIONS"] {
                    #expect(try served.request(method, path).status == 405, "\(method) \(path)")
                }
            }
        }
    }

    /// The part of JSON Schema that the document uses.
    private func check(_ value: JSONValue, _ schema: JSONValue, _ document: JSONValue, _ place: String) throws {
        if let reference = schema["$ref"]?.text {
            let name = try #require(reference.split(separator: "/").last)
            let target = try #require(document["components"]?["schemas"]?[String(name)])
            return try check(value, target, document, place)
        }
        if let constant = schema["const"] { #expect(value == constant, "\(place)") }
        let types = schema["type"].map { $0.text.map { [$0] } ?? $0.list.compactMap(\.text) } ?? []
        if !types.isEmpty {
            #expect(types.contains { isOf($0, value) }, "\(place): \(types), \(value.line.prefix(80))")
        }
        if case .object(let values) = value {
            for key in schema["required"]?.list.compactMap(\.text) ?? [] {
                #expect(values[key] != nil, "\(place).\(key)")
            }
            if let described = schema["properties"]?.values, schema["additionalProperties"] == nil {
                #expect(values.keys.filter { described[$0] == nil }.isEmpty, "\(place) is described whole")
            }
            for (key, part) in values {
                if let inner = schema["properties"]?[key] ?? schema["additionalProperties"] {
                    try check(part, inner, document, "\(place).\(key)")
                }
            }
        }
        if let items = schema["items"] {
            for (index, part) in value.list.enumerated() { try check(part, items, document, "\(place)[\(index)]") }
        }
    }

    private func isOf(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("null", .null): true
        case ("number", .number): true
        case ("integer", .number(let number)): number == number.rounded()
        default: false
        }
    }
}
