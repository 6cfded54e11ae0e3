/** The operations of each WFS version. */
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import type { WfsRequest, WfsVersion } from './request.ts';

export type Operation = WfsRequest['kind'];

const common: readonly Operation[] = ['GetCapabilities', 'DescribeFeatureType', 'GetFeature', 'Transaction'];
const since2: readonly Operation[] = ['GetPropertyValue', 'ListStoredQueries', 'DescribeStoredQueries'];

export function listOperations(version: WfsVersion): readonly Operation[] {
  return version === '2.0.0' ? [...common, ...since2] : common;
}

export function createOperationProblem(operation: string, version: WfsVersion): Problem {
  return problem('ows-operation-unknown', {
    operation,
    service: `WFS ${version}`,
    operations: listOperations(version),
    field: operation,
  });
}
