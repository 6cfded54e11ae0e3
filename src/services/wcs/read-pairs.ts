/** Parses WCS requests from key-value pairs. */

import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { DimensionValue } from '../../raster/pictures/dimension-options.ts';
import { findInterpolation, type Interpolation } from '../../raster/warp/interpolate.ts';
import { type Parameters, readList, requireParameter } from '../ows/parameters.ts';
import { negotiateVersion } from '../ows/versions.ts';
import { type CoverageFormat, coverageFormats, findCoverageFormat } from './coverage-formats.ts';
import {
  operations,
  type Scaling,
  type Section,
  type Subset,
  sectionNames,
  type WcsRequest,
  wcsVersions,
} from './request.ts';

export function readPairs(parameters: Parameters): WcsRequest {
  const operation = requireParameter(
    parameters,
    'request',
    'expected the name of an operation such as GetCapabilities',
  );
  checkVersion(parameters);
  const expected = 'expected a coverage id as in the capabilities';
  switch (operations.find((each) => each.toLowerCase() === operation.toLowerCase())) {
    case 'GetCapabilities':
      return {
        kind: 'GetCapabilities',
        sections: readSections(parameters.get('sections')),
        updateSequence: parameters.get('updatesequence'),
      };
    case 'DescribeCoverage':
      return { kind: 'DescribeCoverage', ids: requireParameter(parameters, 'coverageId', expected) };
    case 'GetCoverage':
      return readGetCoverage(parameters, requireParameter(parameters, 'coverageId', expected));
    case undefined:
      throw problem('ows-operation-unknown', { operation, service: 'WCS 2.0.1', operations, field: operation });
  }
}

/** 2.0.0 is the same on the wire. Parameters of older versions have other meanings. */
function checkVersion(parameters: Parameters): void {
  const accepted = readList(parameters.get('acceptversions') ?? '');
  const version = parameters.get('version');
  const requested = accepted.length > 0 ? accepted : version === undefined ? [] : [version];
  if (requested.length === 0 || requested.some((each) => /^2(\.0)?(\.[01])?$/.test(each))) return;
  if (accepted.length > 0 || requested.some((each) => each.startsWith('1'))) {
    throw problem('wcs-version-unknown', {
      asked: requested,
      spoken: wcsVersions,
      field: accepted.length > 0 ? 'acceptVersions' : 'version',
    });
  }
  negotiateVersion(wcsVersions, { version });
}

function readSections(text: string | undefined): readonly Section[] {
  const requested = readList(text ?? '').map((each) => each.toLowerCase());
  if (requested.length === 0 || requested.includes('all')) return sectionNames;
  return requested.map((each) => {
    const found = sectionNames.find((name) => name.toLowerCase() === each);
    if (found === undefined)
      throw createParameterProblem('sections', each, `expected All, or some of ${sectionNames.join(', ')}`);
    return found;
  });
}

function readGetCoverage(parameters: Parameters, id: string): WcsRequest {
  checkUnsupportedParameters(parameters);
  return {
    kind: 'GetCoverage',
    id,
    subsets: readSubsets(parameters.get('subset') ?? ''),
    subsettingCrs: parameters.get('subsettingcrs'),
    outputCrs: parameters.get('outputcrs'),
    scaling: readScaling(parameters),
    range: readOptionalList(parameters.get('rangesubset')),
    interpolation: readInterpolation(parameters.get('interpolation')),
    format: readFormat(parameters.get('format')),
    isMultipart: readMediaType(parameters.get('mediatype')),
    isPacked: readCompression(parameters.get('geotiff:compression') ?? parameters.get('compression')),
  };
}

/** Parameters of other servers that would change the response, by lower-case name. */
const unsupportedParameters: Readonly<
  Record<string, { readonly what: string; readonly usual?: string; readonly instead: string }>
> = {
  cql_filter: { what: 'Selecting granules by a filter', instead: 'select them by their dimensions (subset)' },
  filter: { what: 'Selecting granules by a filter', instead: 'select them by their dimensions (subset)' },
  sortby: { what: 'Sorting granules', instead: 'omit the parameter' },
  overviewpolicy: {
    what: 'Another overview policy',
    usual: 'quality',
    instead: 'omit the parameter; overviews are read if their resolution is sufficient',
  },
  'geotiff:tiling': { what: 'A tiled GeoTIFF', usual: 'false', instead: 'omit the parameter for a GeoTIFF in strips' },
  'geotiff:interleave': { what: 'Band interleaving', usual: 'pixel', instead: 'omit the parameter' },
  'geotiff:predictor': { what: 'A GeoTIFF with a predictor', usual: 'none', instead: 'omit the parameter' },
};

