/** Names the service and the operation of a request for metrics and traces, without text of the client. */
import type { RequestContext } from '../context/app-options.ts';

export interface NamedOperation {
  readonly service: string | undefined;
  readonly operation: string | undefined;
}

/** The service of all document routes. */
const REST = 'REST';

/** Clients choose the names of operations freely, and labels of metrics are never released. */
const OTHER_OPERATIONS = 'other';

export function nameOperation(
  {
    match,
    operation: described,
    answeredOperation: answered,
  }: Pick<RequestContext<unknown>, 'match' | 'operation' | 'answeredOperation'>,
  method: string,
): NamedOperation {
  if (match === undefined) return { service: undefined, operation: undefined };
  const { resource } = match;
  const route = resource.methods.get(method === 'HEAD' ? 'GET' : method) ?? [...resource.methods.values()][0];
  if (route === undefined) return { service: undefined, operation: undefined };
  if (route.kind !== 'service') return { service: REST, operation: route.family };
  if (answered !== undefined) return { service: described?.service ?? route.family, operation: answered };
  const isUnknown = described !== undefined && described.operation !== '' && described.knownOperation === undefined;
  return {
    service: described?.service ?? route.family,
    operation: isUnknown ? OTHER_OPERATIONS : (described?.knownOperation ?? findLastFixedSegment(resource.pattern)),
  };
}

/** Patterns are few and fixed. */
const lastSegments = new Map<string, string>();

function findLastFixedSegment(pattern: string): string {
  let found = lastSegments.get(pattern);
  if (found === undefined) {
    // Versions such as `v1` and `1.0.0` say nothing about the operation.
    found = pattern.split('/').findLast((segment) => !/^([:*].*|v?[\d.]+)?$/.test(segment)) ?? '/';
    lastSegments.set(pattern, found);
  }
  return found;
}
