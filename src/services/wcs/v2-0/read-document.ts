/** Converts WCS XML requests to equivalent key-value pairs; elements are found by local name. */
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

/** Documents of other services are rejected when the pairs are parsed. */
export function readDocumentPairs(root: XmlElement): Parameters {
  const pairs: SentPairs = { request: root.local, version: readVersion(root), ...readOperationPairs(root) };
  return new Map(Object.entries(pairs).flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
}

/** Documents of older versions are recognised by their namespace, even without a version. */
function readVersion(root: XmlElement): string | undefined {
  const version = findAttribute(root, 'version');
  if (version !== undefined && version !== '') return version;
  if (root.uri === 'http://www.opengis.net/wcs') return '1.0.0';
  return root.uri.startsWith('http://www.opengis.net/wcs/1.1') ? '1.1.1' : undefined;
}

function readOperationPairs(root: XmlElement): SentPairs {
  switch (root.local) {
    case 'GetCapabilities':
      return {
        acceptversions: readChildTexts(findChild(root, 'AcceptVersions'), 'Version').join(','),
        sections: readChildTexts(findChild(root, 'Sections'), 'Section').join(','),
        updatesequence: findAttribute(root, 'updateSequence'),
      };
    case 'DescribeCoverage':
      return { coverageid: readChildTexts(root, 'CoverageId').join(',') };
    case 'GetCoverage':
      return {
        coverageid: readChildText(root, 'CoverageId'),
        subset: [
          ...findChildren(root, 'DimensionTrim').map((each) => formatSubsetPair(each, 'TrimLow', 'TrimHigh')),
          ...findChildren(root, 'DimensionSlice').map((each) => formatSubsetPair(each, 'SlicePoint')),
        ].join(','),
        format: readChildText(root, 'format'),
        mediatype: readChildText(root, 'mediaType'),
        ...readExtensionPairs(findChild(root, 'Extension')),
      };
    default:
      return {};
  }
}

/** Formats `Lat(40,50)`; an absent end is that of the coverage. */
function formatSubsetPair(element: XmlElement, ...ends: readonly string[]): string {
  const crs = element.attributes.find(({ local }) => local === 'crs')?.value;
  const values = ends.map((end) => quoteValue(readChildText(element, end) ?? '*'));
  return `${readChildText(element, 'Dimension') ?? ''}${crs ? `,${crs}` : ''}(${values.join(',')})`;
}

/** Numbers and asterisks are not quoted. */
function quoteValue(value: string): string {
  const isPlain = value === '*' || value.startsWith('"') || Number.isFinite(Number(value));
  return isPlain ? value : `"${value}"`;
}

/**
 * The extensions for scaling, range subsetting, CRS, interpolation and GeoTIFF; scaling may have an element of its
 * own.
 */
function readExtensionPairs(extension: XmlElement | undefined): SentPairs {
  const scaling = findChild(extension, 'Scaling') ?? extension;
  const interpolation = findChild(extension, 'Interpolation');
  const geotiff = findChild(extension, 'parameters') ?? extension;
  return {
    subsettingcrs: readChildText(findChild(extension, 'CRS') ?? extension, 'subsettingCrs'),
    outputcrs: readChildText(findChild(extension, 'CRS') ?? extension, 'outputCrs'),
    scalefactor: readChildText(findChild(scaling, 'ScaleByFactor'), 'scaleFactor'),
    scaleaxes: formatPerAxis(findChild(scaling, 'ScaleAxesByFactor'), 'ScaleAxis', 'scaleFactor'),
    scalesize: formatPerAxis(findChild(scaling, 'ScaleToSize'), 'TargetAxisSize', 'targetSize'),
    scaleextent: formatPerAxis(findChild(scaling, 'ScaleToExtent'), 'TargetAxisExtent', 'low', 'high'),
    overviewpolicy: readChildText(extension, 'OverviewPolicy') ?? readChildText(extension, 'overviewPolicy'),
    rangesubset: formatRangeSubset(findChild(extension, 'RangeSubset')),
    interpolation:
      readChildText(interpolation, 'globalInterpolation') ??
      readChildText(findChild(interpolation, 'InterpolationMethod'), 'globalInterpolation') ??
      readChildText(interpolation, 'InterpolationMethod'),
    ...Object.fromEntries(
      ['compression', 'tiling', 'interleave', 'predictor'].map((name) => [
        `geotiff:${name}`,
        readChildText(geotiff, name),
      ]),
    ),
  };
}

/** Formats `i(2),j(3)`, or `i(0:99)` with both ends. */
function formatPerAxis(element: XmlElement | undefined, part: string, ...values: readonly string[]): string {
  const parts = element === undefined ? [] : findChildren(element, part);
  return parts
    .map(
      (each) =>
        `${readChildText(each, 'axis') ?? ''}(${values.map((name) => readChildText(each, name) ?? '').join(':')})`,
    )
    .join(',');
}

/** Formats `red,green:blue`. */
function formatRangeSubset(element: XmlElement | undefined): string {
  const items = element === undefined ? [] : findChildren(element, 'RangeItem');
  return items
    .map((item) => {
      const interval = findChild(item, 'RangeInterval');
      return interval === undefined
        ? (readChildText(item, 'RangeComponent') ?? '')
        : `${readChildText(interval, 'startComponent') ?? ''}:${readChildText(interval, 'endComponent') ?? ''}`;
    })
    .join(',');
}
