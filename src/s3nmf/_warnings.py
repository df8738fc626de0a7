"""What the library warns about, each by a name that can be filtered."""


class DisconnectedGraphWarning(UserWarning):
    """The affinity graph falls into several components, or has points without any edge."""


class EmptyClusterWarning(UserWarning):
    """The partition has fewer clusters than were asked for."""
