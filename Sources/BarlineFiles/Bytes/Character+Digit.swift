extension Character {
    /// Whether it is one of 0 … 9; other scripts' digits are no number to `Int64`.
    var isASCIIDigit: Bool { isASCII && isNumber }
}
