"""Publishes a user's commutes, favorites, alerts and notifications to an MQTT broker, for Home Assistant.

transitd-mqtt(1) describes the configuration, the topics and the entities. One loop waits for the daemon's socket and
for that of the broker, without threads: `bridge` computes the messages that should be retained, and sends the broker
those that it does not have. There is no queue: only the newest payload of each topic exists. `values` and `topics` are
pure.

Needs Python 3.11 and paho-mqtt 1.6 or 2.
"""
