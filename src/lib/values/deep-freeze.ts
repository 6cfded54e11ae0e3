/** Freezes a record and everything in it. */

export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) freezeObject(value);
  return value;
}

function freezeObject(record: object): void {
  if (Object.isFrozen(record)) return;
  Object.freeze(record);
  // No prototype here has enumerable properties, and this allocates nothing: a style has a hundred thousand records.
  for (const key in record) {
    const part: unknown = record[key as keyof typeof record];
    if (typeof part === 'object' && part !== null) freezeObject(part);
  }
}
