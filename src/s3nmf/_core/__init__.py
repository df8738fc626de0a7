"""The loops that take the time: C++ templates (`*.hpp`), and a thin layer of Cython (`*.pyx`) that Python calls.

Every function releases the interpreter's lock, and works on a range of rows, of blocks of rows or of members, so that a
`Team` can share the ranges out. Sums run in the order in which they are written: no fast-math and no fused
multiply-add, so that neither the number of threads, nor the width of a vector register, nor the members beside a member
change a bit of its result.
"""
