"""Tests of stores in PostgreSQL, each with a server of its own."""
