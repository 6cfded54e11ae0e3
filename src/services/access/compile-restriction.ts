/** Compiles the data rules of a principal into filters and masks over the data of a type. */
import type { PublishedAttribute } from '../../catalog/kinds/published-attribute.ts';
import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import { createRelationFilter } from '../../filter/model/relation-filter.ts';
import { renameAttributes } from '../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import type { FilterRunner } from '../../filter/run/filter-runner.ts';
import type { Geometry } from '../../geometry/geometry.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import { createLruCache, type LruCache } from '../../lib/cache/lru-cache.ts';
import { type DataRuleArea, getAttributeAccess } from '../../security/data-rules/data-rule.ts';
import type { AppliedRule, Restriction } from '../../security/data-rules/restriction.ts';
import type { Condition } from '../../security/data-rules/rule-filter.ts';
import { createFilterSchema } from '../../vector/port/filter-schema.ts';
import type { Attribute, FeatureTypeDescription } from '../../vector/port/port.ts';
import type { ClipAreas, CompiledArea, CompiledRestriction, CompiledRule, RowMask } from './compiled-restriction.ts';
import { findNativeName } from './publication.ts';
import type { PublishedType } from './published-type.ts';

const never: ResolvedFilter = { kind: 'constant', value: false };
const always: ResolvedFilter = { kind: 'constant', value: true };

/** By the description of the source, which lives until the store changes. */
const caches = new WeakMap<FeatureTypeDescription, LruCache<Promise<CompiledRestriction>>>();

/** As many principals with own values use one layer at the same time. */
const MAX_CACHED = 1_000;

/** `stored` is the key of the cache, and `native` the same description in the declared CRS. */
export function loadCompiledRestriction(
  restriction: Restriction,
  published: PublishedType,
  { stored, native }: { readonly stored: FeatureTypeDescription; readonly native: FeatureTypeDescription },
  runner: FilterRunner,
): Promise<CompiledRestriction> {
  const cache = caches.get(stored) ?? createLruCache<Promise<CompiledRestriction>>(MAX_CACHED);
  caches.set(stored, cache);
  const { layer } = published.records;
  const key = `${layer.id} ${published.state} ${restriction.writeDigest}`;
  const known = cache.get(key) ?? compileRestriction(restriction, published, native, runner);
  cache.set(key, known, 1);
  known.catch(() => cache.delete(key));
  return known;
}

/** More would take the threads from other requests, or be rejected. */
const MAX_COMPILED_AT_ONCE = 4;

async function compileRestriction(
  { rules }: Restriction,
  { records, attributes: visible }: PublishedType,
  native: FeatureTypeDescription,
  runner: FilterRunner,
): Promise<CompiledRestriction> {
  const compiler = new RuleCompiler(records.type.attributes, native, runner);
  // Large areas are placed in threads, each of which takes a tenth of a second for 20,000 positions.
  const limit = createConcurrencyLimiter(MAX_COMPILED_AT_ONCE);
  const compiled = await Promise.all(rules.map((rule) => limit(() => compiler.compile(rule))));
  const readable = compiled.filter(({ filter }) => !isNever(filter));
  return {
    rules: compiled,
    filter: joinResolvedFilters('or', [never, ...readable.map(({ filter }) => filter)]),
    mask: createMask(readable, visible),
  };
}

function isNever(filter: ResolvedFilter): boolean {
  return filter.kind === 'constant' && !filter.value;
}

function createMask(rules: readonly CompiledRule[], visible: readonly PublishedAttribute[]): RowMask | undefined {
  const clipped = new Set(
    rules.some(({ area }) => area?.clip !== undefined)
      ? visible.filter(({ kind }) => kind === 'geometry').map(({ name }) => name)
      : [],
  );
  const partial = visible.map(({ name }) => name).filter((name) => rules.some(({ shown }) => !shown.has(name)));
  const attributes = new Set([...partial, ...clipped]);
  if (attributes.size === 0 || rules.length === 0) return undefined;
  const groups = rules.map(({ filter, shown, area }) => ({ filter, shown, clip: area?.clip }));
  return { groups, attributes, clipped };
}

