/** Loads the dimensions of a coverage for documents. */
import type { OpenedCoverage } from '../../access/open-coverage.ts';
import type { DescribedDimension } from './grid-documents.ts';

/** More values than this are described by their ends. */
const MAX_LISTED = 1_000;

export async function loadDescribedDimensions({
  description,
  values,
}: OpenedCoverage): Promise<readonly DescribedDimension[]> {
  const described: DescribedDimension[] = [];
  for (const { name, kind, unit } of description.dimensions) {
    const listed = await values(name, MAX_LISTED + 1);
    described.push({
      // Subsets and clients use the kind as the name.
      name: kind === 'custom' ? name : kind,
      kind,
      unit: kind === 'time' ? 's' : (unit ?? '1'),
      ends: await values(name, 'ends'),
      values: listed.length > MAX_LISTED ? [] : listed,
    });
  }
  return described;
}
