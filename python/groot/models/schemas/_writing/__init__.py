"""The JSON Schema of the JSON that a model reads and writes."""
