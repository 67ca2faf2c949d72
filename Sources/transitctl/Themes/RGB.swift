internal import Glibc

/// A color in the sRGB color space, with eight bits per channel.
struct RGB: Hashable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    static let black = RGB(0x000000)
    static let white = RGB(0xFFFFFF)

    /// Creates a color from a number such as 0xE31837. Bits above the lowest 24 are ignored.
    init(_ number: UInt32) {
        red = UInt8(truncatingIfNeeded: number >> 16)
        green = UInt8(truncatingIfNeeded: number >> 8)
        blue = UInt8(truncatingIfNeeded: number)
    }

    /// Parses six hexadecimal digits, as in `route_color` of routes.txt. Returns `nil` for all other text.
    init?(hex: String) {
        guard hex.utf8.count == 6, hex.allSatisfy(\.isHexDigit), let number = UInt32(hex, radix: 16) else { return nil }
        self.init(number)
    }

    /// The color such as "#E31837".
    var hex: String {
        "#"
            + [red, green, blue].map {
                let digits = String($0, radix: 16, uppercase: true)
                return digits.utf8.count == 1 ? "0" + digits : digits
            }.joined()
    }

    /// The relative luminance, from 0 for black to 1 for white (WCAG 2.2, *relative luminance*).
    var luminance: Double { 0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue) }

    private static func linear(_ channel: UInt8) -> Double {
        let value = Double(channel) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// Returns the contrast ratio of two colors, from 1 to 21 (WCAG 2.2, *contrast ratio*).
    func contrast(with other: RGB) -> Double {
        let (first, second) = (luminance, other.luminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    /// Returns a mixture in which `share` of the result, from 0 to 1, is the other color.
    func mixed(with other: RGB, share: Double) -> RGB {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) + (Double(two) - Double(one)) * share).rounded())
        }
        var mixture = self
        mixture.red = mix(red, other.red)
        mixture.green = mix(green, other.green)
        mixture.blue = mix(blue, other.blue)
        return mixture
    }
}

extension RGB: ExpressibleByIntegerLiteral {
    init(integerLiteral value: UInt32) { self.init(value) }
}

/// The fixed colors 16 to 255 of terminals with 256 colors: a cube of 6 x 6 x 6 colors and 24 grays. Users change the
/// colors 0 to 15, which are therefore never used.
enum IndexedColor {
    /// Returns the brightness of a level of the cube, from 0 to 5.
    private static func brightness(_ level: Int) -> UInt32 { level == 0 ? 0 : UInt32(55 + 40 * level) }

    /// Returns the color with this index, from 16 to 255.
    static func color(_ index: Int) -> RGB {
        if index >= 232 {
            let gray = UInt32(8 + 10 * (index - 232))
            return RGB(gray << 16 | gray << 8 | gray)
        }
        let position = index - 16
        return RGB(
            brightness(position / 36) << 16 | brightness(position / 6 % 6) << 8 | brightness(position % 6))
    }

    /// Returns the index of the color with the smallest distance. Of a gray and a color of the cube with equal
    /// distances, the latter is chosen.
    static func nearest(to color: RGB) -> Int {
        // The nearest of the levels 0, 95, 135, 175, 215 and 255.
        func level(_ channel: UInt8) -> Int { channel < 48 ? 0 : channel < 115 ? 1 : (Int(channel) - 35) / 40 }
        let cube = 16 + 36 * level(color.red) + 6 * level(color.green) + level(color.blue)
        let average = (Int(color.red) + Int(color.green) + Int(color.blue)) / 3
        let gray = 232 + min(23, max(0, (average - 3) / 10))
        return distance(color, Self.color(cube)) <= distance(color, Self.color(gray)) ? cube : gray
    }

    private static func distance(_ one: RGB, _ two: RGB) -> Int {
        let red = Int(one.red) - Int(two.red)
        let green = Int(one.green) - Int(two.green)
        let blue = Int(one.blue) - Int(two.blue)
        return red * red + green * green + blue * blue
    }
}
