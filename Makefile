# make demo     Build, and run requests against the embedded demo city. Needs no network and no key, and removes its files.
# make check    Build and run all tests.
# make build    Build release binaries in .build/dist, and print their sizes.
# make install  Install to $(DESTDIR)$(PREFIX). Builds first if there are no binaries.
# make install-mqtt  Install transitd-mqtt, which publishes to an MQTT broker for Home Assistant. Needs python3-paho-mqtt.
# make generate Write the code of the wire types (Sources/TransitControl/Generated) from their declarations.
# make lint     Run the static checks of .ci/run.
# make soak     Run the daemon under load with a fast clock for SOAK_SECONDS (default: 1200), and check its resource use.
# make boot     As root: install in a booted Debian container, and test both services and desktop notifications.
# make deb      Make a Debian package of the built programs in .build/deb. CATALOG=FILE adds a copy of the catalog of feeds.
# make deb-boot As root: install, upgrade, remove and purge the package in a booted Debian container.
#               BOOT_SUITE=trixie uses another release of Debian.
# make deb-check  Build the package in two folders from this commit, and compare the packages.
# make bench    Run the benchmarks in Benchmarks/.
# make simulate Run the refresh engine and the arrivals scheduler through 1,200 simulated days with faults.
#               SIMULATE='--seed 7' repeats one run; SIMULATE='--seed 200 --seeds 50' runs the seeds 200 to 249.
# make memory   Measure the daemon's peak memory during the import of each recorded archive.
# make sanitize Run the tests with AddressSanitizer and ThreadSanitizer. SANITIZE=thread runs one of them.
# make journeys-check  Compare journeys in ten real feeds with an exhaustive search; skips without ../shared/data/gtfs or
#               TRANSITD_SHARED_DATA. JOURNEYS='--seed 7 other/hart-2018' asks other questions about one feed.
# make fuzz-guided  Fuzz the readers with libFuzzer, guided by coverage: FUZZ_GUIDED='SECONDS [KIND]' (default: 60 each).
# make fuzz     Run all parsers of external input with mutated input. FUZZ='realtime --seed 7 --count 1' repeats one case.
.POSIX:
.PHONY: all build generate demo check lint bench simulate journeys-check fuzz fuzz-guided sanitize memory soak boot deb deb-boot deb-check \
    install install-mqtt uninstall dependencies clean recording

PREFIX = /usr/local
DESTDIR =
SWIFT = swift
# Arguments for all invocations of swift build, such as SWIFT_FLAGS='--jobs 1'.
SWIFT_FLAGS =

BINDIR = $(PREFIX)/bin
MANDIR = $(PREFIX)/share/man
# systemd searches /usr/local/lib and /usr/lib for units.
UNITDIR = $(PREFIX)/lib/systemd
SYSUSERSDIR = $(PREFIX)/lib/sysusers.d
# Programs that transitd-notify runs for all users, unless /etc or the home has a file of the same name.
HOOKDIR = $(PREFIX)/lib/transitd/hooks.d
# The Python modules of transitd-mqtt.
MQTTDIR = $(PREFIX)/share/transitd/mqtt
# Desktops find a program's name and icon, and list it in their settings, with these.
APPDIR = $(PREFIX)/share/applications
ICONDIR = $(PREFIX)/share/icons/hicolor
SYSCONFDIR = /etc
FORMER_HOOK = $(PREFIX)/libexec/transitd/hooks/notify-send
REMOVE_FORMER_HOOK = link=$(DESTDIR)$(SYSCONFDIR)/transitd/hooks.d/notify-send; \
	[ "$$(readlink "$$link")" != $(FORMER_HOOK) ] || rm -f "$$link"; \
	rm -f $(DESTDIR)$(FORMER_HOOK); \
	rmdir $(DESTDIR)$(PREFIX)/libexec/transitd/hooks $(DESTDIR)$(PREFIX)/libexec/transitd 2>/dev/null || true
DIST = .build/dist

all: build

dependencies:
	@scripts/install-dependencies build

