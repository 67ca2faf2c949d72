"""Compares two recordings and prints the requests whose replies differ."""

import json
from collections import Counter

# The number of requests and of members of a reply that are printed, and the characters of a value.
SHOWN_REQUESTS, SHOWN_MEMBERS, SHOWN_CHARACTERS = 10, 8, 2000


def read(path):
    with open(path, "rb") as file:
        return file.read().splitlines()


def shortened(text, around=0):
    """Returns a text, or the part of it around a position."""
    if len(text) <= SHOWN_CHARACTERS:
        return text
    start = max(0, around - SHOWN_CHARACTERS // 2)
    end = start + SHOWN_CHARACTERS
    return "%s%s%s" % ("[...]" if start else "", text[start:end], "[...]" if end < len(text) else "")


def differences(left, right, path=""):
    """Yields the members that differ between two values: their path and both values."""
    if isinstance(left, dict) and isinstance(right, dict) and list(left) == list(right):
        for key, member in left.items():
            yield from differences(member, right[key], "%s.%s" % (path, key))
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, (one, other) in enumerate(zip(left, right)):
            yield from differences(one, other, "%s[%d]" % (path, index))
    elif left != right or isinstance(left, bool) != isinstance(right, bool):
        yield path or "reply", left, right


def show(number, left, right):
    """Prints a pair of lines that differ."""
    one, other = json.loads(left), json.loads(right)
    print("\nline %d: %s at %s: %s %s" % (
        number, one["feed"], one["at"], one["method"], json.dumps(one["parameters"], ensure_ascii=False)))
    asked = (one["method"], one["parameters"])
    if asked != (other["method"], other["parameters"]):
        print("  The second recording asks %s %s, because an earlier reply differs." % (
            other["method"], json.dumps(other["parameters"], ensure_ascii=False)))
        return
    found = list(differences(one["reply"], other["reply"]))
    for path, first, second in found[:SHOWN_MEMBERS]:
        print("  %s: %s, then %s" % (
            path, *(shortened(json.dumps(value, ensure_ascii=False)) for value in (first, second))))
    if len(found) > SHOWN_MEMBERS:
        print("  and %d other members" % (len(found) - SHOWN_MEMBERS))
    if not found:
        print("  The values are equal, but their text differs.")
    texts = [line.split(b'"reply": ', 1)[1][:-1].decode() for line in (left, right)]
    place = next((at for at, pair in enumerate(zip(*texts)) if pair[0] != pair[1]), 0)
    for name, text in zip(("first: ", "second:"), texts):
        print("  %s %s" % (name, shortened(text, place)))


def compare(first, second):
    """Prints the differences of two recordings. Returns whether they are equal."""
    left, right = read(first), read(second)
    if left[:1] != right[:1]:
        print("replies: The recordings were made with different versions of this script.")
    if left[1:] == right[1:]:
        print("replies: %d replies are equal." % (len(left) - 1))
        return True
    pairs = list(enumerate(zip(left[1:], right[1:]), start=2))
    unequal = [(number, one, other) for number, (one, other) in pairs if one != other]
    for number, one, other in unequal[:SHOWN_REQUESTS]:
        show(number, one, other)
    methods = Counter(json.loads(one)["method"] for _, one, _ in unequal)
    print("\nreplies: %d of %d replies differ%s" % (
        len(unequal), len(pairs), ": " + ", ".join("%s %d" % pair for pair in methods.most_common()) if methods else ""))
    if len(left) != len(right):
        print("replies: One recording has %d lines, and the other has %d." % (len(left), len(right)))
    return False
