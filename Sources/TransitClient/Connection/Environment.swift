internal import Glibc
internal import TransitModel

/// Access to environment variables.
package enum Environment {
    /// The environment of this process, as `NAME=value`.
    package static var all: [String] {
        var entries: [String] = []
        var next = environ
        while let entry = next.pointee {
            entries.append(String(cString: entry))
            next += 1
        }
        return entries
    }

    package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The maximum length of a language tag in a request, in bytes.
    private static let maximumTagLength = 35

    /// Returns the user's language as an IETF BCP 47 code, such as "de-AT" for `de_AT.UTF-8`, or `nil` when none is set
    /// or the variable does not begin with a language code.
    ///
    /// The order of the variables follows POSIX.1-2017, section 8.2, *Internationalization Variables*.
    package static func language(_ variable: (String) -> String?) -> String? {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        guard let locale = names.lazy.compactMap(variable).first(where: { !$0.isEmpty }) else { return nil }
        let code = locale.prefix { $0 != "." && $0 != "@" }
        guard code != "C", code != "POSIX", !code.isEmpty else { return nil }
        let tag = String(code.map { $0 == "_" ? "-" : $0 })
        return tag.utf8.count <= maximumTagLength && LanguageTag.isWellFormed(tag) ? tag : nil
    }
}