# The daemon links the Swift runtime statically. The client is fully static, because start-up dominates its running time. It
# is also the agent, by the name of a link, and the hook for desktop notifications, so that there is one copy of the runtime.
# Nothing loads code into the daemon that could refer to its symbols, so it exports none: 2 MB less, and a faster start.
# A build ID would be a hash of the debugging information too, and so of the folder of the build.
build: dependencies
	$(SWIFT) build -c release --product transitd --static-swift-stdlib -Xlinker --no-export-dynamic -Xlinker --build-id=none \
	    $(SWIFT_FLAGS)
	$(SWIFT) build -c release --product transitctl --scratch-path .build/client -Xswiftc -static-executable \
	    -Xlinker --build-id=none $(SWIFT_FLAGS)
	@mkdir -p $(DIST)
	@scripts/strip .build/release/transitd $(DIST)/transitd
	@scripts/strip .build/client/release/transitctl $(DIST)/transitctl
	@ln -sf transitctl $(DIST)/transitd-notify
	@scripts/sizes $(DIST)

demo: build
	@scripts/demo $(DIST)

generate:
	$(SWIFT) run $(SWIFT_FLAGS) transit-wire-generator

check:
	@scripts/install-dependencies check
	$(SWIFT) build --build-tests $(SWIFT_FLAGS)
	@scripts/test $(SWIFT_FLAGS)
	@scripts/test-mqtt "$$($(SWIFT) build --show-bin-path $(SWIFT_FLAGS))"

lint:
	@scripts/install-dependencies check
	@scripts/lint

bench: build
	@Benchmarks/run

SIMULATE =

simulate:
	@scripts/install-dependencies check
	$(SWIFT) build -c release --product transit-simulate $(SWIFT_FLAGS)
	.build/release/transit-simulate $(SIMULATE)

# Arguments of transit-journeys-check: numbers of questions, and feeds.
JOURNEYS =

journeys-check:
	@scripts/install-dependencies check
	$(SWIFT) build -c release --product transit-journeys-check $(SWIFT_FLAGS)
	.build/release/transit-journeys-check $(JOURNEYS)

# Arguments of transit-fuzz. Without arguments, it runs all kinds of input at full length.
FUZZ =

fuzz:
	@scripts/install-dependencies check
	$(SWIFT) build -c release --product transit-fuzz $(SWIFT_FLAGS)
	.build/release/transit-fuzz --case-file .build/fuzz-case $(FUZZ) || { cat .build/fuzz-case; exit 1; }

# Arguments of scripts/fuzz-guided and scripts/sanitize.
FUZZ_GUIDED =
SANITIZE =

fuzz-guided:
	@scripts/install-dependencies check
	@scripts/fuzz-guided $(FUZZ_GUIDED)

sanitize:
	@scripts/install-dependencies check
	@scripts/sanitize $(SANITIZE)

memory: build
	@scripts/peak-memory $${TRANSITD_BINARIES:-$(DIST)}

soak: build
	@scripts/soak $${TRANSITD_BINARIES:-$(DIST)}

boot: build
	@scripts/install-dependencies check
	@scripts/boot $${TRANSITD_BINARIES:-$(DIST)}

recording: $(DIST)/transitd $(DIST)/transitctl
	@contrib/record-session $(DIST)

$(DIST)/transitd $(DIST)/transitctl:
	@$(MAKE) build

