/** The values of a dimension in the data: its ends, the neighbours of a value, and a list of all values. */

import { resolveFilter } from '../../../filter/resolve/resolve.ts';
import type { DimensionValue } from '../../../raster/pictures/dimension-options.ts';
import { createDescribedSchema } from '../../../vector/port/filter-schema.ts';
import type { Feature } from '../../../vector/port/port.ts';
import { queryFeatures } from '../../../vector/query/query-features.ts';
import type { OpenedCoverage } from '../../access/open-coverage.ts';
import type { OpenedType } from '../../access/open-type.ts';
import type { LayerDimension } from './layer-dimensions.ts';
import { measureValue } from './measure.ts';

type Side = 'least' | 'greatest' | 'below' | 'above';

export interface DimensionDomain {
  /** The value itself counts as both neighbours. Undefined if no value exists. */
  findValue(side: Side, value?: string): Promise<string | undefined>;
  /** Sorted, without duplicates; undefined if there are more than `limit`. */
  list(most: number): Promise<readonly string[] | undefined>;
}

export function createFeatureDomain(opened: OpenedType, dimension: LayerDimension): DimensionDomain {
  return {
    findValue: (side, value) => findFeatureValue(opened, dimension, side, value),
    list: (most) => listDistinctValues(opened, dimension, most),
  };
}

async function findFeatureValue(
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
  for await (const [feature] of opened.withTimeout(answer.batches)) {
    return formatDimensionValue(feature?.values[0] ?? null);
  }
  return undefined;
}

async function listDistinctValues(
  opened: OpenedType,
  { attribute, kind }: LayerDimension,
  most: number,
): Promise<readonly string[] | undefined> {
  const answer = await queryFeatures(opened, { attributes: [attribute] }, opened.signal);
  const values = new Set<string>();
  for await (const batch of opened.withTimeout(answer.batches)) {
    for (const { values: row } of batch) {
      const value = formatDimensionValue(row[0] ?? null);
      if (value !== undefined) values.add(value);
      if (values.size > most) return undefined;
    }
  }
  return [...values].toSorted((one, other) => (kind === 'number' ? Number(one) - Number(other) : one < other ? -1 : 1));
}

/** The maximum number of coverage values that are searched for the nearest one. */
const MAX_SEARCHED = 100_000;

export function createCoverageDomain({ values }: OpenedCoverage, dimension: LayerDimension): DimensionDomain {
  const { attribute } = dimension;
  return {
    async findValue(side, value) {
      if (value === undefined) {
        const [least, greatest] = await values(attribute, 'ends');
        return formatDimensionValue((side === 'least' ? least : greatest) ?? null);
      }
      const texts = (await values(attribute, MAX_SEARCHED)).flatMap((each) => formatDimensionValue(each) ?? []);
      const at = measureValue(dimension, value);
      return side === 'below'
        ? texts.findLast((each) => measureValue(dimension, each) <= at)
        : texts.find((each) => measureValue(dimension, each) >= at);
    },
    async list(most) {
      const found = await values(attribute, most + 1);
      return found.length > most ? undefined : found.flatMap((each) => formatDimensionValue(each) ?? []);
    },
  };
}

/** Formats a value as in dimension parameters; undefined for no value. */
function formatDimensionValue(value: Feature['values'][number] | DimensionValue): string | undefined {
  if (value === null) return undefined;
  return value instanceof Date ? value.toISOString() : String(value);
}
