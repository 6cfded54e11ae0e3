/** Families with a default service have every path twice; this returns the service named in the path, if any. */
export function readServiceParam(params: unknown): string | undefined {
  return typeof params === 'object' && params !== null && 'service' in params ? String(params.service) : undefined;
}
