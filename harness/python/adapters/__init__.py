"""Adapters: benchmarks of other frameworks, and any program, as workers of uotbench (docs/guide/own_benchmarks.md).

Standard library alone. external.py holds the conversation; one file a framework says how its benchmarks are listed
and measured.
"""
