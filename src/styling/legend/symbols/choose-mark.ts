/** Chooses the mark of a graphic: the first one that is known, otherwise a square. */
import type { Mark, VendorOption } from '../../model/model.ts';
import { sampleValue, sampleWord } from '../values/sample-value.ts';
import { findWellKnownMark, type MarkShape, square } from './well-known-marks.ts';

export interface ChosenMark {
  readonly mark: Mark;
  readonly shape: MarkShape;
  /** Whether a square replaces an unknown mark. */
  readonly isFallback?: true;
}

/** The mark of a graphic without symbols. */
export const plainSquare: Mark = { kind: 'mark', fill: { kind: 'fill' }, stroke: { kind: 'stroke' } };

/** Returns undefined for an unknown mark. */
export function findMarkShape(mark: Mark): MarkShape | undefined {
  const name = mark.externalMark ? undefined : sampleValue(mark.wellKnownName);
  return findWellKnownMark(typeof name === 'string' ? name : '');
}

/** Returns undefined if there are no marks. */
export function chooseMark(marks: readonly Mark[]): ChosenMark | undefined {
  for (const mark of marks) {
    const shape = findMarkShape(mark);
    if (shape !== undefined) return { mark, shape };
  }
  const [mark] = marks;
  return mark && { mark, shape: square, isFallback: true };
}

/** Returns whether a default symbol replaces a missing picture or an unknown mark. */
export function shouldFallBack(options: readonly VendorOption[] | undefined): boolean {
  const option = options?.find(({ name }) => name.toLowerCase() === 'fallbackondefaultmark');
  return sampleWord(option?.value) !== 'false';
}
