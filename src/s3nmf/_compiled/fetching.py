"""Ask the memory for what is read soon: a large graph is read in no order that a processor can guess.

A visit of a point reads its row, then the groups of its neighbours, then what is known of these groups. Each waits for
the one before, some tenth of a microsecond where it is not in the cache. Asked for some visits ahead, all are there.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from s3nmf._compiled.loop import loop

# How many visits ahead each is asked for: in the time of so many, what it needs itself has come.
_STARTS, _ROW, _GROUPS, _OF_GROUPS = 24, 12, 6, 2
# Entries of a row that are asked for: of longer ones the processor sees by itself how they go on.
_MOST = 64
# In single precision, 16 of a row are what the memory hands over at a time.
_LINE = 16
# Graphs with fewer points are in the cache anyway.
WORTH_FETCHING = 2**15


def _prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask for an entry of an array, without waiting for it; any index, for nothing is read."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind, of_index = signature.args
        place = context.cast(builder, arguments[1], of_index, types.intp)
        entry = cgutils.get_item_pointer(
            context, builder, kind, context.make_array(kind)(context, builder, arguments[0]), [place], wraparound=False
        )
        number = ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number]),
            "llvm.prefetch.p0i8",
        )
        to_read, in_all_caches, data = number(0), number(3), number(1)
        builder.call(function, [builder.bitcast(entry, cgutils.voidptr_t), to_read, in_all_caches, data])
        return context.get_dummy_value()

    return types.void(array, index), code


prefetch = (lambda array, index: None) if config.DISABLE_JIT else intrinsic(_prefetch)


@loop()
def fetch_groups(order, at, end, starts, neighbors, group):
    """When row `order[at]` is visited: ask for the rows of visits to come, up to the end, and the groups they read."""
    last = end - 1
    row = order[min(at + _STARTS, last)]
    prefetch(starts, row)
    prefetch(group, row)
    first = starts[order[min(at + _ROW, last)]]
    prefetch(neighbors, first)
    prefetch(neighbors, first + _LINE)
    row = order[min(at + _GROUPS, last)]
    for e in range(starts[row], min(starts[row + 1], starts[row] + _MOST)):
        prefetch(group, neighbors[e])


@loop()
def fetch_links(order, at, end, starts, neighbors, weights, group, of_group):
    """The same, and for the weights of their edges, and what is known of these groups: as `links_by_group` reads."""
    fetch_groups(order, at, end, starts, neighbors, group)
    last = end - 1
    first = starts[order[min(at + _ROW, last)]]
    prefetch(weights, first)
    prefetch(weights, first + _LINE)
    row = order[min(at + _OF_GROUPS, last)]
    for e in range(starts[row], min(starts[row + 1], starts[row] + _MOST)):
        prefetch(of_group, group[neighbors[e]])