install: $(DIST)/transitd $(DIST)/transitctl
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(MANDIR)/man5 $(DESTDIR)$(MANDIR)/man7 \
	    $(DESTDIR)$(MANDIR)/man8 $(DESTDIR)$(UNITDIR)/system $(DESTDIR)$(UNITDIR)/user $(DESTDIR)$(SYSUSERSDIR) \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	install -m 755 $(DIST)/transitd $(DIST)/transitctl $(DESTDIR)$(BINDIR)
	ln -sf transitctl $(DESTDIR)$(BINDIR)/transitd-notify
	install -m 644 man/transitctl.1 man/transitd-notify.1 man/transitd-notify-send.1 $(DESTDIR)$(MANDIR)/man1
	install -m 644 man/transitd.toml.5 man/transitd-hooks.5 $(DESTDIR)$(MANDIR)/man5
	install -m 644 man/transitd-protocol.7 man/transitd-providers.7 $(DESTDIR)$(MANDIR)/man7
	install -m 644 man/transitd.8 $(DESTDIR)$(MANDIR)/man8
	# The pages name the files of this installation.
	cd $(DESTDIR)$(MANDIR) && \
	    sed -i 's|/usr/local/\(lib/transitd\|share/\)|$(PREFIX)/\1|g' man1/transitd-notify*.1 man5/transitd-hooks.5
	for scope in system user; do \
	    for unit in systemd/$$scope/*; do \
	        [ "$$unit" != systemd/user/transitd-mqtt.service ] || continue; \
	        sed 's|@BINDIR@|$(BINDIR)|g' "$$unit" > $(DESTDIR)$(UNITDIR)/$$scope/$${unit##*/} || exit 1; \
	    done; \
	done
	install -d $(DESTDIR)$(HOOKDIR) $(DESTDIR)$(SYSCONFDIR)/transitd/hooks.d $(DESTDIR)$(PREFIX)/share/transitd/hooks
	sed 's|@BINDIR@|$(BINDIR)|g' contrib/notify-send > $(DESTDIR)$(HOOKDIR)/notify-send.new
	chmod 755 $(DESTDIR)$(HOOKDIR)/notify-send.new
	mv $(DESTDIR)$(HOOKDIR)/notify-send.new $(DESTDIR)$(HOOKDIR)/notify-send
	install -m 755 contrib/hooks/ntfy contrib/hooks/webhook contrib/hooks/log $(DESTDIR)$(PREFIX)/share/transitd/hooks
	install -d $(DESTDIR)$(PREFIX)/share/transitd/bars
	install -m 644 contrib/bars/* $(DESTDIR)$(PREFIX)/share/transitd/bars
	# Earlier releases had the hook elsewhere, with a link to it.
	$(REMOVE_FORMER_HOOK)
	install -d $(DESTDIR)$(APPDIR) $(DESTDIR)$(ICONDIR)/scalable/apps
	install -m 644 contrib/transitd.desktop $(DESTDIR)$(APPDIR)
	install -m 644 contrib/transitd.svg $(DESTDIR)$(ICONDIR)/scalable/apps
	# GTK reads the folders instead of a cache that is older than the theme's folder.
	touch $(DESTDIR)$(ICONDIR)
	install -m 644 systemd/sysusers/transitd.conf $(DESTDIR)$(SYSUSERSDIR)/transitd.conf
	install -m 644 contrib/completions/transitctl.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/transitctl
	install -m 644 contrib/completions/_transitctl $(DESTDIR)$(PREFIX)/share/zsh/site-functions
	install -m 644 contrib/completions/transitctl.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	@[ -n "$(DESTDIR)" ] || printf '%s\n' 'To enable the service for the current user:' \
	    '  systemctl --user enable --now transitd.socket && transitctl setup' \
	    'To run hooks for notifications, as each user who wants them:' \
	    '  systemctl --user enable --now transitd-notify' \
	    'To enable the system service, as root:' \
	    '  systemd-sysusers && systemctl daemon-reload && systemctl enable --now transitd.socket'

# The modules are beside the program that the link refers to.
install-mqtt:
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MQTTDIR)/transitd_mqtt $(DESTDIR)$(MANDIR)/man1 $(DESTDIR)$(UNITDIR)/user
	install -m 755 contrib/mqtt/transitd-mqtt $(DESTDIR)$(MQTTDIR)
	install -m 644 contrib/mqtt/transitd_mqtt/*.py $(DESTDIR)$(MQTTDIR)/transitd_mqtt
	ln -sf ../share/transitd/mqtt/transitd-mqtt $(DESTDIR)$(BINDIR)/transitd-mqtt
	install -m 644 man/transitd-mqtt.1 $(DESTDIR)$(MANDIR)/man1
	sed 's|@BINDIR@|$(BINDIR)|g' systemd/user/transitd-mqtt.service > $(DESTDIR)$(UNITDIR)/user/transitd-mqtt.service
	@[ -n "$(DESTDIR)" ] || printf '%s\n' 'To publish to an MQTT broker, as each user who wants it:' \
	    '  systemctl --user daemon-reload && systemctl --user enable --now transitd-mqtt'

uninstall:
	rm -rf $(DESTDIR)$(MQTTDIR)
	rm -f $(DESTDIR)$(BINDIR)/transitd-mqtt $(DESTDIR)$(MANDIR)/man1/transitd-mqtt.1 \
	    $(DESTDIR)$(UNITDIR)/user/transitd-mqtt.service
	rm -f $(DESTDIR)$(BINDIR)/transitd $(DESTDIR)$(BINDIR)/transitctl $(DESTDIR)$(BINDIR)/transitd-notify \
	    $(DESTDIR)$(MANDIR)/man1/transitctl.1 $(DESTDIR)$(MANDIR)/man5/transitd.toml.5 \
	    $(DESTDIR)$(MANDIR)/man1/transitd-notify.1 $(DESTDIR)$(MANDIR)/man5/transitd-hooks.5 \
	    $(DESTDIR)$(MANDIR)/man7/transitd-protocol.7 $(DESTDIR)$(MANDIR)/man7/transitd-providers.7 \
	    $(DESTDIR)$(MANDIR)/man8/transitd.8 \
	    $(DESTDIR)$(UNITDIR)/system/transitd.service $(DESTDIR)$(UNITDIR)/system/transitd.socket \
	    $(DESTDIR)$(UNITDIR)/user/transitd.service $(DESTDIR)$(UNITDIR)/user/transitd.socket \
	    $(DESTDIR)$(UNITDIR)/user/transitd-notify.service $(DESTDIR)$(UNITDIR)/user/transitd-notify-session.service \
	    $(DESTDIR)$(SYSUSERSDIR)/transitd.conf \
	    $(DESTDIR)$(PREFIX)/share/bash-completion/completions/transitctl \
	    $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_transitctl \
	    $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/transitctl.fish \
	    $(DESTDIR)$(HOOKDIR)/notify-send $(DESTDIR)$(MANDIR)/man1/transitd-notify-send.1 \
	    $(DESTDIR)$(PREFIX)/share/transitd/hooks/ntfy $(DESTDIR)$(PREFIX)/share/transitd/hooks/webhook \
	    $(DESTDIR)$(PREFIX)/share/transitd/hooks/log \
	    $(DESTDIR)$(PREFIX)/share/transitd/bars/waybar.jsonc $(DESTDIR)$(PREFIX)/share/transitd/bars/waybar.css \
	    $(DESTDIR)$(PREFIX)/share/transitd/bars/i3blocks.conf $(DESTDIR)$(PREFIX)/share/transitd/bars/polybar.ini \
	    $(DESTDIR)$(PREFIX)/share/transitd/bars/tmux.conf \
	    $(DESTDIR)$(APPDIR)/transitd.desktop $(DESTDIR)$(ICONDIR)/scalable/apps/transitd.svg
	$(REMOVE_FORMER_HOOK)
	# Folders that have other files stay.
	rmdir $(DESTDIR)$(HOOKDIR) $(DESTDIR)$(PREFIX)/lib/transitd $(DESTDIR)$(PREFIX)/share/transitd/hooks \
	    $(DESTDIR)$(PREFIX)/share/transitd/bars $(DESTDIR)$(PREFIX)/share/transitd \
	    $(DESTDIR)$(SYSCONFDIR)/transitd/hooks.d 2>/dev/null || true

# A Debian package of the built programs, in .build/deb. With CATALOG=FILE, it has a copy of the catalog of feeds, which
# answers searches until the first download.
deb: $(DIST)/transitd $(DIST)/transitctl
	@scripts/install-dependencies package
	@scripts/deb "$(DIST)" "$(CATALOG)"

deb-boot: deb
	@scripts/install-dependencies check
	@scripts/deb-boot .build/deb/transitd_*.deb

# Builds the package in two folders from this commit, and compares the packages. It takes a quarter of an hour.
deb-check:
	@scripts/install-dependencies package
	@scripts/deb --check

clean:
	rm -rf .build
