/** A version of WCS: reads requests and writes documents. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { commonParameters } from '../../ows/common-parameters.ts';
import type { Parameters } from '../../ows/parameters.ts';
import { requireParameter, type ServiceOperation } from '../../ows/service-parameters.ts';
import type { WcsContext } from './context.ts';

export const operationNames = ['GetCapabilities', 'DescribeCoverage', 'GetCoverage'] as const;
export type OperationName = (typeof operationNames)[number];

/** A request that was read completely. */
export interface PreparedOperation {
  readonly name: OperationName;
  run(context: WcsContext): Promise<ServiceReply>;
}

export interface WcsProtocol {
  readonly operations: Readonly<Record<OperationName, ServiceOperation>>;
  /** Converts an XML request to equivalent key-value pairs. */
  readDocument(root: XmlElement): Parameters;
  /** Throws a Problem for an invalid request. */
  prepare(parameters: Parameters, now: Date): PreparedOperation;
}

/** Throws a Problem for an unknown operation. `service` is the name of the service with its version. */
export function findOperation(parameters: Parameters, service: string): OperationName {
  const operation = requireParameter(parameters, commonParameters.request);
  const found = operationNames.find((each) => each.toLowerCase() === operation.toLowerCase());
  if (found === undefined) {
    throw problem('ows-operation-unknown', { operation, service, operations: operationNames, field: operation });
  }
  return found;
}
