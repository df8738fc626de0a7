from libc.stdint cimport int32_t, int64_t


cdef extern from "arrays.hpp" namespace "s3nmf" nogil:
    cdef cppclass Indices:
        const int32_t* narrow
        const int64_t* wide
        int64_t size

    cdef cppclass Weights:
        const float* single
        const double* full


cdef inline Indices indices(array) except *:
    """Indices of 32 or 64 bits. The caller keeps the array."""
    cdef Indices found
    cdef const int32_t[::1] narrow
    cdef const int64_t[::1] wide
    if array.dtype.itemsize == 4:
        narrow = array
        found.narrow, found.size = &narrow[0], narrow.size
    else:
        wide = array
        found.wide, found.size = &wide[0], wide.size
    return found


cdef inline Weights weights_of(array) except *:
    """Weights in single or double precision. The caller keeps the array."""
    cdef Weights found
    cdef const float[::1] single
    cdef const double[::1] full
    if array.dtype.itemsize == 4:
        single = array
        found.single = &single[0]
    else:
        full = array
        found.full = &full[0]
    return found
