/** Writes a feature type in the capabilities. */
import { escapeText } from '../../../lib/xml/escape.ts';
import { writeTextElement } from '../../ows/capabilities-parts.ts';
import { writeKeywords } from '../../ows/ows-common.ts';
import { formatCrsForVersion } from '../request/crs-names.ts';
import { formatQualifiedName, type ListedType, writeNamespaceDeclaration } from './content.ts';

/** Writes a type for WFS 1.1 and 2.0, which have different names for the CRS elements. */
export function writeFeatureType(type: ListedType, version: '1.1.0' | '2.0.0'): string {
  const word = version === '1.1.0' ? 'SRS' : 'CRS';
  const { bounds, crs } = type;
  const systems =
    crs === undefined
      ? `<No${word}/>`
      : `<Default${word}>${escapeText(formatCrsForVersion(version, crs))}</Default${word}>${type.otherCrs.map((code) => `<Other${word}>${escapeText(formatCrsForVersion(version, code))}</Other${word}>`).join('')}`;
  // WFS 2.0 lists operations for the service only.
  const operations =
    type.isWritable || version === '2.0.0' ? '' : '<Operations><Operation>Query</Operation></Operations>\n';
  const box =
    bounds === undefined
      ? ''
      : `<ows:WGS84BoundingBox><ows:LowerCorner>${bounds.minX} ${bounds.minY}</ows:LowerCorner><ows:UpperCorner>${bounds.maxX} ${bounds.maxY}</ows:UpperCorner></ows:WGS84BoundingBox>\n`;
  return `<FeatureType${writeNamespaceDeclaration(type)}>
<Name>${formatQualifiedName(type)}</Name>
<Title>${escapeText(type.title)}</Title>
${writeTextElement('Abstract', type.abstract)}
${writeKeywords(type.keywords)}
${systems}
${operations}${box}</FeatureType>
`;
}
