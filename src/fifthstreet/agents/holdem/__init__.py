"""Players of Texas hold'em."""
