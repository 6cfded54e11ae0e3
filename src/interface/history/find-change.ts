/** Finds the change that a path names by number. */
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Catalog } from '../../records/catalog.ts';
import { formatPrintableName } from '../../records/names.ts';
import type { ChangeHead } from '../../storage/port/port.ts';

export async function findChange(catalog: Catalog, written: string): Promise<ChangeHead> {
  const sequence = /^\d{1,15}$/.test(written) ? Number(written) : Number.NaN;
  const [change] = Number.isNaN(sequence) ? [] : await catalog.log.listEntries({ after: sequence - 1 }, 1);
  if (change?.sequence !== sequence || change === undefined) throw await createUnknownChangeProblem(catalog, written);
  return change;
}

export async function createUnknownChangeProblem(catalog: Catalog, written: string): Promise<Problem> {
  const [oldest, position] = [await getOldestSequence(catalog), catalog.position()];
  return problem('change-unknown', { sequence: formatPrintableName(written), oldest, position });
}

/** The number of the oldest retained change. */
export async function getOldestSequence(catalog: Catalog): Promise<number> {
  const [first] = await catalog.log.listEntries({}, 1);
  return first?.sequence ?? catalog.position() + 1;
}
