/** Hides and clips values that a principal can see in some rows only. */
import type { MatchRows } from '../../filter/run/filter-runner.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import type { Feature, Value } from '../../vector/port/port.ts';
import { createElementFilter } from '../../vector/query/complex-content.ts';
import { createFeatureAccess } from '../../vector/support/filter-features.ts';
import type { MaskGroup, RowMask } from './compiled-restriction.ts';
import { findNativeName, type Publication } from './publication.ts';

/** Converts native features to published ones without the values that the principal cannot see. */
export type MaskRows = (batch: readonly Feature[]) => Promise<readonly Feature[]>;

export async function createRowMask(
  publication: Publication & { readonly mask: RowMask },
  show: (feature: Feature) => Feature,
  signal: AbortSignal,
): Promise<MaskRows> {
  const { mask, native, filterRunner } = publication;
  const access = createFeatureAccess(native.attributes.map(({ name }) => name));
  const matchers: { readonly group: MaskGroup; readonly match: MatchRows<Feature> }[] = [];
  for (const group of mask.groups) {
    matchers.push({ group, match: await filterRunner.start(group.filter, access, signal) });
  }
  const clipper = new RowClipper(publication, signal);
  return async (batch) => {
    const groups = new Map<Feature, MaskGroup[]>(batch.map((feature) => [feature, []]));
    for (const { group, match } of matchers) {
      for (const feature of await match(batch)) groups.get(feature)?.push(group);
    }
    const rows = batch.map((feature) => {
      const selecting = groups.get(feature) ?? [];
      return { selecting, feature: hideValues(publication, show(feature), selecting) };
    });
    return clipper.clip(rows);
  };
}

function hideValues(
  { attributes, mask, native }: Publication & { readonly mask: RowMask },
  feature: Feature,
  groups: readonly MaskGroup[],
): Feature {
  const isHidden = attributes.map(
    ({ name }) => mask.attributes.has(name) && !groups.some(({ shown }) => shown.has(name)),
  );
  const isClipped = (name: string) => mask.clipped.has(name) && groups.some(({ clip }) => clip !== undefined);
  const values = feature.values.map((value, index) => (isHidden[index] ? null : value));
  if (feature.content === undefined) return { ...feature, values };
  // Nested content has whole geometries, so that clipped ones are removed from it.
  const removed = attributes.filter(({ name }, index) => isHidden[index] || isClipped(name));
  const elements = removed.flatMap((each) => native.complex?.elements.get(findNativeName(each, native) ?? '') ?? []);
  return { ...feature, values, content: createElementFilter(elements)(feature.content) };
}

interface MaskedRow {
  readonly feature: Feature;
  readonly selecting: readonly MaskGroup[];
}

class RowClipper {
  readonly #publication: Publication & { readonly mask: RowMask };
  readonly #signal: AbortSignal;
  /** The union of the areas for each combination of rules and each geometry. */
  readonly #areas = new Map<string, Geometry | null>();

  constructor(publication: Publication & { readonly mask: RowMask }, signal: AbortSignal) {
    this.#publication = publication;
    this.#signal = signal;
  }

  async clip(rows: readonly MaskedRow[]): Promise<readonly Feature[]> {
    const { attributes, mask } = this.#publication;
    const results = rows.map(({ feature }) => [...feature.values]);
    for (const [column, { name }] of attributes.entries()) {
      if (!mask.clipped.has(name)) continue;
      const byArea = Map.groupBy(rows.keys(), (row) => listClips(rows[row], name, mask).join(' '));
      for (const [key, members] of byArea) {
        if (key !== '') await this.#clipColumn(results, column, { area: await this.#loadArea(name, key), members });
      }
    }
    return rows.map(({ feature }, row) => ({ ...feature, values: results[row] ?? [] }));
  }

  async #clipColumn(
    results: (Value | Geometry)[][],
    column: number,
    { area, members }: { readonly area: Geometry | null; readonly members: readonly number[] },
  ): Promise<void> {
    const clipped = members.filter((row) => isGeometry(results[row]?.[column]));
    const geometries = clipped.map((row) => results[row]?.[column]).filter(isGeometry);
    const { filterRunner } = this.#publication;
    const parts = area === null ? [] : await filterRunner.clip(geometries, area, this.#signal);
    for (const [index, row] of clipped.entries()) {
      const values = results[row];
      if (values !== undefined) values[column] = parts[index] ?? null;
    }
  }

  /** The key lists the indexes of groups. */
  async #loadArea(geometry: string, key: string): Promise<Geometry | null> {
    const known = this.#areas.get(`${key} ${geometry}`);
    if (known !== undefined) return known;
    const { groups } = this.#publication.mask;
    const areas = key.split(' ').flatMap((index) => groups[Number(index)]?.clip?.get(geometry) ?? []);
    const union = areas.length > 1 ? await this.#unite(areas) : (areas[0] ?? null);
    this.#areas.set(`${key} ${geometry}`, union);
    return union;
  }

  #unite(areas: readonly Geometry[]): Promise<Geometry | null> {
    return this.#publication.filterRunner.unite(areas, this.#signal);
  }
}

/** Returns the indexes of the groups that clip a geometry; empty if one of them shows all of it. */
function listClips(row: MaskedRow | undefined, name: string, { groups }: RowMask): readonly number[] {
  const showing = row?.selecting.filter(({ shown }) => shown.has(name)) ?? [];
  return showing.some(({ clip }) => clip === undefined) ? [] : showing.map((group) => groups.indexOf(group));
}

function isGeometry(value: unknown): value is Geometry {
  return typeof value === 'object' && value !== null && 'ordinates' in value;
}
