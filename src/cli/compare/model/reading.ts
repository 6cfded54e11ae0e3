/** What a server answered: a value, or the reason why it is missing. */
import type { CheckName, Detail, ServiceName } from './report.ts';

export type Reading<T> = { readonly value: T } | { readonly failure: string };

export interface ReadingPair<T> {
  readonly old: Reading<T>;
  readonly new: Reading<T>;
}

export function hasFailed<T>(reading: Reading<T>): reading is { readonly failure: string } {
  return 'failure' in reading;
}

/** Applies `read` to the value; a thrown error becomes the reason of a failure. */
export function mapReading<T, U>(reading: Reading<T>, read: (value: T) => U): Reading<U> {
  if (hasFailed(reading)) return reading;
  try {
    return { value: read(reading.value) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the differences of two values, or the detail that describes the failure. */
export function comparePair<T>(
  { old, new: renewed }: ReadingPair<T>,
  origin: { readonly check: CheckName; readonly service?: ServiceName },
  compare: (old: T, renewed: T) => readonly Detail[],
): readonly Detail[] {
  const failure = describeFailure(old, renewed);
  if (failure !== undefined) return [{ ...origin, ...failure }];
  return hasFailed(old) || hasFailed(renewed) ? [] : compare(old.value, renewed.value);
}

function describeFailure(
  old: Reading<unknown>,
  renewed: Reading<unknown>,
): Pick<Detail, 'code' | 'message'> | undefined {
  if (hasFailed(old) && hasFailed(renewed)) {
    return { code: 'both-failed', message: `Old: ${old.failure} New: ${renewed.failure}` };
  }
  if (hasFailed(old)) return { code: 'old-failed', message: old.failure };
  if (hasFailed(renewed)) return { code: 'new-failed', message: renewed.failure };
  return undefined;
}
