/** Lists the values of a dimension of a coverage: those of its file, or of the granules of a mosaic. */
import { joinResolvedFilters, negateResolvedFilter } from '../../filter/model/join-resolved-filters.ts';
import { createRelationFilter } from '../../filter/model/relation-filter.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { WrittenArea } from '../../geometry/written-area.ts';
import type { GranuleIndex, GranuleValue } from '../../raster/granules/port/port.ts';
import type { DimensionValue } from '../../raster/pictures/dimension-options.ts';
import type { CoverageDescription, CoverageDimension } from '../../raster/port/port.ts';

/** The minimum and maximum, or the first values in ascending order without duplicates. */
export type ValueSelection = 'ends' | number;

export interface VisibleValues {
  readonly wanted: ValueSelection;
  /** Undefined if all values are visible. */
  readonly areas: readonly WrittenArea[] | undefined;
}

export function listFileValues(
  { dimensions }: CoverageDescription,
  name: string,
  wanted: ValueSelection,
): readonly DimensionValue[] {
  const dimension = dimensions.find((each) => each.name === name);
  const values = dimension === undefined ? [] : sortValues(dimension);
  return wanted === 'ends' ? selectEnds(values) : values.slice(0, wanted);
}

function sortValues({ kind, values }: CoverageDimension): readonly DimensionValue[] {
  const once = [...new Set(values)];
  if (kind === 'time')
    return once.map((value) => new Date(value)).toSorted((one, other) => Number(one) - Number(other));
  return once.toSorted((one, other) => (one < other ? -1 : 1));
}

function selectEnds(values: readonly DimensionValue[]): readonly DimensionValue[] {
  const [first, last] = [values[0], values.at(-1)];
  return first === undefined || last === undefined ? [] : [first, last];
}

/** For a domain of ranges, lists their starts. */
export async function listMosaicValues(
  index: GranuleIndex,
  name: string,
  wanted: ValueSelection,
  signal: AbortSignal,
): Promise<readonly DimensionValue[]> {
  const attribute = index.schema.domains.find((domain) => domain.name === name)?.attributes[0];
  if (attribute === undefined) return [];
  const values =
    wanted === 'ends'
      ? ((await index.findExtremes(attribute, signal)) ?? [])
      : await index.listDistinct(attribute, wanted, signal);
  return values.flatMap((value) => toDimensionValue(value) ?? []);
}

/** Reads all matching granules, because indexes list values of all granules only. */
export async function listValuesOfGranules(
  index: GranuleIndex,
  name: string,
  { wanted, filter }: { readonly wanted: ValueSelection; readonly filter: ResolvedFilter },
  signal: AbortSignal,
): Promise<readonly DimensionValue[]> {
  const attribute = index.schema.domains.find((domain) => domain.name === name)?.attributes[0];
  if (attribute === undefined || (filter.kind === 'constant' && !filter.value)) return [];
  const found = new Map<string | number, DimensionValue>();
  for await (const batch of index.list({ filter }, signal)) {
    for (const { values } of batch) {
      const value = toDimensionValue(values[attribute] ?? null);
      if (value !== undefined) found.set(value instanceof Date ? value.getTime() : value, value);
    }
  }
  const sorted = [...found.values()].toSorted((one, other) => (one < other ? -1 : 1));
  return wanted === 'ends' ? selectEnds(sorted) : sorted.slice(0, wanted);
}

/** Selects granules that share more than their border with the area. */
export function createInsideFilter(footprint: string, area: Geometry): ResolvedFilter {
  return joinResolvedFilters('and', [
    createRelationFilter(footprint, 'intersects', area),
    negateResolvedFilter(createRelationFilter(footprint, 'touches', area)),
  ]);
}

function toDimensionValue(value: GranuleValue): DimensionValue | undefined {
  if (value === null) return undefined;
  return typeof value === 'bigint' ? Number(value) : value;
}
