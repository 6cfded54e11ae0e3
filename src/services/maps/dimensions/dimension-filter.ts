/** Creates the filter for the requested or default dimension values of a layer. */
import type { Expression } from '../../../filter/model/expression.ts';
import type { Comparison, ComparisonOperator, Filter } from '../../../filter/model/filter.ts';
import type { ResolvedFilter } from '../../../filter/model/resolved-filter.ts';
import { resolveFilter } from '../../../filter/resolve/resolve.ts';
import { problem } from '../../../lib/problems/problem.ts';
import { createDescribedSchema } from '../../../vector/port/filter-schema.ts';
import type { OpenedType } from '../../access/open-type.ts';
import { createFeatureDomain } from './dimension-domain.ts';
import type { DimensionRange } from './dimension-values.ts';
import { type LayerDimension, listLayerDimensions } from './layer-dimensions.ts';
import { type DimensionRequest, selectRanges } from './select-ranges.ts';

/** Undefined for a layer without dimensions; dimension parameters for other layers are ignored. */
export async function resolveDimensionFilter(
  opened: OpenedType,
  wishes: DimensionRequest,
): Promise<ResolvedFilter | undefined> {
  const filters: Filter[] = [];
  for (const dimension of listLayerDimensions(opened.published)) {
    const ranges = await selectRanges(createFeatureDomain(opened, dimension), dimension, wishes);
    const conditions = ranges.map((range) => createRangeFilter(dimension, range));
    const [first, ...others] = conditions;
    // Matches nothing because the dimension has no values.
    if (first === undefined) return { kind: 'constant', value: false };
    filters.push(others.length === 0 ? first : { kind: 'or', filters: conditions });
  }
  const [first, ...others] = filters;
  if (first === undefined) return undefined;
  const outcome = await resolveFilter(
    others.length === 0 ? first : { kind: 'and', filters },
    createDescribedSchema(opened.description),
  );
  if (outcome.kind === 'resolved') return outcome.filter;
  throw problem('wms-dimension-invalid', {
    dimension: [...wishes.asked.keys()].join(', '),
    value: [...wishes.asked.values()].join(', '),
    expected: outcome.complaint.message,
  });
}

/** Features with an end attribute match if their period intersects the range. */
function createRangeFilter({ attribute, endAttribute }: LayerDimension, { from, to }: DimensionRange): Filter {
  const value: Expression = { kind: 'property', name: attribute };
  const end: Expression = { kind: 'property', name: endAttribute ?? attribute };
  if (from === to && endAttribute === undefined) return createComparison('equal', value, from);
  return {
    kind: 'and',
    filters: [createComparison('greaterOrEqual', end, from), createComparison('lessOrEqual', value, to)],
  };
}

function createComparison(operator: ComparisonOperator, left: Expression, value: string): Comparison {
  return { kind: 'comparison', operator, left, right: { kind: 'literal', value } };
}
