/** The values that a dimension has in the data: the ends, what is beside a value, and all of them as far as they can be listed. */

import { resolveFilter } from '../../../data/filter/resolve.ts';
import type { DimensionValue } from '../../../data/raster/dimension-wish.ts';
import { createDescribedSchema } from '../../../data/vector/filter-schema.ts';
import type { Feature } from '../../../data/vector/port.ts';
import { queryFeatures } from '../../../data/vector/query/query-features.ts';
import type { OpenedCoverage } from '../../door/open-coverage.ts';
import type { OpenedType } from '../../door/open-type.ts';
import type { LayerDimension } from './layer-dimensions.ts';
import { measureOf } from './measure.ts';

type Side = 'least' | 'greatest' | 'below' | 'above';

export interface DimensionDomain {
  /** The value itself counts as below and above. Undefined where there is none. */
  beside(side: Side, value?: string): Promise<string | undefined>;
  /** In their order, none twice; undefined where there are more than so many. */
  list(most: number): Promise<readonly string[] | undefined>;
}

export function domainInFeatures(opened: OpenedType, dimension: LayerDimension): DimensionDomain {
  return {
    beside: (side, value) => featureValueBeside(opened, dimension, side, value),
    list: (most) => distinctValues(opened, dimension, most),
  };
}

async function featureValueBeside(
  opened: OpenedType,
  { attribute }: LayerDimension,
  side: Side,
  value: string | undefined,
): Promise<string | undefined> {
  const property = { kind: 'property', name: attribute } as const;
  const isThere = { kind: 'not', filter: { kind: 'isNull', value: property } } as const;
  const operator = side === 'below' ? 'lessOrEqual' : 'greaterOrEqual';
  const outcome = await resolveFilter(
    value === undefined ? isThere : { kind: 'comparison', operator, left: property, right: { kind: 'literal', value } },
    createDescribedSchema(opened.description),
  );
  if (outcome.kind === 'refused') return undefined;
  const isDescending = side === 'greatest' || side === 'below';
  const answer = await queryFeatures(
    opened,
    { filter: outcome.filter, sort: [{ attribute, isDescending }], limit: 1, attributes: [attribute] },
    opened.signal,
  );
  for await (const [feature] of opened.inTime(answer.batches)) {
    return dimensionText(feature?.values[0] ?? null);
  }
  return undefined;
}

async function distinctValues(
  opened: OpenedType,
  { attribute, kind }: LayerDimension,
  most: number,
): Promise<readonly string[] | undefined> {
  const answer = await queryFeatures(opened, { attributes: [attribute] }, opened.signal);
  const values = new Set<string>();
  for await (const batch of opened.inTime(answer.batches)) {
    for (const { values: row } of batch) {
      const value = dimensionText(row[0] ?? null);
      if (value !== undefined) values.add(value);
      if (values.size > most) return undefined;
    }
  }
  return [...values].toSorted((one, other) => (kind === 'number' ? Number(one) - Number(other) : one < other ? -1 : 1));
}

/** More values of a coverage than this are not looked through for the nearest. */
const MAX_SEARCHED = 100_000;

export function domainInCoverage({ values }: OpenedCoverage, dimension: LayerDimension): DimensionDomain {
  const { attribute } = dimension;
  return {
    async beside(side, value) {
      if (value === undefined) {
        const [least, greatest] = await values(attribute, 'ends');
        return dimensionText((side === 'least' ? least : greatest) ?? null);
      }
      const texts = (await values(attribute, MAX_SEARCHED)).flatMap((each) => dimensionText(each) ?? []);
      const at = measureOf(dimension, value);
      return side === 'below'
        ? texts.findLast((each) => measureOf(dimension, each) <= at)
        : texts.find((each) => measureOf(dimension, each) >= at);
    },
    async list(most) {
      const found = await values(attribute, most + 1);
      return found.length > most ? undefined : found.flatMap((each) => dimensionText(each) ?? []);
    },
  };
}

/** As dimensions are written; undefined for no value. */
function dimensionText(value: Feature['values'][number] | DimensionValue): string | undefined {
  if (value === null) return undefined;
  return value instanceof Date ? value.toISOString() : String(value);
}
