import Foundation

/// A certificate that vouches for itself, as files, made by OpenSSL.
package struct TestCertificate {
    /// The certificate, in PEM.
    package let certificate: String
    /// Its key, in PEM.
    package let key: String

    /// Makes one that is valid for two days.
    ///
    /// - Parameters:
    ///   - folder: where its files are written.
    ///   - name: the files' name without extension.
    ///   - names: what it is for, as OpenSSL has it.
    /// - Throws: ``Program/Failure`` where OpenSSL is not installed.
    package init(in folder: TemporaryFolder, name: String = "server", for names: String = "DNS:localhost,IP:127.0.0.1")
        throws
    {
        certificate = folder.path(name + ".pem")
        key = folder.path(name + ".key")
        try Program.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=Barline", "-addext", "subjectAltName=" + names, "-keyout", key, "-out", certificate,
            ])
    }
}
