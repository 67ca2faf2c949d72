import TransitFeeds
import TransitModel

/// A synthetic city of any size with the APIs of both operators. Responses are computed from the properties below.
struct GeneratedHongKong {
    /// The number of KMB's routes, each with two directions.
    var kmbRoutes = 685
    var kmbStops = 6_800
    /// The number of Citybus's routes, each with two directions except every ``oneWayEvery``-th.
    var citybusRoutes = 400
    var citybusStops = 2_700
    var oneWayEvery = Int.max
    var callsPerVariant = 24

    /// 2,170 variants and 9,500 stops.
    static let whole = GeneratedHongKong()
    static let small = GeneratedHongKong(
        kmbRoutes: 6, kmbStops: 30, citybusRoutes: 5, citybusStops: 20, oneWayEvery: 5, callsPerVariant: 6)

    static let host = "http://127.0.0.1:9"
    static let provider = HongKongProvider(ProviderOptions(base: host))

    /// Returns the response body for a URL; `nil` for an unexpected one.
    func response(_ url: String) -> [UInt8]? {
        guard url.hasPrefix(Self.host) else { return nil }
        let parts = url.dropFirst(Self.host.count).split(separator: "/").map(String.init)
        switch (parts.dropFirst(2).first, parts.dropFirst(3).first, parts.count) {
        case ("kmb", "route", 4): return envelope("RouteList", kmbRouteRows)
        case ("kmb", "stop", 4): return envelope("StopList", (0..<kmbStops).map(kmbStopRow))
        case ("kmb", "route-stop", 4): return envelope("RouteStopList", kmbCallRows)
        case ("citybus", "route", 5): return envelope("RouteList", (0..<citybusRoutes).map(citybusRouteRow))
        case ("citybus", "route-stop", 7):
            return Int(parts[5]).map { envelope("RouteStop", citybusCallRows($0 - 1000, parts[6])) }
        case ("citybus", "stop", 5): return Int(parts[4]).map { citybusStop($0 - 1) }
        default: return nil
        }
    }

    private func envelope(_ type: String, _ rows: [String]) -> [UInt8] {
        let head = #"{"type":"\#(type)","version":"1.0","generated_timestamp":"2026-03-28T05:00:00+08:00","data":["#
        return Array((head + rows.joined(separator: ",") + "]}").utf8)
    }

    // MARK: KMB

    private var kmbRouteRows: [String] {
        (0..<kmbRoutes).flatMap { route in
            ["O", "I"].map { bound in
                let (from, to) = bound == "O" ? ("A", "B") : ("B", "A")
                return #"{"route":"\#(route + 1)","bound":"\#(bound)","service_type":"1","#
                    + #""orig_en":"END \#(from)\#(route)","orig_tc":"頭\#(from)\#(route)","orig_sc":"头\#(from)\#(route)","#
                    + #""dest_en":"END \#(to)\#(route)","dest_tc":"尾\#(to)\#(route)","dest_sc":"尾\#(to)\#(route)"}"#
            }
        }
    }

    private func kmbStopRow(_ stop: Int) -> String {
        let id = String(stop + 1, radix: 16, uppercase: true)
        let name = String(repeating: "0", count: 16 - id.count) + id
        return #"{"stop":"\#(name)","name_en":"STOP \#(stop) (YT\#(100 + stop % 900))","#
            + #""name_tc":"站\#(stop) (YT\#(100 + stop % 900))","name_sc":"站\#(stop) (YT\#(100 + stop % 900))","#
            + #""lat":"\#(22.25 + Double(stop % 200) / 1000)","long":"\#(114.0 + Double(stop / 200) / 500)"}"#
    }

    private func kmbStopID(_ stop: Int) -> String {
        let id = String(stop % kmbStops + 1, radix: 16, uppercase: true)
        return String(repeating: "0", count: 16 - id.count) + id
    }

    private var kmbCallRows: [String] {
        (0..<kmbRoutes).flatMap { route in
            ["O", "I"].flatMap { bound in
                (1...callsPerVariant).map { sequence in
                    let stop = route * 11 + (bound == "O" ? sequence : callsPerVariant - sequence + 1)
                    return #"{"route":"\#(route + 1)","bound":"\#(bound)","service_type":"1","seq":"\#(sequence)","#
                        + #""stop":"\#(kmbStopID(stop))"}"#
                }
            }
        }
    }

    // MARK: Citybus

    private func citybusRouteRow(_ route: Int) -> String {
        #"{"co":"CTB","route":"\#(1000 + route)","orig_en":"Pier \#(route)","orig_tc":"碼頭\#(route)","#
            + #""orig_sc":"码头\#(route)","dest_en":"Hill \#(route)","dest_tc":"山\#(route)","dest_sc":"山\#(route)","#
            + #""data_timestamp":"2026-03-28T05:00:02+08:00"}"#
    }

    private func citybusCallRows(_ route: Int, _ word: String) -> [String] {
        guard (0..<citybusRoutes).contains(route), word == "outbound" || (route + 1) % oneWayEvery != 0 else {
            return []
        }
        return (1...callsPerVariant).map { sequence in
            let stop = (route * 7 + (word == "outbound" ? sequence : callsPerVariant - sequence + 1)) % citybusStops
            return #"{"co":"CTB","route":"\#(1000 + route)","dir":"\#(word == "outbound" ? "O" : "I")","#
                + #""seq":\#(sequence),"stop":"\#(citybusStopID(stop))","data_timestamp":"2026-03-28T05:00:02+08:00"}"#
        }
    }

    private func citybusStopID(_ stop: Int) -> String {
        let id = String(stop + 1)
        return String(repeating: "0", count: 6 - id.count) + id
    }

    private func citybusStop(_ stop: Int) -> [UInt8] {
        let row =
            #"{"stop":"\#(citybusStopID(stop))","name_en":"Street \#(stop)","name_tc":"街\#(stop)","#
            + #""name_sc":"街\#(stop)","lat":"22.\#(250_000_000_123 + stop * 10_000_000)","#
            + #""long":"114.\#(150_000_000_321 + stop * 10_000_000)","data_timestamp":"2026-03-28T05:00:02+08:00"}"#
        let data = (0..<citybusStops).contains(stop) ? row : "{}"
        return Array(
            #"{"type":"Stop","version":"2.0","generated_timestamp":"2026-03-28T05:00:00+08:00","data":\#(data)}"#.utf8)
    }
}
