/** Converts XML requests of WCS 1.0.0 to key-value pairs; elements are found by local name. */
import {
  findAttribute,
  findChild,
  findChildren,
  readChildText,
  readChildTexts,
} from '../../../cascade/xml-elements.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Parameters } from '../../ows/parameters.ts';

type SentPairs = Readonly<Record<string, string | null | undefined>>;

export function readDocument(root: XmlElement): Parameters {
  const pairs: SentPairs = {
    request: root.local,
    version: findAttribute(root, 'version'),
    ...readOperationPairs(root),
  };
  return new Map(Object.entries(pairs).flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
}

function readOperationPairs(root: XmlElement): SentPairs {
  switch (root.local) {
    case 'GetCapabilities':
      return { section: readChildText(root, 'section'), updatesequence: findAttribute(root, 'updateSequence') };
    case 'DescribeCoverage':
      return { coverage: readChildTexts(root, 'Coverage').join(',') };
    case 'GetCoverage':
      return readCoveragePairs(root);
    default:
      return {};
  }
}

function readCoveragePairs(root: XmlElement): SentPairs {
  const domain = findChild(root, 'domainSubset');
  const space = findChild(domain, 'spatialSubset');
  const envelope = findChild(space, 'Envelope') ?? findChild(space, 'EnvelopeWithTimePeriod');
  const output = findChild(root, 'output');
  const envelopeCrs = envelope && findAttribute(envelope, 'srsName');
  const outputCrs = readChildText(output, 'crs');
  return {
    coverage: readChildText(root, 'sourceCoverage'),
    crs: envelopeCrs || outputCrs,
    response_crs: outputCrs,
    bbox: formatBox(envelope),
    time: formatTimes(findChild(domain, 'temporalSubset') ?? findChild(space, 'temporalSubset')),
    ...readGridPairs(findChild(space, 'Grid') ?? findChild(space, 'RectifiedGrid')),
    ...readAxisPairs(findChild(root, 'rangeSubset')),
    interpolation: readChildText(root, 'interpolationMethod'),
    format: readChildText(output, 'format'),
  };
}

/** Formats two positions `1 2` and `3 4` as `1,2,3,4`, and elevations behind them. */
function formatBox(envelope: XmlElement | undefined): string | undefined {
  if (envelope === undefined) return undefined;
  const positions = readChildTexts(envelope, 'pos');
  const corners =
    positions.length > 0 ? positions : [readChildText(envelope, 'lowerCorner'), readChildText(envelope, 'upperCorner')];
  const [low = [], high = []] = corners.map((each) => (each ?? '').trim().split(/\s+/));
  return [...low.slice(0, 2), ...high.slice(0, 2), ...low.slice(2), ...high.slice(2)].join(',');
}

function formatTimes(subset: XmlElement | undefined): string | undefined {
  if (subset === undefined) return undefined;
  const periods = [...findChildren(subset, 'timePeriod'), ...findChildren(subset, 'TimePeriod')].map((period) =>
    ['beginPosition', 'endPosition', 'timeResolution'].flatMap((name) => readChildText(period, name) ?? []).join('/'),
  );
  return [...readChildTexts(subset, 'timePosition'), ...periods].join(',');
}

/** The limits of a grid are its size; the offsets of a rectified grid are its resolution. */
function readGridPairs(grid: XmlElement | undefined): SentPairs {
  const limits = findChild(findChild(grid, 'limits'), 'GridEnvelope');
  const [low, high] = ['low', 'high'].map((name) =>
    (readChildText(limits, name) ?? '').trim().split(/\s+/).map(Number),
  );
  const count = (axis: 0 | 1) => {
    const size = (high?.[axis] ?? Number.NaN) - (low?.[axis] ?? Number.NaN);
    return Number.isNaN(size) ? undefined : String(size);
  };
  const [[offsetX] = [], [, offsetY] = []] = readChildTexts(grid, 'offsetVector').map((each) => each.split(/\s+/));
  if (offsetX !== undefined && offsetY !== undefined) {
    return { resx: offsetX.replace(/^-/, ''), resy: offsetY.replace(/^-/, '') };
  }
  return { width: count(0), height: count(1) };
}

/** Axes are bands, elevations or other dimensions. */
function readAxisPairs(subset: XmlElement | undefined): SentPairs {
  const axes = subset === undefined ? [] : findChildren(subset, 'axisSubset');
  return Object.fromEntries(
    axes.map((axis) => {
      const intervals = findChildren(axis, 'interval').map((each) =>
        ['min', 'max', 'res'].flatMap((part) => readChildText(each, part) ?? []).join('/'),
      );
      const values = [...readChildTexts(axis, 'singleValue'), ...intervals].join(',');
      return [toParameterName((findAttribute(axis, 'name') ?? '').toLowerCase()), values];
    }),
  );
}

function toParameterName(axis: string): string {
  if (axis === 'band' || axis === 'bands') return 'band';
  return axis === 'elevation' || axis.startsWith('dim_') ? axis : `dim_${axis}`;
}
