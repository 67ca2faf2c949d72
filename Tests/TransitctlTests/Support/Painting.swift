import Testing

@testable import transitctl

/// A view's text on a terminal of the given width, without colour; the notices follow after a line of dashes.
func paint<Result>(_ view: View<Result>, _ result: Result, width: Int? = 80, color: Bool = false) -> String {
    let painter = Painter(canvas: Canvas(width: width, color: color))
    var text = painter.paint(view.page(result))
    for notice in view.notices(result) {
        var page = Page()
        page.line(notice)
        text += "-- " + painter.paint(page)
    }
    return text
}
