/** Validates the CQL filter that selects the features of a type. */
import { collectPropertyNames } from '../../filter/model/property-names.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { enumerate } from '../../lib/text/wording.ts';
import type { FeatureType, FeatureTypeDraft } from '../kinds/feature-type.ts';

/** Returns the draft with a valid filter or none; an unchanged filter is never rejected. */
export async function validateCqlFilter(draft: FeatureTypeDraft, current: string | null): Promise<FeatureTypeDraft> {
  const { cqlFilter } = draft;
  if (cqlFilter == null || cqlFilter === current) {
    return draft;
  }
  if (cqlFilter.trim() === '') {
    return { ...draft, cqlFilter: null };
  }
  const outcome = await parseCqlFilter(cqlFilter);
  if (outcome.kind === 'refused') {
    const { line, column, message } = outcome.complaint;
    throw problem('cql-filter-invalid', { line, column, reason: message, field: 'featureType.cqlFilter' });
  }
  return draft;
}

/** Attributes may change with the data, so a filter on a missing attribute is only a warning. */
export async function collectFilterWarnings(
  { cqlFilter }: FeatureTypeDraft,
  { name, attributes }: Pick<FeatureType, 'name' | 'attributes'>,
): Promise<readonly string[]> {
  const outcome = cqlFilter == null ? undefined : await parseCqlFilter(cqlFilter);
  if (outcome?.kind !== 'read' || outcome.value.kind === 'include' || outcome.value.kind === 'exclude') {
    return [];
  }
  const known = new Set(attributes.flatMap((attribute) => [attribute.name, attribute.source ?? []].flat()));
  const unknown = [...collectPropertyNames(outcome.value)].filter(
    (each) => !known.has(each) && !known.has(getLastStep(each)),
  );
  if (unknown.length === 0) {
    return [];
  }
  const names = unknown.map((each) => `'${excerpt(each)}'`);
  return [
    `The cqlFilter of '${name}' uses ${enumerate(names, names.length)}, ${names.length === 1 ? 'which is not an attribute' : 'which are not attributes'} of the type.`,
  ];
}

/** Loads the parser on first use, since few types have a filter. */
async function parseCqlFilter(cqlFilter: string) {
  const { readEcqlFilter } = await import('../../filter/ecql/ecql.ts');
  return readEcqlFilter(cqlFilter);
}

/** Returns `name` for `acme:name` and for `acme:states/acme:name`. */
function getLastStep(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1);
}
