import Foundation
import Glibc
import Testing

@testable import NotificationAgent

/// A user who is neither root nor the user of the test.
private let stranger: uid_t = 54_321

@Suite struct HookTrustTests {
    private let folder: TemporaryFolder
    private let user = geteuid()

    init() throws { folder = try TemporaryFolder() }

    private func distrust(_ path: String, user: uid_t? = nil) -> Distrust? {
        do throws(Distrust) {
            _ = try HookTrust.file(path, user: user ?? self.user)
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        (0o100755 as mode_t, stranger, nil), (0o100755, 0, nil), (0o100700, stranger, nil),
        (0o100755, 7, Distrust.foreignOwner("/x", uid: 7)), (0o100775, stranger, .writableByGroup("/x")),
        (0o100757, 0, .writableByOthers("/x")), (0o100777, stranger, .writableByOthers("/x")),
        (0o041777, 0, .writableByOthers("/x")), (0o120777, stranger, nil),
        (0o120777, 7, .foreignOwner("/x", uid: 7)),
    ])
    func ownerAndModeDecide(mode: mode_t, owner: uid_t, expected: Distrust?) {
        var found: Distrust?
        do throws(Distrust) {
            try HookTrust.check(HookTrust.Facts(owner: owner, mode: mode), "/x", user: stranger)
        } catch { found = error }
        #expect(found == expected)
    }

    @Test func folderWithStickyBitIsTrustedAboveAHook() throws {
        try HookTrust.check(HookTrust.Facts(owner: 0, mode: 0o041777), "/tmp", user: stranger, isSticky: true)
        #expect(throws: Distrust.writableByOthers("/tmp")) {
            try HookTrust.check(HookTrust.Facts(owner: 0, mode: 0o040777), "/tmp", user: stranger, isSticky: true)
        }
    }

    @Test func ownScriptIsTrusted() throws {
        let path = try folder.script("hooks.d/log", "true")
        #expect(try HookTrust.file(path, user: user) == path)
        #expect(try HookTrust.file(folder.path + "/./hooks.d/../hooks.d//log", user: user) == path)
    }

    @Test func fileThatOthersCanWriteIsRefused() throws {
        let path = try folder.script("hooks.d/log", "true", mode: 0o757)
        #expect(distrust(path) == .writableByOthers(path))
    }

    @Test func fileThatItsGroupCanWriteIsRefused() throws {
        let path = try folder.script("hooks.d/log", "true", mode: 0o775)
        #expect(distrust(path) == .writableByGroup(path))
    }

    @Test func fileThatIsNotExecutableIsRefused() throws {
        let path = try folder.script("hooks.d/log", "true", mode: 0o644)
        #expect(distrust(path) == .notExecutable(path))
    }

    @Test func folderThatOthersCanWriteIsRefused() throws {
        let path = try folder.script("open/log", "true")
        // The sticky bit protects the files of others, but anyone could add a hook.
        try folder.folder("open", mode: 0o1777)
        #expect(distrust(path) == .writableByOthers(folder.path + "/open"))
    }

    @Test func folderAboveThatOthersCanWriteIsRefused() throws {
        let path = try folder.script("open/inner/log", "true")
        try folder.folder("open", mode: 0o777)
        #expect(distrust(path) == .writableByOthers(folder.path + "/open"))
        try folder.folder("open", mode: 0o1777)
        #expect(distrust(path) == nil)
    }

    @Test func missingFileIsReported() throws {
        #expect(distrust(folder.path + "/absent") == .missing(folder.path + "/absent"))
    }

    @Test func linkToATrustedFileIsTrusted() throws {
        let target = try folder.script("share/log", "true")
        let link = try folder.link("hooks.d/log", to: "../share/log")
        #expect(try HookTrust.file(link, user: user) == target)
    }

    @Test func linkThroughALinkedFolderIsChecked() throws {
        let target = try folder.script("real/log", "true")
        try folder.link("alias", to: folder.path + "/real")
        let link = try folder.link("hooks.d/log", to: folder.path + "/alias/log")
        #expect(try HookTrust.file(link, user: user) == target)
        try folder.folder("real", mode: 0o775)
        #expect(distrust(link) == .writableByGroup(folder.path + "/real"))
    }

    @Test func linkToAWritableTargetIsRefused() throws {
        let target = try folder.script("share/log", "true", mode: 0o777)
        let link = try folder.link("hooks.d/log", to: target)
        #expect(distrust(link) == .writableByOthers(target))
    }

    @Test func linkToAFolderThatOthersCanWriteIsRefused() throws {
        let target = try folder.script("share/log", "true")
        try folder.folder("share", mode: 0o777)
        let link = try folder.link("hooks.d/log", to: target)
        #expect(distrust(link) == .writableByOthers(folder.path + "/share"))
    }

    @Test func linkToATargetOfAnotherUserIsRefused() throws {
        let target = try folder.script("share/log", "true")
        let link = try folder.link("hooks.d/log", to: target)
        if geteuid() == 0 {
            try #require(chown(target, stranger, stranger) == 0)
            #expect(distrust(link) == .foreignOwner(target, uid: stranger))
        } else {
            // The folder of the test then belongs to a stranger too.
            #expect(distrust(link, user: stranger) == .foreignOwner(folder.path, uid: geteuid()))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "Only root can give files away."))
    func linkOfAnotherUserIsRefused() throws {
        let target = try folder.script("share/log", "true")
        let link = try folder.link("hooks.d/log", to: target)
        try #require(lchown(link, stranger, stranger) == 0)
        #expect(distrust(link) == .foreignOwner(link, uid: stranger))
    }

    @Test func danglingLinkIsReported() throws {
        let link = try folder.link("hooks.d/log", to: "/absent/log")
        #expect(distrust(link) == .danglingLink(target: "/absent/log"))
    }

    @Test func linkToItselfIsReported() throws {
        let link = try folder.link("hooks.d/log", to: "log")
        #expect(distrust(link) == .tooManyLinks)
    }

    @Test func linkToNullDisablesAHook() throws {
        let link = try folder.link("hooks.d/log", to: "/dev/null")
        #expect(distrust(link) == .disabled)
    }

    @Test(arguments: ["/dev/zero", "/", "/tmp"])
    func otherKindsOfFilesAreRefused(target: String) throws {
        let link = try folder.link("hooks.d/log", to: target)
        #expect(distrust(link) == .notRegular)
    }

    @Test func fifoIsRefusedWithoutBlocking() throws {
        try folder.folder("hooks.d")
        let path = folder.path + "/hooks.d/log"
        try #require(mkfifo(path, 0o700) == 0)
        #expect(distrust(path) == .notRegular)
    }

    @Test func folderOfHooksIsChecked() throws {
        let path = try folder.folder("hooks.d")
        #expect(try HookTrust.folder(path, user: user) == path)
        try folder.folder("hooks.d", mode: 0o1777)
        #expect(throws: Distrust.writableByOthers(path)) { try HookTrust.folder(path, user: user) }
    }
}
