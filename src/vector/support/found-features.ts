/** What the edits of all databases share. */
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Feature } from '../port/port.ts';

/** The features to inspect before a change are held in memory. */
const MAX_FOUND = 10_000;

export async function collectFound(
  name: string,
  batches: AsyncIterable<readonly Feature[]>,
): Promise<readonly Feature[]> {
  const found: Feature[] = [];
  for await (const batch of batches) {
    for (const feature of batch) found.push(feature);
    if (found.length > MAX_FOUND)
      throw problem('features-not-writable', { name, reason: `more than ${MAX_FOUND} features match the filter` });
  }
  return found;
}

/** Without a key, the rows of a table cannot be addressed. */
export function createKeylessProblem(name: string): Problem {
  return problem('features-not-writable', { name, reason: 'the table has no primary key' });
}
