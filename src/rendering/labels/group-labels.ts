/** Merges the labels of one text. */
import { POINTS, POLYGONS } from '../../vector/port/packed-features.ts';
import { joinLines } from './join-lines.ts';
import type { Label } from './label.ts';

/** Merges equal labels of a rule into one label of the largest part; joins touching lines first. */
export function groupLabels(labels: readonly Label[]): readonly Label[] {
  const groups = new Map<string, Label[]>();
  const keys = new Map<object, number>();
  // A group has the position of its first label, so that labels of equal priority stay in the order of features.
  const ordered: Label[][] = [];
  for (const label of labels) {
    if (!label.options.isGrouped) {
      ordered.push([label]);
      continue;
    }
    const font = label.symbolizer.font ?? label.symbolizer.kind;
    const style = typeof font === 'string' ? -1 : (keys.get(font) ?? keys.set(font, keys.size).size - 1);
    const key = `${label.kind} ${style} ${label.text}`;
    const group = groups.get(key);
    if (group !== undefined) {
      group.push(label);
      continue;
    }
    const started = [label];
    groups.set(key, started);
    ordered.push(started);
  }
  return ordered.flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return first.options.isGrouped ? mergeLabels(first, others) : [first];
  });
}

function mergeLabels(one: Label, others: readonly Label[]): readonly Label[] {
  const first = { ...one, owners: new Set([one, ...others].flatMap(({ owners }) => [...owners])) };
  const parts = [first, ...others].flatMap(({ parts: each }) => each);
  if (first.kind === POINTS) return first.options.labelsAllOfGroup ? [one, ...others] : [first];
  if (first.kind === POLYGONS) return [{ ...first, parts }];
  const pieces = parts.map(({ places }) => places);
  const lines = joinLines(first.options.removesOverlaps ? dropRepeatedSegments(pieces) : pieces).map((places) => ({
    places,
    isOuter: true,
  }));
  return first.options.labelsAllOfGroup
    ? lines.map((line) => ({ ...first, parts: [line] }))
    : [{ ...first, parts: lines }];
}

/** Positions are compared in this fraction of a pixel. */
const STEPS_PER_PIXEL = 10;

/** Cuts segments out of lines that an earlier line has too, in either direction. */
function dropRepeatedSegments(lines: readonly Float64Array[]): readonly Float64Array[] {
  const known = new Set<string>();
  const round = (value: number): number => Math.round(value * STEPS_PER_PIXEL);
  const found: Float64Array[] = [];
  for (const line of lines) {
    let start = 0;
    for (let at = 2; at < line.length; at += 2) {
      const ends = [at - 2, at].map((corner) => `${round(line[corner] ?? 0)} ${round(line[corner + 1] ?? 0)}`);
      const key = ends.sort().join(' ');
      if (!known.has(key)) {
        known.add(key);
        continue;
      }
      if (at - start > 2) found.push(line.slice(start, at));
      start = at;
    }
    if (line.length - start > 2) found.push(line.slice(start));
  }
  return found;
}
