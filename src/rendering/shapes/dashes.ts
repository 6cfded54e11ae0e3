/** Cuts lines into dashes. */
import type { Bounds } from '../../crs/bounds.ts';
import { clipSegment } from './clip.ts';

/**
 * Returns the visible dashes of a line as separate lines. `lengths` alternates between dashes and gaps; an odd number
 * of lengths is repeated. Invisible segments are skipped in one step, because a line may be a million pixels long.
 */
export function splitIntoDashes(
  places: Float64Array,
  isClosed: boolean,
  lengths: readonly number[],
  offset: number,
  window: Bounds,
): readonly Float64Array[] {
  const pattern = lengths.length % 2 === 0 ? lengths : [...lengths, ...lengths];
  const period = pattern.reduce((sum, length) => sum + length, 0);
  const found: Float64Array[] = [];
  let dash: number[] = [];
  let { part, left } = findPatternStart(pattern, period, offset);
  const count = places.length / 2;
  const stretches = isClosed ? count : count - 1;
  const finish = (): void => {
    if (dash.length >= 4) found.push(Float64Array.from(dash));
    dash = [];
  };

  for (let index = 0; index < stretches; index += 1) {
    const [x, y] = [places[index * 2] ?? 0, places[index * 2 + 1] ?? 0];
    const next = ((index + 1) % count) * 2;
    const [toX, toY] = [places[next] ?? 0, places[next + 1] ?? 0];
    const length = Math.hypot(toX - x, toY - y);
    if (length === 0) continue;
    const [from, to] = clipSegment(x, y, toX, toY, window);
    let passed = 0;
    while (passed < length) {
      const isUnseen = passed < from * length || passed >= to * length;
      if (isUnseen) {
        finish();
        const until = passed < from * length ? from * length : length;
        ({ part, left } = advancePattern(pattern, period, part, left, until - passed));
        passed = until;
        continue;
      }
      const step = Math.min(left, length - passed);
      const isDash = part % 2 === 0;
      if (isDash && dash.length === 0) dash.push(x + ((toX - x) * passed) / length, y + ((toY - y) * passed) / length);
      passed += step;
      left -= step;
      if (isDash) dash.push(x + ((toX - x) * passed) / length, y + ((toY - y) * passed) / length);
      if (left <= 0) {
        if (isDash) finish();
        part = (part + 1) % pattern.length;
        left = pattern[part] ?? period;
      }
    }
  }
  finish();
  return found;
}

interface PatternPosition {
  readonly part: number;
  readonly left: number;
}

function findPatternStart(pattern: readonly number[], period: number, offset: number): PatternPosition {
  return advancePattern(pattern, period, 0, pattern[0] ?? period, ((offset % period) + period) % period);
}

/** Advances the position in the pattern by a number of pixels. */
function advancePattern(
  pattern: readonly number[],
  period: number,
  part: number,
  left: number,
  by: number,
): PatternPosition {
  let rest = by % period;
  let [at, room] = [part, left];
  while (rest >= room && rest > 0) {
    rest -= room;
    at = (at + 1) % pattern.length;
    room = pattern[at] ?? period;
  }
  return { part: at, left: room - rest };
}
