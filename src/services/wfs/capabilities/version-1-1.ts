/** Writes the capabilities of WFS 1.1.0. */
import { writeInPieces } from '../../ows/capabilities-parts.ts';
import {
  type WriteAllowedValues,
  writeOperation,
  writeServiceIdentification,
  writeServiceProvider,
  writeValues,
} from '../../ows/ows-common.ts';
import { wfsVersions } from '../request/request.ts';
import { listAllowedParameters } from './allowed-parameters.ts';
import { type CapabilitiesContent, hasSection } from './content.ts';
import { writeFeatureType } from './feature-type.ts';
import { comparisonsOf11, geometryOperandsOf11, spatialOperators } from './filter-operators.ts';

const writeAllowedValues: WriteAllowedValues = (kind, allowed) =>
  `<ows:${kind} name="${allowed.name}">${writeValues(allowed)}</ows:${kind}>`;

export function* writeCapabilities11(content: CapabilitiesContent): Iterable<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<wfs:WFS_Capabilities version="1.1.0" xmlns="http://www.opengis.net/wfs" xmlns:wfs="http://www.opengis.net/wfs" xmlns:ows="http://www.opengis.net/ows" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs http://schemas.opengis.net/wfs/1.1.0/wfs.xsd" updateSequence="${content.updateSequence}">
`;
  if (hasSection(content, 'ServiceIdentification'))
    yield writeServiceIdentification(content.service, 'WFS', wfsVersions);
  if (hasSection(content, 'ServiceProvider')) yield writeServiceProvider(content);
  if (hasSection(content, 'OperationsMetadata')) yield writeOperationsMetadata(content);
  if (hasSection(content, 'FeatureTypeList')) {
    const actions = [
      'Query',
      ...(content.operations.includes('Transaction') ? ['Insert', 'Update', 'Delete'] : []),
      ...(content.operations.includes('LockFeature') ? ['Lock'] : []),
    ];
    yield `<FeatureTypeList>\n<Operations>${actions.map((name) => `<Operation>${name}</Operation>`).join('')}</Operations>\n`;
    yield* writeInPieces(content.types, (type) => writeFeatureType(type, '1.1.0'));
    yield '</FeatureTypeList>\n';
  }
  if (hasSection(content, 'Filter_Capabilities')) yield filterCapabilities;
  yield '</wfs:WFS_Capabilities>\n';
}

function writeOperationsMetadata(content: CapabilitiesContent): string {
  const operations = content.operations.map((name) =>
    writeOperation(
      {
        name,
        address: content.address,
        parameters: listAllowedParameters(name, content, wfsVersions),
        methods: name === 'Transaction' ? ['POST'] : ['GET', 'POST'],
      },
      writeAllowedValues,
    ),
  );
  return `<ows:OperationsMetadata>
${operations.join('')}</ows:OperationsMetadata>
`;
}

const filterCapabilities = `<ogc:Filter_Capabilities>
<ogc:Spatial_Capabilities>
<ogc:GeometryOperands>${geometryOperandsOf11.map((name) => `<ogc:GeometryOperand>${name}</ogc:GeometryOperand>`).join('')}</ogc:GeometryOperands>
<ogc:SpatialOperators>${spatialOperators.map((name) => `<ogc:SpatialOperator name="${name}"/>`).join('')}</ogc:SpatialOperators>
</ogc:Spatial_Capabilities>
<ogc:Scalar_Capabilities>
<ogc:LogicalOperators/>
<ogc:ComparisonOperators>${comparisonsOf11.map((name) => `<ogc:ComparisonOperator>${name}</ogc:ComparisonOperator>`).join('')}</ogc:ComparisonOperators>
<ogc:ArithmeticOperators><ogc:SimpleArithmetic/></ogc:ArithmeticOperators>
</ogc:Scalar_Capabilities>
<ogc:Id_Capabilities><ogc:FID/><ogc:EID/></ogc:Id_Capabilities>
</ogc:Filter_Capabilities>
`;
