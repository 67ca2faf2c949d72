"""What differs between two recordings of one program, and how it is masked. Nothing else is changed in a reply."""

import re

NUMBER = rb"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
FRACTION = rb"[0-9]+(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE]-[0-9]+)"
TIME = rb'(?:"[^"]*"|null)'

# The member, the form of its value, the method whose replies are masked (`None` for all), and why it differs. The value
# becomes "MASKED".
MEMBERS = [
    ("pid", NUMBER, None, "The process of the daemon or of the client."),
    ("uid", NUMBER, None, "The user who records."),
    ("gid", NUMBER, None, "The group of the user who records."),
    ("uptime", NUMBER, None, "Seconds of real time since the daemon started."),
    ("memory", NUMBER, None, "The memory of the process."),
    # The seconds of a window of a budget are whole and stay.
    ("seconds", FRACTION, None, "The duration of an import."),
    ("latency", NUMBER, None, "The duration of a fetch."),
    ("free", NUMBER, None, "The free space of the disk."),
    ("state", NUMBER, None, "The size of the state file and of its journal."),
    # The jitter of the refresh engine comes from the machine, the folder of the state and the time since boot.
    ("next_due", TIME, None, "The time of the next fetch has random jitter."),
    ("next_attempt", TIME, None, "The time of the next import has random jitter."),
    # The ledger counts milliseconds, which pass while the clock stands at a second.
    ("ends", TIME, "budget", "The end of a window of a budget is rounded to a second."),
]

# Parts of texts that differ, what replaces them, and why.
TEXTS = [
    (rb"[0-9]+ [MG]iB (?:are|is) free", b"MASKED free", "The free space of the disk in `doctor`."),
    (rb"`kill [0-9]+`", b"`kill MASKED`", "The process of a client whose subscription was refused."),
    (rb"127\.0\.0\.1:[0-9]{4,5}", b"UPSTREAM", "The port of the upstream server of the recording."),
]

_MEMBERS = [
    (re.compile(b'"%s":%s' % (name.encode(), form)), b'"%s":"MASKED"' % name.encode(), method)
    for name, form, method, _ in MEMBERS
]
_TEXTS = [(re.compile(pattern), replacement) for pattern, replacement, _ in TEXTS]


def masked(text, method, folder):
    """Returns the bytes of a request or reply without what differs between recordings.

    `folder` is the recording's folder.
    """
    text = text.replace(folder.encode(), b"FOLDER")
    for pattern, replacement, only in _MEMBERS:
        if only in (None, method):
            text = pattern.sub(replacement, text)
    for pattern, replacement in _TEXTS:
        text = pattern.sub(replacement, text)
    return text
