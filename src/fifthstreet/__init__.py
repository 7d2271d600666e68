"""fifthstreet: a laboratory for poker agents."""

__version__ = "0.1.0"
