"""Measurements of speed and memory: ``make benchmark``. Never part of the tests."""