function checkUnsupportedParameters(parameters: Parameters): void {
  for (const [field, { what, usual, instead }] of Object.entries(unsupportedParameters)) {
    const value = parameters.get(field);
    if (value !== undefined && value.toLowerCase() !== usual) {
      throw problem('ows-option-unsupported', { what, instead, field });
    }
  }
}

function readFormat(text: string | undefined): CoverageFormat {
  const found = text === undefined ? 'tiff' : findCoverageFormat(text);
  if (found === undefined) {
    const offered = Object.values(coverageFormats).map(({ mediaType }) => mediaType);
    throw createParameterProblem('format', text ?? '', `expected one of ${offered.join(', ')}`);
  }
  return found;
}

function readMediaType(text: string | undefined): boolean {
  if (text === undefined) return false;
  if (text.trim().toLowerCase() === 'multipart/related') return true;
  throw createParameterProblem('mediaType', text, 'expected multipart/related, or no value for the file alone');
}

function readCompression(text: string | undefined): boolean {
  if (text === undefined) return true;
  const wanted = text.toLowerCase();
  if (wanted === 'none' || wanted === 'deflate') return wanted === 'deflate';
  throw createParameterProblem('geotiff:compression', text, 'expected None or Deflate');
}

function readOptionalList(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : readList(text);
}

/** A sequence of `Lat(40,50)`, `Long(7)`, `X,EPSG:3857(0,1000)`, `time("2020-01-01T00:00:00Z")`. */
const SUBSET = /\s*,?\s*([^\s,()]+)\s*(?:,\s*([^()]*?)\s*)?\(\s*([^()]*)\)/y;

export function readSubsets(text: string): readonly Subset[] {
  const subsets: Subset[] = [];
  SUBSET.lastIndex = 0;
  while (SUBSET.lastIndex < text.trimEnd().length) {
    const found = SUBSET.exec(text);
    if (found === null) throw createParameterProblem('subset', text, 'expected subsets such as Lat(40,50)');
    const [whole, written = '', crs, inside = ''] = found;
    const ends = inside.split(',').map((end) => readEnd(end.trim(), whole));
    if (ends.length > 2) throw createParameterProblem('subset', whole.trim(), 'expected one or two values');
    const [low, high] = ends;
    const axis = getLastSegment(written);
    if (subsets.some((each) => each.axis.toLowerCase() === axis.toLowerCase())) {
      throw createParameterProblem('subset', axis, 'expected each axis once');
    }
    subsets.push({ axis, crs: crs || undefined, low, high: ends.length === 1 ? low : high });
  }
  return subsets;
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
  if (quoted === text) throw createParameterProblem('subset', whole.trim(), 'expected numbers, times or quoted texts');
  return quoted;
}

const AXIS_VALUE = /^([^\s()]+)\(([^()]*)\)$/;

function readScaling(parameters: Parameters): readonly Scaling[] {
  const given = ['scalefactor', 'scaleaxes', 'scalesize', 'scaleextent'].filter((name) => parameters.has(name));
  const [name, other] = given;
  if (name === undefined) return [];
  if (other !== undefined) throw problem('ows-parameters-exclusive', { parameters: given, field: other });
  const text = parameters.get(name) ?? '';
  if (name === 'scalefactor') return [{ axis: undefined, by: { factor: readFactor(text) } }];
  const parts = text.split(/(?<=\))\s*,\s*/).map((part) => AXIS_VALUE.exec(part.trim()));
  return parts.map((part) => {
    if (part === null) throw createParameterProblem(name, text, 'expected values such as i(2),j(2)');
    const [, written = '', value = ''] = part;
    const axis = getLastSegment(written);
    if (name === 'scaleaxes') return { axis, by: { factor: readFactor(value) } };
    return { axis, by: { size: name === 'scaleextent' ? readExtent(value) : readSize(value) } };
  });
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

function readInterpolation(text: string | undefined): Interpolation {
  if (text === undefined) return 'nearest';
  const found = findInterpolation(getLastSegment(text));
  if (found === undefined) throw problem('wcs-interpolation-unknown', { method: text, field: 'interpolation' });
  return found;
}

function createParameterProblem(parameter: string, value: string, expected: string): Problem {
  return problem('ows-parameter-invalid', { parameter, value, expected, field: parameter });
}
