/** Some databases treat a negative limit as no limit, which is never intended. */
export function requireLimit(limit: number): number {
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw new RangeError(`The limit ${limit} is invalid. Use an integer of at least 0.`);
  }
  return limit;
}
