"""Random bounded integers without bias, six from one 64-bit word.

The generator is xoshiro256++. A chunk's state comes from numpy's SeedSequence of (seed, chunk), so
chunks have streams of their own and the seed fixes the totals, whoever runs which chunk.

`six` takes six bounded integers from one word: multiplying by a bound leaves the integer in the
high half and a fresh fraction in the low half, which the next bound multiplies. The last low half
tells, as for a single bound, whether the word fell into the incomplete part of the range; it is
then thrown away, so every outcome is exactly as likely as any other.
"""

from math import prod
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

U = np.uint64
WORD = 2**64


def state_of(seed: int, chunk: int) -> NDArray[np.uint64]:
    """The generator's state at the start of a chunk."""
    sequence = np.random.SeedSequence(seed, spawn_key=(chunk,))
    return sequence.generate_state(4, np.uint64).astype(np.uint64)


def products(cards: int) -> NDArray[np.uint64]:
    """n(n-1)...(n-5) for every n up to the cards of a shoe: how many outcomes six draws have."""
    return np.array([prod(range(n - 5, n + 1)) if n > 5 else 1 for n in range(cards + 1)], U)


@intrinsic
def multiply(typing_context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """The high and the low half of a 128-bit product."""
    signature = types.UniTuple(types.uint64, 2)(types.uint64, types.uint64)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)
        both = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        high = builder.trunc(builder.lshr(both, ir.Constant(wide, 64)), word)
        halves = [high, builder.trunc(both, word)]
        return context.make_tuple(builder, signature.return_type, halves)

    return signature, generate


@njit(inline="always")
def step(s0, s1, s2, s3):  # pragma: no cover
    """One step of xoshiro256++: a word, and the next state."""
    mixed = s0 + s3
    word = ((mixed << U(23)) | (mixed >> U(41))) + s0
    shifted = s1 << U(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << U(45)) | (s3 >> U(19))
    return word, s0, s1, s2, s3


@njit(inline="always")
def six(s0, s1, s2, s3, n, outcomes):  # pragma: no cover
    """Integers below n, n-1 ... n-5, and the next state."""
    while True:
        word, s0, s1, s2, s3 = step(s0, s1, s2, s3)
        j0, low = multiply(word, n)
        j1, low = multiply(low, n - U(1))
        j2, low = multiply(low, n - U(2))
        j3, low = multiply(low, n - U(3))
        j4, low = multiply(low, n - U(4))
        j5, low = multiply(low, n - U(5))
        # 2**64 mod outcomes is below outcomes, so the division is hardly ever reached
        if low >= outcomes or low >= (U(0) - outcomes) % outcomes:
            return j0, j1, j2, j3, j4, j5, s0, s1, s2, s3
