/** PolygonExtraction: the areas of equal value, or of values in a range, as polygons. */
import type { Geometry } from '../../../geometry/geometry.ts';
import { polygonExtraction as process } from '../../../styling/transformations/processes.ts';
import { createAreaMask, getBand, readBandNumbers } from '../model/coverage-data.ts';
import { FeatureWriter } from '../model/feature-data.ts';
import { rejectTransformation, transformCoverages } from '../model/transformation.ts';
import { type CoverageData, createDescription, createNumberAttribute } from '../model/transformed-data.ts';
import { traceRegions } from './trace-regions.ts';

const describe = (crs: CoverageData['crs']) =>
  createDescription({ name: 'the_geom', type: 'Polygon', crs }, [createNumberAttribute('value')]);

export const polygonExtraction = transformCoverages(process, {
  describe: (_, { ranges }, { dataCrs }) => {
    readRanges(ranges);
    return { kind: 'features', description: describe(dataCrs) };
  },
  readsCells: true,
  async run([data], { band, insideEdges, roi, nodata = [], ranges }, map) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const values = readBandNumbers(getBand(process, data, band));
    const mask = roi === undefined ? undefined : await createAreaMask(roi, data, map);
    const classes = readRanges(ranges);
    for (let cell = 0; cell < values.length; cell += 1) {
      const value = values[cell] ?? Number.NaN;
      const isOutside = mask?.[cell] === 0 || nodata.includes(value);
      const shown = isOutside ? Number.NaN : classifyValue(value, classes);
      values[cell] = insideEdges || Number.isNaN(shown) ? shown : 1;
    }
    const writer = new FeatureWriter(describe(data.crs), false);
    const { bounds, width, height } = data;
    const [cellWidth, cellHeight] = [(bounds.maxX - bounds.minX) / width, (bounds.maxY - bounds.minY) / height];
    const reject = (reason: string) => rejectTransformation(process, reason);
    traceRegions(values, { width, height }, reject, (value, rings) => {
      const ordinates = Float64Array.from(rings.flat(), (each, at) =>
        at % 2 === 0 ? bounds.minX + each * cellWidth : bounds.maxY - each * cellHeight,
      );
      let end = 0;
      const ends = rings.map((ring) => {
        end += ring.length / 2;
        return end;
      });
      const geometry: Geometry = { type: 'Polygon', dimension: 'XY', ordinates, ends, parts: [ends.length] };
      writer.add('', [value], geometry);
    });
    return writer.finish();
  },
});

interface Range {
  readonly from: number;
  readonly to: number;
  readonly hasFrom: boolean;
  readonly hasTo: boolean;
}

/** Ranges are written like `(0;10]`, and several of them after each other; a missing end has no limit. */
function readRanges(texts: readonly string[] = []): readonly Range[] {
  return texts.flatMap((text) => {
    const found = [...text.matchAll(/([[(])\s*([^;\])]*);([^\])]*)([\])])/g)];
    const ranges = found.map(([, open, from = '', to = '', close]) => ({
      from: from.trim() === '' ? Number.NEGATIVE_INFINITY : Number(from.replace(/^-inf\w*/i, '-Infinity')),
      to: to.trim() === '' ? Number.POSITIVE_INFINITY : Number(to.replace(/^\s*\+?inf\w*/i, 'Infinity')),
      hasFrom: open === '[',
      hasTo: close === ']',
    }));
    if (ranges.length === 0 || ranges.some(({ from, to }) => Number.isNaN(from) || Number.isNaN(to)))
      throw rejectTransformation(process, "parameter 'ranges' must be a list such as (0;10] [10;20)");
    return ranges;
  });
}

/** With ranges, the class is the number of the range, from 1. */
function classifyValue(value: number, ranges: readonly Range[]): number {
  if (ranges.length === 0) return value;
  const found = ranges.findIndex(
    ({ from, to, hasFrom, hasTo }) =>
      (value > from || (hasFrom && value === from)) && (value < to || (hasTo && value === to)),
  );
  return found < 0 ? Number.NaN : found + 1;
}
