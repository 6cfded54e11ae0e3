/** Returns the `code` of an error of Node or of a library, such as `ENOENT`; undefined if it has none. */
export function findErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
