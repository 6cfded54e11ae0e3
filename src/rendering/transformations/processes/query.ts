/** Query: the features that match a condition, with some of their attributes. */
import { type EcqlFilter, readEcqlFilter } from '../../../filter/ecql/ecql.ts';
import { evaluateFilter } from '../../../filter/evaluate/evaluate.ts';
import { query as process } from '../../../styling/transformations/processes.ts';
import { listAttributeNames } from '../../rules/bind-style.ts';
import { changeGeometries, type InputFeature } from '../model/feature-data.ts';
import { rejectTransformation, transformFeatures } from '../model/transformation.ts';

export const query = transformFeatures(process, {
  describe([input], { attribute, filter }) {
    readFilter(filter);
    const description = input?.description ?? { name: '', attributes: [] };
    const attributes = description.attributes.filter(
      ({ kind, name }) => kind === 'geometry' || attribute === undefined || attribute.includes(name),
    );
    return { kind: 'features', description: { ...description, attributes } };
  },
  listAttributes: ({ filter }, wanted) => [...new Set([...wanted, ...listAttributeNames(readFilter(filter))])],
  run([data], { filter }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const condition = readFilter(filter);
    return changeGeometries(data, data.description, (feature) =>
      matches(condition, feature) ? feature.getGeometry() : null,
    );
  },
});

function matches(condition: EcqlFilter, feature: InputFeature): boolean {
  if (condition.kind === 'include' || condition.kind === 'exclude') return condition.kind === 'include';
  return evaluateFilter(condition, feature.values()) === true;
}

function readFilter(text = 'INCLUDE'): EcqlFilter {
  const outcome = readEcqlFilter(text);
  if (outcome.kind === 'read') return outcome.value;
  throw rejectTransformation(process, `parameter 'filter' must be ECQL: ${outcome.complaint.message}`);
}
