/** The values of WCS parameters. */

import { problem } from '../../../lib/problems/problem.ts';
import type { DimensionValue } from '../../../raster/pictures/dimension-options.ts';
import { findInterpolation, type Interpolation } from '../../../raster/warp/interpolate.ts';
import { readList } from '../../ows/parameters.ts';
import { createKind, createParameterProblem, type ParameterKind } from '../../ows/service-parameters.ts';
import { type CoverageFormat, coverageFormats, findCoverageFormat } from '../coverage/coverage-formats.ts';
import type { Scaling, Subset } from '../coverage/subset.ts';
import { type Section, sectionNames } from './request.ts';

const sectionList = `All, or some of ${sectionNames.join(', ')}`;

export const sections: ParameterKind<readonly Section[]> = createKind<readonly Section[]>(
  sectionList,
  (text) => {
    const asked = readList(text).map((each) => each.toLowerCase());
    if (asked.length === 0 || asked.includes('all')) return sectionNames;
    return asked.map((each) => {
      const found = sectionNames.find((name) => name.toLowerCase() === each);
      if (found === undefined) throw createParameterProblem('sections', each, sectionList);
      return found;
    });
  },
  sectionNames,
);

export const coverageFormat: ParameterKind<CoverageFormat> = createKind<CoverageFormat>(
  `one of ${Object.values(coverageFormats)
    .map(({ mediaType }) => mediaType)
    .join(', ')}`,
  findCoverageFormat,
  'tiff',
);

/** Whether a GML document precedes the samples. */
export const multipart: ParameterKind<boolean> = createKind(
  'multipart/related, or no value for the file alone',
  (text) => (text.trim().toLowerCase() === 'multipart/related' ? true : undefined),
  false,
);

/** Whether a GeoTIFF is compressed. */
export const compression: ParameterKind<boolean> = createKind(
  'None or Deflate',
  (text) => {
    const wanted = text.toLowerCase();
    return wanted === 'none' || wanted === 'deflate' ? wanted === 'deflate' : undefined;
  },
  true,
);

export const bands: ParameterKind<readonly string[] | undefined> = createKind<readonly string[] | undefined>(
  'names of bands such as red,green:blue',
  readList,
  undefined,
);

export const interpolation: ParameterKind<Interpolation> = createKind<Interpolation>(
  'nearest, linear or cubic',
  (text) => {
    const found = findInterpolation(getLastSegment(text));
    if (found === undefined) throw problem('wcs-interpolation-unknown', { method: text, field: 'interpolation' });
    return found;
  },
  'nearest',
);

export const subsets: ParameterKind<readonly Subset[]> = createKind<readonly Subset[]>(
  'subsets such as Lat(40,50)',
  readSubsets,
  [],
);

/** A sequence of `Lat(40,50)`, `Long(7)`, `X,EPSG:3857(0,1000)`, `time("2020-01-01T00:00:00Z")`. */
const SUBSET = /\s*,?\s*([^\s,()]+)\s*(?:,\s*([^()]*?)\s*)?\(\s*([^()]*)\)/y;

function readSubsets(text: string): readonly Subset[] {
  const found: Subset[] = [];
  SUBSET.lastIndex = 0;
  while (SUBSET.lastIndex < text.trimEnd().length) {
    const match = SUBSET.exec(text);
    if (match === null) throw createParameterProblem('subset', text, 'subsets such as Lat(40,50)');
    const [whole, written = '', crs, inside = ''] = match;
    const ends = inside.split(',').map((end) => readEnd(end.trim(), whole));
    if (ends.length > 2) throw createParameterProblem('subset', whole.trim(), 'one or two values');
    const [low, high] = ends;
    const axis = getLastSegment(written);
    if (found.some((each) => each.axis.toLowerCase() === axis.toLowerCase())) {
      throw createParameterProblem('subset', axis, 'each axis once');
    }
    found.push({ axis, crs: crs || undefined, low, high: ends.length === 1 ? low : high });
  }
  return found;
}

/** Axes and methods may be URIs; their last segment is the name. */
function getLastSegment(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** An asterisk is the end of the coverage. Texts and times are quoted; the quotes are optional for times. */
function readEnd(text: string, whole: string): DimensionValue | undefined {
  if (text === '*') return undefined;
  const number = Number(text);
  if (text !== '' && Number.isFinite(number)) return number;
  const quoted = /^"([^"]*)"$/.exec(text)?.[1] ?? text;
  const moment = /^\d{4}-\d\d/.test(quoted) ? new Date(quoted) : new Date(Number.NaN);
  if (!Number.isNaN(moment.getTime())) return moment;
  if (quoted === text) throw createParameterProblem('subset', whole.trim(), 'numbers, times or quoted texts');
  return quoted;
}

export const scaleFactor: ParameterKind<readonly Scaling[]> = createKind<readonly Scaling[]>(
  'a number greater than 0',
  (text) => [{ axis: undefined, by: { factor: readFactor(text) } }],
  [],
  { type: 'number', minimum: 0 },
);

export const scaleAxes = createAxesKind('i(2),j(2)', (text) => ({ factor: readFactor(text) }));
export const scaleSize = createAxesKind('i(100),j(100)', (text) => ({ size: readSize(text) }));
export const scaleExtent = createAxesKind('i(0:99),j(0:99)', (text) => ({ size: readExtent(text) }));

const AXIS_VALUE = /^([^\s()]+)\(([^()]*)\)$/;

/** A value for each axis; `parse` reads the text in parentheses. */
function createAxesKind(example: string, parse: (text: string) => Scaling['by']): ParameterKind<readonly Scaling[]> {
  return createKind<readonly Scaling[]>(
    `values such as ${example}`,
    (text) => {
      const parts = text.split(/(?<=\))\s*,\s*/).map((part) => AXIS_VALUE.exec(part.trim()));
      const read = parts.flatMap((part) => {
        const [, written = '', value = ''] = part ?? [];
        return part === null ? [] : [{ axis: getLastSegment(written), by: parse(value) }];
      });
      return read.length === parts.length ? read : undefined;
    },
    [],
  );
}

function readFactor(text: string): number {
  const factor = parseNumber(text);
  if (!(factor > 0)) throw problem('wcs-scale-factor-invalid', { value: text, field: 'scaleFactor' });
  return factor;
}

function readSize(text: string): number {
  const size = parseNumber(text);
  if (!(Number.isInteger(size) && size > 0)) {
    const expected = 'expected an integer greater than 0';
    throw problem('wcs-extent-invalid', { value: text, expected, field: 'scaleSize' });
  }
  return size;
}

/** `0:99` and `0,99` are a hundred samples. */
function readExtent(text: string): number {
  const [low = Number.NaN, high = Number.NaN] = text.split(/[:,]/).map(parseNumber);
  const size = high - low + 1;
  if (!(Number.isInteger(low) && Number.isInteger(size) && size > 0)) {
    const expected = 'expected two integers, the lower one first';
    throw problem('wcs-extent-invalid', { value: text, expected, field: 'scaleExtent' });
  }
  return size;
}

/** Returns NaN for invalid text. */
function parseNumber(text: string): number {
  const number = Number(text.trim() || Number.NaN);
  return Number.isFinite(number) ? number : Number.NaN;
}
