import Foundation
import Glibc
import Testing

@testable import NotificationAgent

@Suite struct HookFoldersTests {
    private let folder: TemporaryFolder
    private let folders: HookFolders

    init() throws {
        folder = try TemporaryFolder()
        folders = HookFolders(
            configurationFolders: [folder.path + "/user", folder.path + "/machine"], user: geteuid())
    }

    private func hooks(_ rule: String = "leave") -> [String] {
        folders.plan(for: rule).hooks.map { String($0.path.dropFirst(folder.path.count + 1)) }
    }

    @Test func foldersFollowTheEnvironment() {
        let home = ["HOME": "/home/anna"]
        #expect(
            HookFolders({ home[$0] }, user: 1).configurationFolders
                == ["/home/anna/.config/transitd", "/etc/transitd"])
        let other = ["HOME": "/home/anna", "XDG_CONFIG_HOME": "/c"]
        #expect(HookFolders({ other[$0] }, user: 1).configurationFolders == ["/c/transitd", "/etc/transitd"])
        let relative = ["XDG_CONFIG_HOME": "c"]
        #expect(HookFolders({ relative[$0] }, user: 1).configurationFolders == ["/etc/transitd"])
        #expect(
            HookFolders({ relative[$0] }, user: 1, executable: "/usr/local/bin/transitctl").configurationFolders
                == ["/etc/transitd", "/usr/local/lib/transitd"])
    }

    /// The administrator replaces or disables a hook of the installation by its name.
    @Test func machineReplacesHookOfInstallation() throws {
        let all = HookFolders(
            configurationFolders: ["user", "machine", "vendor"].map { folder.path + "/" + $0 }, user: geteuid())
        for name in ["notify-send", "ntfy", "log"] { try folder.script("vendor/hooks.d/" + name, "true") }
        try folder.script("machine/hooks.d/ntfy", "true")
        try folder.link("machine/hooks.d/notify-send", to: "/dev/null")
        let hooks = all.plan(for: "leave").hooks.map { String($0.path.dropFirst(folder.path.count + 1)) }
        #expect(hooks == ["vendor/hooks.d/log", "machine/hooks.d/ntfy"])
        try folder.link("user/hooks.d/log", to: "/dev/null")
        #expect(all.plan(for: "leave").hooks.count == 1 && all.plan(for: "leave").refusals.isEmpty)
    }

    @Test func missingFoldersHaveNoHooks() { #expect(folders.plan(for: "leave") == HookPlan(hooks: [])) }

    @Test func hooksForEveryEventAndForTheRuleAreSorted() throws {
        try folder.script("machine/hooks.d/b", "true")
        try folder.script("user/hooks.d/c", "true")
        try folder.script("user/hooks.d/a", "true")
        try folder.script("user/hooks.d/leave/a", "true")
        try folder.script("user/hooks.d/delay/z", "true")
        #expect(hooks() == ["user/hooks.d/a", "machine/hooks.d/b", "user/hooks.d/c", "user/hooks.d/leave/a"])
        #expect(hooks("delay").last == "user/hooks.d/delay/z")
    }

    @Test func userReplacesAndDisablesHooksOfTheMachine() throws {
        for name in ["notify-send", "ntfy", "log"] { try folder.script("machine/hooks.d/" + name, "true") }
        try folder.script("user/hooks.d/ntfy", "true")
        try folder.link("user/hooks.d/notify-send", to: "/dev/null")
        // A hook for a rule is another one.
        try folder.script("user/hooks.d/leave/log", "true")
        #expect(hooks() == ["machine/hooks.d/log", "user/hooks.d/ntfy", "user/hooks.d/leave/log"])
        let listing = HookListing(folders: folders).lines()
        #expect(listing.isFine)
        #expect(
            listing.lines.map { $0.replacing(folder.path, with: "") } == [
                "For every event:",
                "  runs     /machine/hooks.d/log",
                "  disabled /user/hooks.d/notify-send",
                "  masked   /machine/hooks.d/notify-send: /user/hooks.d/notify-send replaces it",
                "  runs     /user/hooks.d/ntfy",
                "  masked   /machine/hooks.d/ntfy: /user/hooks.d/ntfy replaces it",
                "For events of the rule leave:",
                "  runs     /user/hooks.d/leave/log",
            ])
    }

    @Test func hookThatIsNotTrustedReplacesToo() throws {
        try folder.script("machine/hooks.d/log", "true")
        let path = try folder.script("user/hooks.d/log", "true", mode: 0o777)
        let plan = folders.plan(for: "leave")
        #expect(plan.hooks.isEmpty)
        #expect(
            plan.refusals == [HookPlan.Refusal(hook: Hook(path: path), reason: .writableByOthers(path))])
        #expect(!HookListing(folders: folders).lines().isFine)
    }

    @Test func folderThatOthersCanWriteIsNotUsed() throws {
        try folder.script("machine/hooks.d/log", "true")
        try folder.script("user/hooks.d/log", "true")
        let path = try folder.folder("user/hooks.d", mode: 0o777)
        #expect(hooks() == ["machine/hooks.d/log"])
        #expect(folders.plan(for: "leave").refusals.map(\.reason) == [.writableByOthers(path)])
    }

    @Test func configurationFolderMayBeALink() throws {
        try folder.script("dotfiles/hooks.d/log", "true")
        try folder.link("user", to: "dotfiles")
        #expect(hooks() == ["user/hooks.d/log"])
    }

    @Test(arguments: ["log~", ".log", "log.bak", "log.dpkg-old", "log.rpmsave", "lo g", "log\n", "lög"])
    func filesOfEditorsAndPackageManagersAreIgnored(name: String) throws {
        try folder.script("user/hooks.d/" + name, "true", mode: 0o777)
        #expect(folders.plan(for: "leave") == HookPlan(hooks: []))
        #expect(HookListing(folders: folders).lines().lines.contains { $0.hasPrefix("  ignored") })
    }

    @Test(arguments: ["log", "10-log.sh", "log_2", "a+b", "C.py"])
    func usualNamesAreHooks(name: String) { #expect(HookFolders.reasonToIgnore(name) == nil) }

    @Test func folderWithManyFilesIsLimited() throws {
        for number in 100..<180 { try folder.script("user/hooks.d/h\(number)", "true") }
        #expect(hooks().count == HookFolders.maximumCount)
    }

    @Test func listingNamesTheFoldersIfThereIsNoHook() {
        let listing = HookListing(folders: folders).lines()
        #expect(listing.isFine)
        #expect(
            listing.lines == [
                "No hook is installed in \(folder.path)/user/hooks.d or \(folder.path)/machine/hooks.d."
            ])
    }

    @Test func controlCharactersOfNamesAreNotPrinted() throws {
        try folder.script("user/hooks.d/a\u{1B}[2Jb", "true")
        #expect(HookListing(folders: folders).lines().lines.allSatisfy { !$0.contains("\u{1B}") })
    }
}
