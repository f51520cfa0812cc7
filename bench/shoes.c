/* The counting kernel of sim/kernels.py, line for line in C: same draws, same totals. */
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 wide;
enum { LANES = 8, EXPOSE = 100 };

static inline uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

void count(uint64_t *state, uint8_t *shoes, uint64_t cards, uint64_t behind, int extra,
           uint64_t burn, const uint64_t *outcomes, const uint8_t *ends,
           const uint64_t *player_of, const uint64_t *banker_of, const uint64_t *tens,
           const uint64_t *value, const uint8_t *pair_of, uint64_t shift, int64_t coups,
           int64_t *counts, int64_t *pairs) {
  uint64_t s0 = state[0], s1 = state[1], s2 = state[2], s3 = state[3];
  uint64_t left[LANES] = {0}, stop[LANES], to_burn[LANES] = {0};
  for (int lane = 0; lane < LANES; lane++) stop[lane] = behind;
  int64_t played = 0;
  while (played < coups) {
    for (int lane = 0; lane < LANES; lane++) {
      uint8_t *row = shoes + lane * cards;
      uint64_t n = left[lane];
      if (n < stop[lane]) {
        n = cards;
        to_burn[lane] = burn;
      }
      uint64_t j[6], low;
      do {
        uint64_t word = rotate(s0 + s3, 23) + s0, shifted = s1 << 17;
        s2 ^= s0; s3 ^= s1; s1 ^= s2; s0 ^= s3; s2 ^= shifted; s3 = rotate(s3, 45);
        low = word;
        for (int i = 0; i < 6; i++) {
          wide both = (wide)low * (n - i);
          j[i] = (uint64_t)(both >> 64);
          low = (uint64_t)both;
        }
      } while (low < outcomes[n] && low < -outcomes[n] % outcomes[n]);
      uint8_t c[6];
      for (int i = 0; i < 6; i++) {
        c[i] = row[j[i]];
        row[j[i]] = row[n - 1 - i];
        row[n - 1 - i] = c[i];
      }
      if (to_burn[lane]) {
        uint64_t used, more;
        if (to_burn[lane] == EXPOSE) {
          more = value[c[0]] ? value[c[0]] : 10;
          used = more < 5 ? more : 5;
          more -= used;
          used += 1;
        } else {
          used = to_burn[lane] < 6 ? to_burn[lane] : 6;
          more = to_burn[lane] - used;
        }
        to_burn[lane] = more;
        left[lane] = n - used;
        continue;
      }
      uint64_t player = ((uint64_t)c[0] << shift) | c[2], banker = ((uint64_t)c[1] << shift) | c[3];
      uint8_t end = ends[player_of[player] + banker_of[banker] + tens[c[4]] + value[c[5]]];
      pairs[pair_of[player]]++;
      pairs[4 + pair_of[banker]]++;
      counts[lane * 16 + end]++;
      uint64_t after = n - 4 - (end >> 2);
      left[lane] = after;
      if (after < behind) stop[lane] = extra && stop[lane] && (end & 3) == 2 ? 0 : behind;
      if (++played == coups) break;
    }
  }
}
