import Testing

/// Outputs on a real JACK server. One test at a time: the server's name belongs to the process.
@Suite("JACK", .serialized)
struct JackTests {}
