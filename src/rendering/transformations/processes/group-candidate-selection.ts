/** GroupCandidateSelection: the feature with the least or greatest value of each group. */
import { toNumber, toText } from '../../../filter/evaluate/evaluate.ts';
import { groupCandidateSelection as process } from '../../../styling/transformations/processes.ts';
import { changeGeometries, forEachFeature } from '../model/feature-data.ts';
import { rejectTransformation, transformFeatures } from '../model/transformation.ts';

export const groupCandidateSelection = transformFeatures(process, {
  describe: ([input]) => input ?? { kind: 'features', description: { name: '', attributes: [] } },
  listAttributes: ({ operationAttribute, groupingAttributes }, wanted) => [
    ...new Set([...wanted, operationAttribute, ...splitNames(groupingAttributes)]),
  ],
  run([data], { operationAttribute, aggregation, groupingAttributes }) {
    if (data === undefined) throw rejectTransformation(process, 'it has no input');
    const names = splitNames(groupingAttributes);
    const sign = aggregation === 'MAX' ? 1 : -1;
    const best = new Map<string, { readonly value: number; readonly number: number }>();
    let number = 0;
    forEachFeature(data, (feature) => {
      const key = JSON.stringify(names.map((name) => toText(feature.getValue(name))));
      const value = (toNumber(feature.getValue(operationAttribute)) ?? Number.NaN) * sign;
      const found = best.get(key);
      if (found === undefined || value > found.value || Number.isNaN(found.value)) best.set(key, { value, number });
      number += 1;
    });
    const chosen = new Set([...best.values()].map((each) => each.number));
    number = -1;
    return changeGeometries(data, data.description, (feature) => {
      number += 1;
      return chosen.has(number) ? feature.getGeometry() : null;
    });
  },
});

/** Names can also be in one text, with commas between them. */
function splitNames(names: readonly string[]): readonly string[] {
  return names.flatMap((each) => each.split(',').map((name) => name.trim()));
}
