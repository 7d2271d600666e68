"""The one error for what a person or a program gave us and we cannot use."""


class InputError(ValueError):
    """What was given is wrong. The message is one sentence that quotes it."""
