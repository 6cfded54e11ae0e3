/** Writes the capabilities of WFS 2.0.0. */
import { type FunctionDescription, functionTable } from '../../../filter/evaluate/evaluate.ts';
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
import { comparisonsOf20, geometryOperandsOf20, spatialOperators, temporalOperators } from './filter-operators.ts';

const writeAllowedValues: WriteAllowedValues = (kind, allowed) =>
  `<ows:${kind} name="${allowed.name}"><ows:AllowedValues>${writeValues(allowed)}</ows:AllowedValues></ows:${kind}>`;

export function* writeCapabilities20(content: CapabilitiesContent): Iterable<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<wfs:WFS_Capabilities version="2.0.0" xmlns="http://www.opengis.net/wfs/2.0" xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1" xmlns:fes="http://www.opengis.net/fes/2.0" xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/wfs/2.0 http://schemas.opengis.net/wfs/2.0/wfs.xsd" updateSequence="${content.updateSequence}">
`;
  if (hasSection(content, 'ServiceIdentification'))
    yield writeServiceIdentification(content.service, 'WFS', wfsVersions.toReversed());
  if (hasSection(content, 'ServiceProvider')) yield writeServiceProvider(content);
  if (hasSection(content, 'OperationsMetadata')) yield writeOperationsMetadata(content);
  if (hasSection(content, 'FeatureTypeList')) {
    yield '<FeatureTypeList>\n';
    yield* writeInPieces(content.types, (type) => writeFeatureType(type, '2.0.0'));
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
        methods: name === 'Transaction' || name === 'CreateStoredQuery' ? ['POST'] : ['GET', 'POST'],
      },
      writeAllowedValues,
    ),
  );
  const isWriting = content.operations.includes('Transaction');
  return `<ows:OperationsMetadata>
${operations.join('')}<ows:Parameter name="version"><ows:AllowedValues>${wfsVersions.map((version) => `<ows:Value>${version}</ows:Value>`).join('')}</ows:AllowedValues></ows:Parameter>
${writeConstraint('ImplementsSimpleWFS', 'TRUE')}
${writeConstraint('ImplementsBasicWFS', 'TRUE')}
${writeConstraint('ImplementsTransactionalWFS', isWriting ? 'TRUE' : 'FALSE')}
${writeConstraint('ImplementsLockingWFS', content.operations.includes('LockFeature') ? 'TRUE' : 'FALSE')}
${writeConstraint('KVPEncoding', 'TRUE')}
${writeConstraint('XMLEncoding', 'TRUE')}
${writeConstraint('SOAPEncoding', 'FALSE')}
${writeConstraint('ImplementsInheritance', 'FALSE')}
${writeConstraint('ImplementsRemoteResolve', 'FALSE')}
${writeConstraint('ImplementsResultPaging', 'TRUE')}
${writeConstraint('ImplementsStandardJoins', 'TRUE')}
${writeConstraint('ImplementsSpatialJoins', 'TRUE')}
${writeConstraint('ImplementsTemporalJoins', 'TRUE')}
${writeConstraint('ImplementsFeatureVersioning', 'FALSE')}
${writeConstraint('ManageStoredQueries', content.operations.includes('CreateStoredQuery') ? 'TRUE' : 'FALSE')}
${writeConstraint('PagingIsTransactionSafe', 'FALSE')}
${writeConstraint('CountDefault', String(content.countDefault))}
${writeAllowedValues('Constraint', { name: 'QueryExpressions', values: ['wfs:Query', 'wfs:StoredQuery'] })}
</ows:OperationsMetadata>
`;
}

function writeConstraint(name: string, value: string): string {
  return `<ows:Constraint name="${name}"><ows:NoValues/><ows:DefaultValue>${value}</ows:DefaultValue></ows:Constraint>`;
}

/** The conformance classes of FES 2.0, with whether they are supported. */
const conformance: readonly (readonly [string, boolean])[] = [
  ['ImplementsQuery', true],
  ['ImplementsAdHocQuery', true],
  ['ImplementsFunctions', true],
  ['ImplementsResourceId', true],
  ['ImplementsMinStandardFilter', true],
  ['ImplementsStandardFilter', true],
  ['ImplementsMinSpatialFilter', true],
  ['ImplementsSpatialFilter', true],
  ['ImplementsMinTemporalFilter', true],
  ['ImplementsTemporalFilter', false],
  ['ImplementsVersionNav', false],
  ['ImplementsSorting', true],
  ['ImplementsExtendedOperators', false],
  ['ImplementsMinimumXPath', true],
  ['ImplementsSchemaElementFunc', false],
];

const functionTypes: Readonly<Record<FunctionDescription['result'], string>> = {
  any: 'xs:anySimpleType',
  text: 'xs:string',
  number: 'xs:double',
  boolean: 'xs:boolean',
  time: 'xs:dateTime',
  geometry: 'gml:AbstractGeometryType',
};

function writeFunction({ name, arguments: given, result }: FunctionDescription): string {
  const list = given
    .map((each) => `<fes:Argument name="${each.name}"><fes:Type>${functionTypes[each.type]}</fes:Type></fes:Argument>`)
    .join('');
  const written = list === '' ? '' : `<fes:Arguments>${list}</fes:Arguments>`;
  return `<fes:Function name="${name}"><fes:Returns>${functionTypes[result]}</fes:Returns>${written}</fes:Function>`;
}

const filterCapabilities = `<fes:Filter_Capabilities>
<fes:Conformance>
${conformance.map(([name, isTrue]) => `<fes:Constraint name="${name}"><ows:NoValues/><ows:DefaultValue>${isTrue ? 'TRUE' : 'FALSE'}</ows:DefaultValue></fes:Constraint>`).join('\n')}
</fes:Conformance>
<fes:Id_Capabilities><fes:ResourceIdentifier name="fes:ResourceId"/></fes:Id_Capabilities>
<fes:Scalar_Capabilities>
<fes:LogicalOperators/>
<fes:ComparisonOperators>${comparisonsOf20.map((name) => `<fes:ComparisonOperator name="${name}"/>`).join('')}</fes:ComparisonOperators>
</fes:Scalar_Capabilities>
<fes:Spatial_Capabilities>
<fes:GeometryOperands>${geometryOperandsOf20.map((name) => `<fes:GeometryOperand name="${name}"/>`).join('')}</fes:GeometryOperands>
<fes:SpatialOperators>${spatialOperators.map((name) => `<fes:SpatialOperator name="${name}"/>`).join('')}</fes:SpatialOperators>
</fes:Spatial_Capabilities>
<fes:Temporal_Capabilities>
<fes:TemporalOperands><fes:TemporalOperand name="gml:TimeInstant"/><fes:TemporalOperand name="gml:TimePeriod"/></fes:TemporalOperands>
<fes:TemporalOperators>${temporalOperators.map((name) => `<fes:TemporalOperator name="${name}"/>`).join('')}</fes:TemporalOperators>
</fes:Temporal_Capabilities>
<fes:Functions>
${functionTable.map(writeFunction).join('\n')}
</fes:Functions>
</fes:Filter_Capabilities>
`;
