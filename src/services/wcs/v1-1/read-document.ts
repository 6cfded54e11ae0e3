/** Converts XML requests of WCS 1.1.1 to key-value pairs; elements are found by local name. */
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
      return {
        sections: readChildTexts(findChild(root, 'Sections'), 'Section').join(','),
        updatesequence: findAttribute(root, 'updateSequence'),
      };
    case 'DescribeCoverage':
      return { identifiers: readChildTexts(root, 'Identifier').join(',') };
    case 'GetCoverage':
      return readCoveragePairs(root);
    default:
      return {};
  }
}

function readCoveragePairs(root: XmlElement): SentPairs {
  const domain = findChild(root, 'DomainSubset');
  const output = findChild(root, 'Output');
  const grid = findChild(output, 'GridCRS');
  return {
    identifier: readChildText(root, 'Identifier'),
    boundingbox: formatBox(findChild(domain, 'BoundingBox')),
    timesequence: formatTimes(findChild(domain, 'TemporalSubset')),
    rangesubset: formatRangeSubset(findChild(root, 'RangeSubset')),
    format: output && findAttribute(output, 'format'),
    store: output && findAttribute(output, 'store'),
    gridbasecrs: readChildText(grid, 'GridBaseCRS'),
    gridtype: readChildText(grid, 'GridType'),
    gridorigin: readChildText(grid, 'GridOrigin'),
    gridoffsets: readChildText(grid, 'GridOffsets'),
    gridcs: readChildText(grid, 'GridCS'),
  };
}

function formatBox(box: XmlElement | undefined): string | undefined {
  if (box === undefined) return undefined;
  const corners = ['LowerCorner', 'UpperCorner'].map((name) => (readChildText(box, name) ?? '').split(/\s+/).join(','));
  return [...corners, findAttribute(box, 'crs')].filter((each) => each !== undefined && each !== '').join(',');
}

function formatTimes(subset: XmlElement | undefined): string | undefined {
  if (subset === undefined) return undefined;
  const periods = findChildren(subset, 'TimePeriod').map((period) =>
    ['BeginPosition', 'EndPosition', 'TimeResolution'].flatMap((name) => readChildText(period, name) ?? []).join('/'),
  );
  return [...readChildTexts(subset, 'timePosition'), ...periods].join(',');
}

/** Formats `contents:linear[Bands[red,2]]`; several fields are separated by semicolons. */
function formatRangeSubset(element: XmlElement | undefined): string | undefined {
  const fields = element === undefined ? [] : findChildren(element, 'FieldSubset');
  return fields
    .map((field) => {
      const method = readChildText(field, 'InterpolationType');
      const axes = findChildren(field, 'AxisSubset').map(
        (axis) => `${readChildText(axis, 'Identifier') ?? ''}[${readChildTexts(axis, 'Key').join(',')}]`,
      );
      const keys = axes.length === 0 ? '' : `[${axes.join(',')}]`;
      return `${readChildText(field, 'Identifier') ?? ''}${method === null ? '' : `:${method}`}${keys}`;
    })
    .join(';');
}
