/** What clients ask of the dimensions of coverages, whose values the data itself tells. */
import type { DimensionValue, DimensionWish } from '../../../data/raster/dimension-wish.ts';
import { type DimensionLimits, readDimension } from './dimension-values.ts';
import type { LayerDimension } from './layer-dimensions.ts';

/** Time is a moment, elevation a number, and of any other dimension what it looks like. */
export function coverageWishes(asked: ReadonlyMap<string, string>, limits: DimensionLimits): readonly DimensionWish[] {
  return [...asked].flatMap(([name, text]): readonly DimensionWish[] => {
    const kind = name === 'time' ? 'time' : name === 'elevation' || isNumeric(text) ? 'number' : 'text';
    const wish = readDimension({ name, kind }, text, limits);
    if (wish === 'default') return [];
    const read = readers[kind];
    return [{ name, ranges: wish.map(({ from, to }) => ({ low: read(from), high: read(to) })) }];
  });
}

const readers: Readonly<Record<LayerDimension['kind'], (text: string) => DimensionValue>> = {
  time: (text) => new Date(text),
  number: Number,
  text: String,
};

function isNumeric(text: string): boolean {
  return /^[\d\s.,/eE+-]+$/.test(text) && text.split(/[,/]/).every((each) => Number.isFinite(Number(each)));
}
