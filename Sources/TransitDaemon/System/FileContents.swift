internal import Glibc

/// Reads a small file at once.
enum FileContents {
    /// Why a file could not be read, as the system says it.
    struct Failure: Error, Hashable, CustomStringConvertible {
        var description: String
    }

    /// - Parameter limit: In bytes; a larger file is a failure.
    static func read(_ path: String, limit: Int) -> Result<[UInt8], Failure> {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return .failure(Failure(description: SystemError.text(errno))) }
        defer { close(file) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return .failure(Failure(description: SystemError.text(errno))) }
            if count == 0 { return .success(contents) }
            contents.append(contentsOf: buffer[..<count])
            guard contents.count <= limit else {
                return .failure(Failure(description: "it has more than \(limit) bytes"))
            }
        }
    }

    /// Why a file cannot be read now, without reading it; `nil` when it can.
    static func unreadable(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else { return SystemError.text(errno) }
        return status.st_mode & S_IFMT == S_IFREG ? nil : "it is no file"
    }
}

/// The system's error numbers in words.
enum SystemError {
    /// "No such file or directory".
    static func text(_ number: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(number, &buffer, buffer.count) == 0 else { return "error \(number)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
