/** Warns about features without a geometry in formats that omit them. */
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { resolveFilter } from '../../filter/resolve/resolve.ts';
import { createFilterSchema } from '../../vector/port/filter-schema.ts';
import { countFeatures } from '../../vector/query/count-features.ts';
import type { OpenedType } from '../access/open-type.ts';

/** The maximum time that a response waits for the count; after that it is sent without the warning. */
const COUNT_TIMEOUT_MS = 2_000;

export async function describeOmittedFeatures(
  opened: OpenedType,
  filter: ResolvedFilter | undefined,
): Promise<string | undefined> {
  const { qualifiedName } = opened.published;
  const { attributes, defaultGeometry } = opened.description;
  if (defaultGeometry === undefined) return `The type '${qualifiedName}' has no geometry. Its features are omitted.`;
  const isNull = { kind: 'isNull', value: { kind: 'property', name: defaultGeometry } } as const;
  const outcome = await resolveFilter(isNull, createFilterSchema(attributes));
  if (outcome.kind === 'refused') return undefined;
  const both: ResolvedFilter =
    filter === undefined ? outcome.filter : { kind: 'and', filters: [outcome.filter, filter] };
  const timeoutSignal = AbortSignal.timeout(COUNT_TIMEOUT_MS);
  const found = await countFeatures(opened, { filter: both }, { signal: opened.signal, timeoutSignal });
  if (found.kind !== 'exact' || found.count === 0) return undefined;
  return `Matching features of '${qualifiedName}' without a geometry: ${found.count}. They are omitted.`;
}