class RuleCompiler {
  readonly #published: readonly PublishedAttribute[];
  readonly #names: ReadonlyMap<string, string>;
  /** Columns of the data by published name. */
  readonly #columns: ReadonlyMap<string, Attribute>;
  readonly #schema: ReturnType<typeof createFilterSchema>;
  readonly #geometry: string | undefined;
  readonly #runner: FilterRunner;

  constructor(published: readonly PublishedAttribute[], native: FeatureTypeDescription, runner: FilterRunner) {
    this.#published = published;
    this.#runner = runner;
    // Computed attributes have no counterpart: rules that use them cannot be evaluated.
    const usable = published.flatMap((attribute) => {
      const name = findNativeName(attribute, native);
      const column = native.attributes.find((each) => each.name === name);
      return name === undefined || column === undefined ? [] : [{ column: { ...column, name: attribute.name }, name }];
    });
    this.#names = new Map(usable.map(({ column, name }) => [column.name, name]));
    this.#columns = new Map(usable.map(({ column }) => [column.name, column]));
    this.#geometry = published.find(({ kind }) => kind === 'geometry')?.name;
    this.#schema = createFilterSchema(
      usable.map(({ column }) => column),
      this.#geometry,
    );
  }

  async compile({ rows, writeRows, attributes, area }: AppliedRule): Promise<CompiledRule> {
    const select = (isWanted: (access: string) => boolean) =>
      new Set(
        this.#published.map(({ name }) => name).filter((name) => isWanted(getAttributeAccess({ attributes }, name))),
      );
    const place = area === null ? undefined : await this.#compileArea(area);
    const filter =
      area !== null && place === undefined
        ? never
        : joinResolvedFilters('and', [await this.#resolve(rows), place?.filter ?? always]);
    return {
      filter,
      writeFilter: isNever(filter) ? never : await this.#resolve(writeRows),
      area: place,
      shown: select((access) => access !== 'hide'),
      writable: select((access) => access === 'write'),
    };
  }

  /** A condition that cannot be evaluated matches no row. */
  async #resolve(condition: Condition | undefined): Promise<ResolvedFilter> {
    if (condition === undefined) return always;
    const outcome = await this.#runner.resolve(condition, { schema: this.#schema }, neverAborted);
    if (outcome.kind === 'refused') return never;
    const names = this.#names;
    return (
      renameAttributes(outcome.filter, {
        renameAttribute: (name) => names.get(name),
        renameIdentifiers: (identifiers) => identifiers,
      }) ?? never
    );
  }

  async #compileArea(area: DataRuleArea): Promise<CompiledArea | undefined> {
    const placed = this.#geometry === undefined ? null : await this.#placeArea(area, this.#geometry);
    const name = this.#names.get(this.#geometry ?? '');
    if (placed === null || name === undefined) return undefined;
    const filter = createRelationFilter(name, 'intersects', placed);
    return { filter, clip: area.mode === 'clip' ? await this.#compileClip(area) : undefined };
  }

  async #compileClip(area: DataRuleArea): Promise<ClipAreas> {
    const areas = new Map<string, Geometry | null>();
    for (const { name, kind } of this.#published) {
      if (kind === 'geometry') areas.set(name, await this.#placeArea(area, name));
    }
    return areas;
  }

  /** Returns null if the area has no place in the CRS of a geometry, or if the data lacks the geometry. */
  async #placeArea(area: DataRuleArea, name: string): Promise<Geometry | null> {
    const column = this.#columns.get(name);
    if (column?.kind !== 'geometry') return null;
    const known = placedAreas.get(area) ?? new Map<string, Promise<Geometry | null>>();
    placedAreas.set(area, known);
    const key = JSON.stringify(column.crs);
    const { geometry, crs } = area;
    const placed = known.get(key) ?? this.#runner.placeArea({ area: { geometry, crs }, to: column.crs }, neverAborted);
    known.set(key, placed);
    placed.catch(() => known.delete(key));
    return placed;
  }
}

/** By the area of a rule and the CRS of a geometry: all principals of a rule share them. */
const placedAreas = new WeakMap<DataRuleArea, Map<string, Promise<Geometry | null>>>();

const neverAborted = new AbortController().signal;
