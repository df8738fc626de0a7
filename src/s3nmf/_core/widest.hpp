// Kernels compiled twice, for vector registers of 128 and of 256 bits; the processor's wider ones are used.
//
// Only for loops whose sums do not depend on the width: each element of a vector has its own sum, added in the order of
// the source. There is no fused multiply-add (-ffp-contract=off), so that the results are the same to the last bit.
#pragma once

#if defined(__GNUC__) && defined(__x86_64__)
#define S3NMF_WIDER 1
#else
#define S3NMF_WIDER 0
#endif

namespace s3nmf {

#if S3NMF_WIDER

inline bool has_avx2() {
    static const bool found = [] {
        __builtin_cpu_init();
        return __builtin_cpu_supports("avx2") != 0;
    }();
    return found;
}

// 512 bits were measured to be no faster: what bounds these loops is the memory.
template <auto kernel, class... Arguments>
__attribute__((target("avx2"), flatten)) void with_avx2(Arguments... arguments) {
    kernel(arguments...);
}

template <auto kernel, class... Arguments>
void widest(Arguments... arguments) {
    if (has_avx2())
        with_avx2<kernel, Arguments...>(arguments...);
    else
        kernel(arguments...);
}

#else

// 64-bit ARM has one width, 128 bits; other compilers are left to their default.
template <auto kernel, class... Arguments>
void widest(Arguments... arguments) {
    kernel(arguments...);
}

#endif

}  // namespace s3nmf
