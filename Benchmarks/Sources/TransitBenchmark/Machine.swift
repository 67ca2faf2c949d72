import Glibc

/// A description of the machine, without its name.
enum Machine {
    static func describe() -> String {
        var kernel = utsname()
        uname(&kernel)
        let release = withUnsafePointer(to: &kernel.release) {
            $0.withMemoryRebound(to: CChar.self, capacity: 65) { String(cString: $0) }
        }
        let memory = number(after: "MemTotal:", in: Files.text("/proc/meminfo")) ?? 0
        let system = value(of: "PRETTY_NAME", in: Files.text("/etc/os-release"))
        return "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores of \(processor()), "
            + "\((memory + 524_288) / 1_048_576) GiB of memory, Linux \(release), \(system), \(swift)"
    }

    /// The load average of the last minute.
    static var load: Double {
        var loads = [0.0]
        return getloadavg(&loads, 1) == 1 ? loads[0] : 0
    }

    private static func processor() -> String {
        for line in Files.text("/proc/cpuinfo").split(separator: "\n") where line.hasPrefix("model name") {
            return String(line.split(separator: ":").last!.drop { $0 == " " })
        }
        return "an unknown processor"
    }

    private static var swift: String {
        #if compiler(>=6.3)
            "Swift 6.3"
        #else
            "Swift before 6.3"
        #endif
    }

    /// Returns the number after a label such as `VmRSS:`.
    static func number(after label: String, in text: String) -> Int? {
        for line in text.split(separator: "\n") where line.hasPrefix(label) {
            return Int(line.dropFirst(label.count).drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber })
        }
        return nil
    }

    private static func value(of key: String, in text: String) -> String {
        for line in text.split(separator: "\n") where line.hasPrefix(key + "=") {
            return line.dropFirst(key.count + 1).filter { $0 != "\"" }
        }
        return "an unknown system"
    }
}
