/** Cuts lines into dashes. */
import type { Bounds } from '../../crs/bounds.ts';
import { clipSegment } from './clip.ts';

export interface DashPattern {
  /** Alternating lengths of dashes and gaps, in pixels; empty for a solid line. An odd number is repeated. */
  readonly dashes: readonly number[];
  readonly dashOffset: number;
}

/**
 * Returns the visible dashes of a line as separate lines. Invisible segments are skipped in one step, because a line may be a million pixels long.
 */
export function splitIntoDashes(
  places: Float64Array,
  isClosed: boolean,
  { dashes, dashOffset }: DashPattern,
  window: Bounds,
): readonly Float64Array[] {
  const lengths = dashes.length % 2 === 0 ? dashes : [...dashes, ...dashes];
  const period = lengths.reduce((sum, length) => sum + length, 0);
  const pattern = { lengths, period };
  const found: Float64Array[] = [];
  let dash: number[] = [];
  let { part, left } = findPatternStart(pattern, dashOffset);
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
        ({ part, left } = advancePattern(pattern, { part, left }, until - passed));
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
        part = (part + 1) % lengths.length;
        left = lengths[part] ?? period;
      }
    }
  }
  finish();
  return found;
}

interface RepeatedLengths {
  readonly lengths: readonly number[];
  readonly period: number;
}

interface PatternPosition {
  readonly part: number;
  readonly left: number;
}

function findPatternStart(pattern: RepeatedLengths, offset: number): PatternPosition {
  const { lengths, period } = pattern;
  return advancePattern(pattern, { part: 0, left: lengths[0] ?? period }, ((offset % period) + period) % period);
}

/** Advances the position in the pattern by a number of pixels. */
function advancePattern(
  { lengths, period }: RepeatedLengths,
  { part, left }: PatternPosition,
  by: number,
): PatternPosition {
  let rest = by % period;
  let [at, room] = [part, left];
  while (rest >= room && rest > 0) {
    rest -= room;
    at = (at + 1) % lengths.length;
    room = lengths[at] ?? period;
  }
  return { part: at, left: room - rest };
}
