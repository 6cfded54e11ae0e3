/** Requests of a WCS that come as XML documents, as the pairs that say the same: elements are looked for by local names. */
import { attributeOf, childNamed, childrenNamed, childText, textsOf } from '../../data/cascade/xml-parts.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Parameters } from '../ows/parameters.ts';

type Said = Readonly<Record<string, string | null | undefined>>;

/** What is no request of a WCS is told by whoever reads the pairs. */
export function pairsOfDocument(root: XmlElement): Parameters {
  const said: Said = { request: root.local, version: versionOf(root), ...partsOf(root) };
  return new Map(Object.entries(said).flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
}

/** Documents of former versions have namespaces of their own, and need not say more. */
function versionOf(root: XmlElement): string | undefined {
  const said = attributeOf(root, 'version');
  if (said !== undefined && said !== '') return said;
  if (root.uri === 'http://www.opengis.net/wcs') return '1.0.0';
  return root.uri.startsWith('http://www.opengis.net/wcs/1.1') ? '1.1.1' : undefined;
}

function partsOf(root: XmlElement): Said {
  switch (root.local) {
    case 'GetCapabilities':
      return {
        acceptversions: textsOf(childNamed(root, 'AcceptVersions'), 'Version').join(','),
        sections: textsOf(childNamed(root, 'Sections'), 'Section').join(','),
        updatesequence: attributeOf(root, 'updateSequence'),
      };
    case 'DescribeCoverage':
      return { coverageid: textsOf(root, 'CoverageId').join(',') };
    case 'GetCoverage':
      return {
        coverageid: childText(root, 'CoverageId'),
        subset: [
          ...childrenNamed(root, 'DimensionTrim').map((each) => subsetOf(each, 'TrimLow', 'TrimHigh')),
          ...childrenNamed(root, 'DimensionSlice').map((each) => subsetOf(each, 'SlicePoint')),
        ].join(','),
        format: childText(root, 'format'),
        mediatype: childText(root, 'mediaType'),
        ...extensionsOf(childNamed(root, 'Extension')),
      };
    default:
      return {};
  }
}

/** `Lat(40,50)`; an end that is left out is that of the coverage. */
function subsetOf(element: XmlElement, ...ends: readonly string[]): string {
  const crs = element.attributes.find(({ local }) => local === 'crs')?.value;
  const values = ends.map((end) => quoted(childText(element, end) ?? '*'));
  return `${childText(element, 'Dimension') ?? ''}${crs ? `,${crs}` : ''}(${values.join(',')})`;
}

/** Numbers and stars stand for themselves. */
function quoted(value: string): string {
  const isPlain = value === '*' || value.startsWith('"') || Number.isFinite(Number(value));
  return isPlain ? value : `"${value}"`;
}

/** The standards of scaling, ranges, systems, interpolation and GeoTIFF; scaling may stand in an element of its own. */
function extensionsOf(extension: XmlElement | undefined): Said {
  const scaling = childNamed(extension, 'Scaling') ?? extension;
  const interpolation = childNamed(extension, 'Interpolation');
  const geotiff = childNamed(extension, 'parameters') ?? extension;
  return {
    subsettingcrs: childText(childNamed(extension, 'CRS') ?? extension, 'subsettingCrs'),
    outputcrs: childText(childNamed(extension, 'CRS') ?? extension, 'outputCrs'),
    scalefactor: childText(childNamed(scaling, 'ScaleByFactor'), 'scaleFactor'),
    scaleaxes: perAxis(childNamed(scaling, 'ScaleAxesByFactor'), 'ScaleAxis', 'scaleFactor'),
    scalesize: perAxis(childNamed(scaling, 'ScaleToSize'), 'TargetAxisSize', 'targetSize'),
    scaleextent: perAxis(childNamed(scaling, 'ScaleToExtent'), 'TargetAxisExtent', 'low', 'high'),
    overviewpolicy: childText(extension, 'OverviewPolicy') ?? childText(extension, 'overviewPolicy'),
    rangesubset: rangeOf(childNamed(extension, 'RangeSubset')),
    interpolation:
      childText(interpolation, 'globalInterpolation') ??
      childText(childNamed(interpolation, 'InterpolationMethod'), 'globalInterpolation') ??
      childText(interpolation, 'InterpolationMethod'),
    ...Object.fromEntries(
      ['compression', 'tiling', 'interleave', 'predictor'].map((name) => [`geotiff:${name}`, childText(geotiff, name)]),
    ),
  };
}

/** `i(2),j(3)`, or `i(0:99)` with both ends. */
function perAxis(element: XmlElement | undefined, part: string, ...values: readonly string[]): string {
  const parts = element === undefined ? [] : childrenNamed(element, part);
  return parts
    .map((each) => `${childText(each, 'axis') ?? ''}(${values.map((name) => childText(each, name) ?? '').join(':')})`)
    .join(',');
}

/** `red,green:blue` */
function rangeOf(element: XmlElement | undefined): string {
  const items = element === undefined ? [] : childrenNamed(element, 'RangeItem');
  return items
    .map((item) => {
      const interval = childNamed(item, 'RangeInterval');
      return interval === undefined
        ? (childText(item, 'RangeComponent') ?? '')
        : `${childText(interval, 'startComponent') ?? ''}:${childText(interval, 'endComponent') ?? ''}`;
    })
    .join(',');
}
