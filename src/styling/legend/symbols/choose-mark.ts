/** Chooses the mark of a graphic: the first one that is known, otherwise a square. */
import { addDefaultPaint } from '../../model/default-paint.ts';
import type { ExternalMark, Mark, VendorOption } from '../../model/model.ts';
import { findPicture, type Pictures } from '../canvas/drawing.ts';
import { sampleValue, sampleWord } from '../values/sample-value.ts';
import { findWellKnownMark, type MarkShape, square } from './well-known-marks.ts';

export interface ChosenMark {
  readonly mark: Mark;
  readonly shape: MarkShape;
  /** Whether a square replaces an unknown mark. */
  readonly isFallback?: true;
}

/** The mark of a graphic without symbols. */
export const plainSquare: Mark = addDefaultPaint({ kind: 'mark' });

/** Returns undefined for an unknown mark. */
export function findMarkShape({ externalMark, wellKnownName }: Mark, pictures: Pictures): MarkShape | undefined {
  if (externalMark !== undefined) return findExternalShape(externalMark, pictures);
  const name = sampleValue(wellKnownName);
  return findWellKnownMark(typeof name === 'string' ? name : '');
}

function findExternalShape({ source, index }: ExternalMark, pictures: Pictures): MarkShape | undefined {
  if (source.kind === 'online' && /^\s*ttf:/i.test(source.href))
    return findWellKnownMark(`${source.href.trim()}#0x${(index ?? 0).toString(16)}`);
  const path = findPicture(pictures, source)?.readOutline();
  return path === undefined ? undefined : { path };
}

/** Returns undefined if there are no marks. */
export function chooseMark(marks: readonly Mark[], pictures: Pictures = noPictures): ChosenMark | undefined {
  for (const mark of marks) {
    const shape = findMarkShape(mark, pictures);
    if (shape !== undefined) return { mark, shape };
  }
  const [mark] = marks;
  return mark && { mark, shape: square, isFallback: true };
}

const noPictures: Pictures = new Map();

/** Returns whether a default symbol replaces a missing picture or an unknown mark. */
export function shouldFallBack(options: readonly VendorOption[] | undefined): boolean {
  const option = options?.find(({ name }) => name.toLowerCase() === 'fallbackondefaultmark');
  return sampleWord(option?.value) !== 'false';
}
