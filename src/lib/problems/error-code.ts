/** The code that Node and many libraries give their errors, such as `ENOENT`; undefined for an error without one. */
export function findErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
