/** Writes the capabilities of WFS 1.0.0. */
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import { writeInPieces, writeTextElement } from '../../ows/capabilities-parts.ts';
import { formatCrsForVersion } from '../request/crs-names.ts';
import {
  type CapabilitiesContent,
  formatQualifiedName,
  type ListedType,
  writeNamespaceDeclaration,
} from './content.ts';
import { comparisonsOf10, spatialOperatorsOf10 } from './filter-operators.ts';

export function* writeCapabilities10(content: CapabilitiesContent): Iterable<string> {
  const { service, address } = content;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<WFS_Capabilities version="1.0.0" xmlns="http://www.opengis.net/wfs" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs http://schemas.opengis.net/wfs/1.0.0/WFS-capabilities.xsd" updateSequence="${content.updateSequence}">
<Service>
<Name>WFS</Name>
<Title>${escapeText(service.title)}</Title>
${writeTextElement('Abstract', service.abstract)}
<Keywords>${escapeText(service.keywords.join(', '))}</Keywords>
<OnlineResource>${escapeText(service.onlineResource || address)}</OnlineResource>
<Fees>${escapeText(service.fees)}</Fees>
<AccessConstraints>${escapeText(service.accessConstraints)}</AccessConstraints>
</Service>
<Capability>
<Request>
${content.operations.map((operation) => writeRequest(operation, content)).join('\n')}
</Request>
</Capability>
<FeatureTypeList>
<Operations><Query/>${content.operations.includes('Transaction') ? '<Insert/><Update/><Delete/>' : ''}${content.operations.includes('LockFeature') ? '<Lock/>' : ''}</Operations>
`;
  yield* writeInPieces(content.types, writeFeatureType);
  yield `</FeatureTypeList>
<ogc:Filter_Capabilities>
<ogc:Spatial_Capabilities>
<ogc:Spatial_Operators>${spatialOperatorsOf10.map((name) => `<ogc:${name}/>`).join('')}</ogc:Spatial_Operators>
</ogc:Spatial_Capabilities>
<ogc:Scalar_Capabilities>
<ogc:Logical_Operators/>
<ogc:Comparison_Operators>${comparisonsOf10.map((name) => `<ogc:${name}/>`).join('')}</ogc:Comparison_Operators>
<ogc:Arithmetic_Operators><ogc:Simple_Arithmetic/></ogc:Arithmetic_Operators>
</ogc:Scalar_Capabilities>
</ogc:Filter_Capabilities>
</WFS_Capabilities>
`;
}

function writeRequest(operation: string, { address, outputFormats, lockFormats }: CapabilitiesContent): string {
  const url = escapeAttribute(address);
  const get = operation === 'Transaction' ? '' : `<DCPType><HTTP><Get onlineResource="${url}"/></HTTP></DCPType>`;
  const post = `<DCPType><HTTP><Post onlineResource="${url}"/></HTTP></DCPType>`;
  return `<${operation}>${writeResultFormats(operation, operation === 'GetFeature' ? outputFormats : lockFormats)}${get}${post}</${operation}>`;
}

/** Formats are element names in this version, which excludes media types. */
function writeResultFormats(operation: string, formats: readonly string[]): string {
  if (operation === 'DescribeFeatureType') {
    return '<SchemaDescriptionLanguage><XMLSCHEMA/></SchemaDescriptionLanguage>';
  }
  if (operation !== 'GetFeature' && operation !== 'GetFeatureWithLock') return '';
  const names = formats.filter((name) => /^[A-Za-z][\w-]*$/.test(name));
  return `<ResultFormat>${names.map((name) => `<${name}/>`).join('')}</ResultFormat>`;
}

function writeFeatureType(type: ListedType): string {
  const { bounds, crs } = type;
  const box =
    bounds === undefined
      ? ''
      : `<LatLongBoundingBox minx="${bounds.minX}" miny="${bounds.minY}" maxx="${bounds.maxX}" maxy="${bounds.maxY}"/>\n`;
  return `<FeatureType${writeNamespaceDeclaration(type)}>
<Name>${formatQualifiedName(type)}</Name>
<Title>${escapeText(type.title)}</Title>
${writeTextElement('Abstract', type.abstract)}
<Keywords>${escapeText(type.keywords.join(', '))}</Keywords>
<SRS>${escapeText(crs === undefined ? '' : formatCrsForVersion('1.0.0', crs))}</SRS>
${type.isWritable ? '' : '<Operations><Query/></Operations>\n'}${box}</FeatureType>
`;
}
