/** Writes a feature type in the capabilities. */
import { escapeText } from '../../../lib/xml/escape.ts';
import { writeTextElement } from '../../ows/capabilities-parts.ts';
import { writeKeywords } from '../../ows/ows-common.ts';
import { formatCrsForVersion } from '../request/crs-names.ts';
import { formatQualifiedName, type ListedType, writeNamespaceDeclaration } from './content.ts';

/** WFS 2.0 lists operations for the service only, and has this element for all else that is known of a type. */
const readOnlyDescription =
  '<ExtendedDescription><Element name="Operations" type="xs:string"><ows:Metadata xlink:title="Operations on the features of this type"/><ValueList><Value>Query</Value></ValueList></Element></ExtendedDescription>\n';

/** Writes a type for WFS 1.1 and 2.0, which have different names for the CRS elements. */
export function writeFeatureType(type: ListedType, version: '1.1.0' | '2.0.0'): string {
  const word = version === '1.1.0' ? 'SRS' : 'CRS';
  const { bounds, crs } = type;
  const systems =
    crs === undefined
      ? `<No${word}/>`
      : `<Default${word}>${escapeText(formatCrsForVersion(version, crs))}</Default${word}>${type.otherCrs.map((code) => `<Other${word}>${escapeText(formatCrsForVersion(version, code))}</Other${word}>`).join('')}`;
  const isOlder = version === '1.1.0';
  const operations = !type.isWritable && isOlder ? '<Operations><Operation>Query</Operation></Operations>\n' : '';
  const extended = type.isWritable || isOlder ? '' : readOnlyDescription;
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
${operations}${box}${extended}</FeatureType>
`;
}
