#if os(Linux)
    import CDBus

    /// A value in a D-Bus message.
    indirect enum DBusValue: Hashable, Sendable {
        case bool(Bool)
        case int32(Int32)
        case int64(Int64)
        case double(Double)
        case string(String)
        case path(String)
        case strings([String])
        case paths([String])
        case dictionary([String: DBusValue])
        case dictionaries([[String: DBusValue]])
        /// A value whose type goes with it.
        case variant(DBusValue)

        /// The value's type, as D-Bus writes it.
        var signature: String {
            switch self {
            case .bool: "b"
            case .int32: "i"
            case .int64: "x"
            case .double: "d"
            case .string: "s"
            case .path: "o"
            case .strings: "as"
            case .paths: "ao"
            case .dictionary: "a{sv}"
            case .dictionaries: "aa{sv}"
            case .variant: "v"
            }
        }

        /// Appends the value to a message.
        func append(to iterator: inout DBusMessageIter) {
            switch self {
            case .bool(let value):
                var number: UInt32 = value ? 1 : 0
                dbus_message_iter_append_basic(&iterator, DBusType.bool, &number)
            case .int32(var value): dbus_message_iter_append_basic(&iterator, DBusType.int32, &value)
            case .int64(var value): dbus_message_iter_append_basic(&iterator, DBusType.int64, &value)
            case .double(var value): dbus_message_iter_append_basic(&iterator, DBusType.double, &value)
            case .string(let text): DBusValue.append(text, DBusType.string, to: &iterator)
            case .path(let text): DBusValue.append(text, DBusType.path, to: &iterator)
            case .strings(let texts):
                DBusValue.within(DBusType.array, "s", &iterator) { inner in
                    for text in texts { DBusValue.append(text, DBusType.string, to: &inner) }
                }
            case .paths(let paths):
                DBusValue.within(DBusType.array, "o", &iterator) { inner in
                    for path in paths { DBusValue.append(path, DBusType.path, to: &inner) }
                }
            case .dictionary(let values):
                DBusValue.within(DBusType.array, "{sv}", &iterator) { DBusValue.append(values, to: &$0) }
            case .dictionaries(let dictionaries):
                DBusValue.within(DBusType.array, "a{sv}", &iterator) { inner in
                    for values in dictionaries { DBusValue.dictionary(values).append(to: &inner) }
                }
            case .variant(let value):
                DBusValue.within(DBusType.variant, value.signature, &iterator) { value.append(to: &$0) }
            }
        }

        private static func append(_ values: [String: DBusValue], to iterator: inout DBusMessageIter) {
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                within(DBusType.entry, nil, &iterator) { entry in
                    append(key, DBusType.string, to: &entry)
                    DBusValue.variant(value).append(to: &entry)
                }
            }
        }

        private static func append(_ text: String, _ type: Int32, to iterator: inout DBusMessageIter) {
            text.withCString { pointer in
                var pointer: UnsafePointer<CChar>? = pointer
                dbus_message_iter_append_basic(&iterator, type, &pointer)
            }
        }

        private static func within(
            _ type: Int32, _ signature: String?, _ iterator: inout DBusMessageIter,
            _ body: (inout DBusMessageIter) -> Void
        ) {
            var inner = DBusMessageIter()
            dbus_message_iter_open_container(&iterator, type, signature, &inner)
            body(&inner)
            dbus_message_iter_close_container(&iterator, &inner)
        }

        /// Reads the value at an iterator; `nil` for kinds that no player is sent.
        static func read(_ iterator: inout DBusMessageIter) -> DBusValue? {
            switch dbus_message_iter_get_arg_type(&iterator) {
            case DBusType.bool:
                var value: UInt32 = 0
                dbus_message_iter_get_basic(&iterator, &value)
                return .bool(value != 0)
            case DBusType.int32:
                var value: Int32 = 0
                dbus_message_iter_get_basic(&iterator, &value)
                return .int32(value)
            case DBusType.int64:
                var value: Int64 = 0
                dbus_message_iter_get_basic(&iterator, &value)
                return .int64(value)
            case DBusType.double:
                var value = 0.0
                dbus_message_iter_get_basic(&iterator, &value)
                return .double(value)
            case DBusType.string: return text(&iterator).map { .string($0) }
            case DBusType.path: return text(&iterator).map { .path($0) }
            case DBusType.variant:
                var inner = DBusMessageIter()
                dbus_message_iter_recurse(&iterator, &inner)
                return read(&inner).map { .variant($0) }
            case DBusType.array: return paths(&iterator).map { .paths($0) }
            default: return nil
            }
        }

        private static func text(_ iterator: inout DBusMessageIter) -> String? {
            var pointer: UnsafePointer<CChar>?
            dbus_message_iter_get_basic(&iterator, &pointer)
            return pointer.map { String(cString: $0) }
        }

        private static func paths(_ iterator: inout DBusMessageIter) -> [String]? {
            guard dbus_message_iter_get_element_type(&iterator) == DBusType.path else { return nil }
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &inner)
            var paths: [String] = []
            while case .path(let path)? = read(&inner) {
                paths.append(path)
                dbus_message_iter_next(&inner)
            }
            return paths
        }
    }

    /// The letters by which D-Bus names types; in C they are macros that Swift cannot import.
    enum DBusType {
        static let bool = Int32(UInt8(ascii: "b"))
        static let int32 = Int32(UInt8(ascii: "i"))
        static let int64 = Int32(UInt8(ascii: "x"))
        static let double = Int32(UInt8(ascii: "d"))
        static let string = Int32(UInt8(ascii: "s"))
        static let path = Int32(UInt8(ascii: "o"))
        static let array = Int32(UInt8(ascii: "a"))
        static let variant = Int32(UInt8(ascii: "v"))
        static let entry = Int32(UInt8(ascii: "e"))
    }
#endif
