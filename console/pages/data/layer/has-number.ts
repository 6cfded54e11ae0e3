/** Columns of numbers are aligned at the end, with their headings. */
export function hasNumber(
  rows: readonly { readonly properties?: Readonly<Record<string, unknown>> | null }[],
  name: string,
): boolean {
  return rows.some(({ properties }) => typeof properties?.[name] === 'number');
}
