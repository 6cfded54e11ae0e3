/** The capabilities of WFS 1.1.0. */
import { inPieces } from '../../ows/capabilities-parts.ts';
import { operation, type PrintAllowed, serviceIdentification, serviceProvider, values } from '../../ows/ows-common.ts';
import { wfsVersions } from '../request.ts';
import { parametersOf } from './allowed-parameters.ts';
import { type CapabilitiesContent, wants } from './content.ts';
import { listedFeatureType } from './feature-type.ts';
import { comparisonsOf11, geometryOperandsOf11, spatialOperators } from './filter-operators.ts';

const print: PrintAllowed = (kind, allowed) => `<ows:${kind} name="${allowed.name}">${values(allowed)}</ows:${kind}>`;

export function* capabilities11(content: CapabilitiesContent): Iterable<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<wfs:WFS_Capabilities version="1.1.0" xmlns="http://www.opengis.net/wfs" xmlns:wfs="http://www.opengis.net/wfs" xmlns:ows="http://www.opengis.net/ows" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs http://schemas.opengis.net/wfs/1.1.0/wfs.xsd" updateSequence="${content.updateSequence}">
`;
  if (wants(content, 'ServiceIdentification')) yield serviceIdentification(content.service, 'WFS', wfsVersions);
  if (wants(content, 'ServiceProvider')) yield serviceProvider(content);
  if (wants(content, 'OperationsMetadata')) yield operationsMetadata(content);
  if (wants(content, 'FeatureTypeList')) {
    const actions = content.operations.includes('Transaction') ? ['Query', 'Insert', 'Update', 'Delete'] : ['Query'];
    yield `<FeatureTypeList>\n<Operations>${actions.map((name) => `<Operation>${name}</Operation>`).join('')}</Operations>\n`;
    yield* inPieces(content.types, (type) => listedFeatureType(type, '1.1.0'));
    yield '</FeatureTypeList>\n';
  }
  if (wants(content, 'Filter_Capabilities')) yield filterCapabilities;
  yield '</wfs:WFS_Capabilities>\n';
}

function operationsMetadata(content: CapabilitiesContent): string {
  const operations = content.operations.map((name) =>
    operation(
      name,
      content.address,
      parametersOf(name, content, wfsVersions),
      print,
      name === 'Transaction' ? ['POST'] : ['GET', 'POST'],
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
