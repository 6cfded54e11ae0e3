/** The parameters of each operation of WFS 1.1.0 and 2.0.0. */
import type { AllowedValues } from '../../ows/ows-common.ts';
import type { Operation } from '../request/operations.ts';
import { STORED_QUERY_LANGUAGE } from '../request/read-create-stored-query.ts';
import type { CapabilitiesContent } from './content.ts';

export function listAllowedParameters(
  name: Operation,
  content: CapabilitiesContent,
  versions: readonly string[],
): readonly AllowedValues[] {
  const { outputFormats, lockFormats, schemaFormats } = content;
  switch (name) {
    case 'GetCapabilities':
      return [
        { name: 'AcceptVersions', values: versions },
        { name: 'AcceptFormats', values: ['text/xml', 'application/xml'] },
        { name: 'Sections', values: sectionNames },
      ];
    case 'DescribeFeatureType':
      return [{ name: 'outputFormat', values: schemaFormats }];
    case 'LockFeature':
      return [{ name: 'lockAction', values: ['ALL', 'SOME'] }];
    case 'GetFeatureWithLock':
      return [{ name: 'outputFormat', values: lockFormats }];
    case 'GetFeature':
      return [
        { name: 'resultType', values: ['results', 'hits'] },
        { name: 'outputFormat', values: outputFormats },
      ];
    case 'CreateStoredQuery':
      return [{ name: 'language', values: [STORED_QUERY_LANGUAGE] }];
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
