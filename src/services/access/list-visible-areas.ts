/** Limits coverages and cascaded pictures to the areas of data rules. */
import type { WrittenArea } from '../../geometry/written-area.ts';
import type { Restriction } from '../../security/data-rules/restriction.ts';

/** Returns the areas that the principal can see: none hides everything. Undefined if everything is visible. */
export function listVisibleAreas(restriction: Restriction | undefined): readonly WrittenArea[] | undefined {
  // Conditions on rows and attributes cannot be evaluated for rasters, so that such rules show nothing.
  const rules = restriction?.rules.filter(
    ({ rows, attributes }) => rows === undefined && !Object.values(attributes).includes('hide'),
  );
  if (rules === undefined || rules.some(({ area }) => area === null)) return undefined;
  return rules.flatMap(({ area }) => (area === null ? [] : [{ geometry: area.geometry, crs: area.crs }]));
}
