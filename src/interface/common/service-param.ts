/** Families with a default service have every path twice; this tells which service a path names, if it names one. */
export function readServiceParam(params: unknown): string | undefined {
  return typeof params === 'object' && params !== null && 'service' in params ? String(params.service) : undefined;
}
