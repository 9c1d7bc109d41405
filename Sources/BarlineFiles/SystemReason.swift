import Foundation

/// Why a call of Foundation's failed, in the system's words ("No space left on device"): its own name what was tried, or the
/// domain and the number of an error.
package func systemReason(of error: any Error) -> String {
    var cause = error as NSError
    while let underlying = cause.userInfo[NSUnderlyingErrorKey] as? any Error { cause = underlying as NSError }
    guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(cause.code)))
}
