/** The condition that chooses which features of a type are given out: whether it can be read, and fits the type. */
import { collectPropertyNames } from '../../filter/model/property-names.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { enumerate } from '../../lib/text/wording.ts';
import type { FeatureType, FeatureTypeDraft } from '../kinds/feature-type.ts';

/** The draft with a condition that can be read, or none; one that was there already is never a reason to refuse. */
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

/** Attributes may come and go with the data, so that a condition on one that is not there is no mistake for sure. */
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
    `The cqlFilter of '${name}' looks at ${enumerate(names, names.length)}, ${names.length === 1 ? 'which is no attribute' : 'which are no attributes'} of the type.`,
  ];
}

/** Hardly any type has such a condition: what reads it is loaded with the first. */
async function parseCqlFilter(cqlFilter: string) {
  const { readEcqlFilter } = await import('../../filter/ecql/ecql.ts');
  return readEcqlFilter(cqlFilter);
}

/** `name` of `acme:name` and of `acme:states/acme:name`. */
function getLastStep(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1);
}
