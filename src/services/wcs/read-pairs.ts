/** Reads requests of a WCS that come as key-value pairs. */
import type { DimensionValue } from '../../data/raster/dimension-wish.ts';
import { type Interpolation, interpolationNamed } from '../../data/raster/warp/interpolate.ts';
import { type Problem, problem } from '../../lib/problem.ts';
import { type Parameters, readList } from '../ows/parameters.ts';
import { negotiateVersion, requireVersion } from '../ows/versions.ts';
import { operations, type Scaling, type Subset, type WcsRequest, wcsVersions } from './request.ts';

export function readPairs(parameters: Parameters): WcsRequest {
  const operation = required(parameters, 'request', 'the name of an operation such as GetCapabilities was expected');
  const named = operations.find((each) => each.toLowerCase() === operation.toLowerCase());
  if (named === 'GetCapabilities') {
    const accepted = parameters.get('acceptversions');
    negotiateVersion(wcsVersions, {
      version: parameters.get('version'),
      acceptVersions: accepted === undefined ? undefined : readList(accepted),
    });
    const sections = parameters.get('sections');
    return {
      kind: 'GetCapabilities',
      sections: sections === undefined ? undefined : readList(sections),
      updateSequence: parameters.get('updatesequence'),
    };
  }
  requireVersion(wcsVersions, parameters.get('version'));
  const expected = 'the identifier of a coverage as in the capabilities was expected';
  switch (named) {
    case 'DescribeCoverage':
      return { kind: 'DescribeCoverage', ids: readList(required(parameters, 'coverageId', expected)) };
    case 'GetCoverage':
      return readGetCoverage(parameters, required(parameters, 'coverageId', expected));
    case undefined:
      throw problem('ows-operation-unknown', { operation, service: 'WCS 2.0.1', operations, field: operation });
  }
}

function required(parameters: Parameters, name: string, expected: string): string {
  const value = parameters.get(name.toLowerCase());
  if (value === undefined) throw problem('ows-parameter-missing', { parameter: name, expected, field: name });
  return value;
}

function readGetCoverage(parameters: Parameters, id: string): WcsRequest {
  const format = parameters.get('format');
  if (format !== undefined && !tiffNames.has(format.replaceAll(' ', '').toLowerCase())) {
    throw invalid('format', format, 'image/tiff was expected');
  }
  if (parameters.get('mediatype') !== undefined) {
    const instead = 'leave it out for the file alone';
    throw problem('ows-option-unsupported', { what: 'An answer in several parts', instead, field: 'mediaType' });
  }
  return {
    kind: 'GetCoverage',
    id,
    subsets: readSubsets(parameters.get('subset') ?? ''),
    subsettingCrs: parameters.get('subsettingcrs'),
    outputCrs: parameters.get('outputcrs'),
    scaling: readScaling(parameters),
    range: optionalList(parameters.get('rangesubset')),
    interpolation: readInterpolation(parameters.get('interpolation')),
  };
}

const tiffNames: ReadonlySet<string> = new Set([
  'image/tiff',
  'image/geotiff',
  'image/tiff;application=geotiff',
  'geotiff',
]);

function optionalList(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : readList(text);
}

/** `Lat(40,50)`, `Long(7)`, `X,EPSG:3857(0,1000)`, `time("2020-01-01T00:00:00Z")`, one after the other. */
const SUBSET = /\s*,?\s*([^\s,()]+)\s*(?:,\s*([^()]*?)\s*)?\(\s*([^()]*)\)/y;

export function readSubsets(text: string): readonly Subset[] {
  const subsets: Subset[] = [];
  SUBSET.lastIndex = 0;
  while (SUBSET.lastIndex < text.trimEnd().length) {
    const found = SUBSET.exec(text);
    if (found === null) throw invalid('subset', text, 'parts such as Lat(40,50) were expected');
    const [whole, written = '', crs, inside = ''] = found;
    const ends = inside.split(',').map((end) => readEnd(end.trim(), whole));
    if (ends.length > 2) throw invalid('subset', whole.trim(), 'one or two values were expected');
    const [low, high = low] = ends.length === 1 ? [ends[0], ends[0]] : ends;
    const axis = written.slice(written.lastIndexOf('/') + 1);
    if (subsets.some((each) => each.axis.toLowerCase() === axis.toLowerCase())) {
      throw invalid('subset', axis, 'each axis was expected once');
    }
    subsets.push({ axis, crs: crs || undefined, low, high: ends.length === 1 ? low : high });
  }
  return subsets;
}

/** A star is the end of the coverage; texts and moments stand in quotation marks, which moments may do without. */
function readEnd(text: string, whole: string): DimensionValue | undefined {
  if (text === '*') return undefined;
  const number = Number(text);
  if (text !== '' && Number.isFinite(number)) return number;
  const quoted = /^"([^"]*)"$/.exec(text)?.[1] ?? text;
  const moment = /^\d{4}-\d\d/.test(quoted) ? new Date(quoted) : new Date(Number.NaN);
  if (!Number.isNaN(moment.getTime())) return moment;
  if (quoted === text)
    throw invalid('subset', whole.trim(), 'numbers, moments or texts in quotation marks were expected');
  return quoted;
}

const AXIS_VALUE = /^([^\s()]+)\(([^()]*)\)$/;

function readScaling(parameters: Parameters): readonly Scaling[] {
  const given = ['scalefactor', 'scaleaxes', 'scalesize', 'scaleextent'].filter((name) => parameters.has(name));
  const [name, other] = given;
  if (name === undefined) return [];
  if (other !== undefined) throw problem('ows-parameters-exclusive', { parameters: given, field: other });
  const text = parameters.get(name) ?? '';
  if (name === 'scalefactor') return [{ axis: undefined, by: { factor: positive(name, text) } }];
  const parts = text.split(/(?<=\))\s*,\s*/).map((part) => AXIS_VALUE.exec(part.trim()));
  return parts.map((part) => {
    if (part === null) throw invalid(name, text, 'parts such as i(2),j(2) were expected');
    const [, written = '', value = ''] = part;
    const axis = written.slice(written.lastIndexOf('/') + 1);
    if (name === 'scaleaxes') return { axis, by: { factor: positive(name, value) } };
    const [low, high] = name === 'scaleextent' ? value.split(/[:,]/) : ['0', value];
    const size = positive(name, high ?? '') - Number(low) + (name === 'scaleextent' ? 1 : 0);
    if (!Number.isInteger(size) || size < 1) throw invalid(name, text, 'whole numbers were expected');
    return { axis, by: { size } };
  });
}

function positive(name: string, text: string): number {
  const number = Number(text.trim() || Number.NaN);
  if (!Number.isFinite(number) || number <= 0) throw invalid(name, text, 'a number greater than 0 was expected');
  return number;
}

function readInterpolation(text: string | undefined): Interpolation {
  if (text === undefined) return 'nearest';
  const found = interpolationNamed(text.slice(text.lastIndexOf('/') + 1));
  if (found === undefined) throw invalid('interpolation', text, 'nearest, linear or cubic was expected');
  return found;
}

function invalid(parameter: string, value: string, expected: string): Problem {
  return problem('ows-parameter-invalid', { parameter, value, expected, field: parameter });
}
