import type { Mark } from './paint.ts';

/** Returns the mark; one without fill and stroke gets those of Symbology Encoding: grey with a black outline. */
export function addDefaultPaint(mark: Mark): Mark {
  const isPainted = mark.fill !== undefined || mark.stroke !== undefined;
  return isPainted ? mark : { ...mark, fill: { kind: 'fill' }, stroke: { kind: 'stroke' } };
}
