internal import Glibc

/// Variables of the environment.
enum Environment {
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// The language that the person reads, as an IETF BCP 47 code: "de-AT" of `de_AT.UTF-8`. `nil` when none is chosen.
    ///
    /// The order is that of POSIX.1-2017 section 8.2, *Internationalization Variables*.
    static func language(_ variable: (String) -> String?) -> String? {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        guard let locale = names.lazy.compactMap(variable).first(where: { !$0.isEmpty }) else { return nil }
        let code = locale.prefix { $0 != "." && $0 != "@" }
        guard code != "C", code != "POSIX", !code.isEmpty else { return nil }
        return String(code.map { $0 == "_" ? "-" : $0 }.prefix(35))
    }
}
