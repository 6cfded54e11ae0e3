/** Omits undefined members, so that style sheets and documents produce equal records. */

export function omitUndefined<T extends object>(record: T): T {
  const kept: Partial<T> = {};
  let key: keyof T & string;
  for (key in record) if (record[key] !== undefined) kept[key] = record[key];
  return kept as T;
}
