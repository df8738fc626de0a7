// Plain views of NumPy's arrays, and memory for the kernels' own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#if defined(_MSC_VER)
#define S3NMF_RESTRICT __restrict
#else
#define S3NMF_RESTRICT __restrict__
#endif

namespace s3nmf {

using std::int32_t;
using std::int64_t;
using std::uint64_t;

// As Python's max and min: the first argument where neither is larger, or one is not a number.
template <class T>
inline T larger(T a, T b) { return b > a ? b : a; }

template <class T>
inline T smaller(T a, T b) { return b < a ? b : a; }

// Indices of 32 or 64 bits, told apart where they are read: the branch is always the same one.
struct Indices {
    const int32_t* narrow = nullptr;
    const int64_t* wide = nullptr;
    int64_t size = 0;

    int64_t operator[](int64_t i) const { return wide ? wide[i] : narrow[i]; }
    const void* address(int64_t i) const {
        return wide ? static_cast<const void*>(wide + i) : static_cast<const void*>(narrow + i);
    }
};

// Indices of a type that is known when the loop is compiled.
template <class T>
struct Fixed {
    const T* data;

    int64_t operator[](int64_t i) const { return data[i]; }
    const void* address(int64_t i) const { return data + i; }
};

// f(starts, columns) for the types that they have: for loops that do little more than read them.
template <class F>
inline auto with_types_of(Indices starts, Indices columns, F f) {
    if (starts.narrow && columns.narrow) return f(Fixed<int32_t>{starts.narrow}, Fixed<int32_t>{columns.narrow});
    if (starts.wide && columns.wide) return f(Fixed<int64_t>{starts.wide}, Fixed<int64_t>{columns.wide});
    return f(starts, columns);
}

// Weights in single or double precision, told apart for each row that is read.
struct Weights {
    const float* single = nullptr;
    const double* full = nullptr;
};

// Uninitialised memory. Pages that are never written to are never taken from the system.
template <class T>
class Buffer {
public:
    explicit Buffer(int64_t size) : data_(static_cast<T*>(std::malloc((size > 0 ? size : 1) * sizeof(T)))) {
        if (!data_) throw std::bad_alloc();
    }
    Buffer(int64_t size, T value) : Buffer(size) {
        for (int64_t i = 0; i < size; ++i) data_[i] = value;
    }
    Buffer(Buffer&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
    Buffer& operator=(Buffer&& other) noexcept {
        T* data = data_;
        data_ = other.data_;
        other.data_ = data;
        return *this;
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { std::free(data_); }

    T* get() const { return data_; }
    T& operator[](int64_t i) const { return data_[i]; }

private:
    T* data_;
};

}  // namespace s3nmf
