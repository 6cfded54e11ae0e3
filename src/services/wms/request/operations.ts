/** The operations of each WMS version. */
import { type Problem, problem } from '../../../lib/problems/problem.ts';
import type { WmsRequest, WmsVersion } from './request.ts';

export type Operation = WmsRequest['kind'];

const common: readonly Operation[] = ['GetCapabilities', 'GetMap', 'GetFeatureInfo', 'GetLegendGraphic', 'GetStyles'];

/** DescribeLayer moved to another standard in 1.3.0, which clients do not use. */
export function listOperations(version: WmsVersion): readonly Operation[] {
  return version === '1.1.1' ? [...common, 'DescribeLayer'] : common;
}

export function createOperationProblem(operation: string, version: WmsVersion): Problem {
  return problem('ows-operation-unknown', {
    operation,
    service: `WMS ${version}`,
    operations: listOperations(version),
    field: operation,
  });
}
