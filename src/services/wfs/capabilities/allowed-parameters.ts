/** The parameters of each operation of WFS 1.1.0 and 2.0.0. */
import type { AllowedValues } from '../../ows/ows-common.ts';
import type { Operation } from '../request/operations.ts';
import type { CapabilitiesContent } from './content.ts';

export function listAllowedParameters(
  name: Operation,
  content: CapabilitiesContent,
  versions: readonly string[],
): readonly AllowedValues[] {
  const { outputFormats, schemaFormats } = content;
  switch (name) {
    case 'GetCapabilities':
      return [
        { name: 'AcceptVersions', values: versions },
        { name: 'AcceptFormats', values: ['text/xml', 'application/xml'] },
        { name: 'Sections', values: sectionNames },
      ];
    case 'DescribeFeatureType':
      return [{ name: 'outputFormat', values: schemaFormats }];
    case 'GetFeature':
      return [
        { name: 'resultType', values: ['results', 'hits'] },
        { name: 'outputFormat', values: outputFormats },
      ];
    case 'GetPropertyValue':
      return [{ name: 'resultType', values: ['results', 'hits'] }];
    default:
      return [];
  }
}

const sectionNames = [
  'ServiceIdentification',
  'ServiceProvider',
  'OperationsMetadata',
  'FeatureTypeList',
  'Filter_Capabilities',
];
