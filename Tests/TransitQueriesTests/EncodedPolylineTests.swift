import Testing
import TransitModel

@testable import TransitQueries

struct EncodedPolylineTests {
    /// The first example is the one of Google's description of the format.
    @Test(
        "Polylines have Google's format",
        arguments: [
            ([(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)], "_p~iF~ps|U_ulLnnqC_mqNvxq`@"),
            ([(53.54, 9.98), (53.545, 9.99), (53.5531, 10.0061)], "_`xeI_f|{@g^o}@sq@scB"),
            ([(0.00001, 0), (-0.00001, 180), (0.00001, -180)], "A?B_gsia@C~ngtcA"), ([], ""),
        ] as [([(Double, Double)], String)])
    func polylineHasFormat(points: [(Double, Double)], text: String) {
        let path = points.compactMap { Coordinate(latitude: $0.0, longitude: $0.1) }
        #expect(path.count == points.count)
        #expect(EncodedPolyline.text(of: path) == text)
    }

    /// Rounding errors must not add up along a path.
    @Test("Each point of a long path is rounded by itself")
    func roundingErrorsDoNotAddUp() throws {
        let path = try (1...3_000).map { try #require(Coordinate(latitude: Double($0) * 0.000_014, longitude: 10)) }
        let last = try #require(path.last)
        var sum = 0
        var bytes = EncodedPolyline.text(of: path).utf8.map { Int($0) - 63 }[...]
        for number in 0..<2 * path.count {
            var (value, shift) = (0, 0)
            while let group = bytes.popFirst() {
                value |= (group & 0x1F) << shift
                shift += 5
                if group & 0x20 == 0 { break }
            }
            if number % 2 == 0 { sum += value & 1 == 0 ? value >> 1 : ~(value >> 1) }
        }
        #expect(bytes.isEmpty)
        #expect(abs(Double(sum) / 100_000 - last.latitude) <= 0.000_005_1)
    }
}
