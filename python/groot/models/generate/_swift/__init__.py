"""Models as Swift types."""
