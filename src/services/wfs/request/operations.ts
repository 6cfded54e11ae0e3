/** The operations of each WFS version. */
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import type { WfsRequest, WfsVersion } from './request.ts';

export type Operation = WfsRequest['kind'];

const common: readonly Operation[] = [
  'GetCapabilities',
  'DescribeFeatureType',
  'GetFeature',
  'LockFeature',
  'GetFeatureWithLock',
  'Transaction',
];
const since2: readonly Operation[] = [
  'GetPropertyValue',
  'ListStoredQueries',
  'DescribeStoredQueries',
  'CreateStoredQuery',
  'DropStoredQuery',
];

export function listOperations(version: WfsVersion): readonly Operation[] {
  return version === '2.0.0' ? [...common, ...since2] : common;
}

/** What the administrator has enabled. */
interface ServiceLevel {
  readonly isReadOnly: boolean;
  readonly hasLocks: boolean;
  readonly hasStoredQueryManagement: boolean;
}

/** Returns whether a service level includes an operation. */
export function isOffered(
  operation: Operation,
  { isReadOnly, hasLocks, hasStoredQueryManagement }: ServiceLevel,
): boolean {
  if (operation === 'Transaction') return !isReadOnly;
  if (operation === 'CreateStoredQuery' || operation === 'DropStoredQuery') return hasStoredQueryManagement;
  return operation === 'LockFeature' || operation === 'GetFeatureWithLock' ? hasLocks : true;
}

export function createOperationProblem(operation: string, version: WfsVersion): Problem {
  return problem('ows-operation-unknown', {
    operation,
    service: `WFS ${version}`,
    operations: listOperations(version),
    field: operation,
  });
}
