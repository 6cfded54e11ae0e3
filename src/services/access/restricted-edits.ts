/**
 * Changes of features under data rules. Invisible rows do not exist; visible rows that are not writable refuse the
 * whole change; afterwards every changed row must still fit a rule.
 */
import { joinResolvedFilters } from '../../filter/model/join-resolved-filters.ts';
import { renameAttributes } from '../../filter/model/rename-attributes.ts';
import type { ResolvedFilter } from '../../filter/model/resolved-filter.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import type { Feature, FeatureEdits, NewValues } from '../../vector/port/port.ts';
import { createFeatureAccess } from '../../vector/support/filter-features.ts';
import type { CompiledRestriction, CompiledRule } from './compiled-restriction.ts';
import { createRowMask } from './mask-rows.ts';
import { NativeQueries } from './native-queries.ts';
import { createNativeNames, findNativeName, type Publication } from './publication.ts';
import { createFeatureConverter } from './published-source.ts';

export interface VisibleRow {
  /** The id in the data. */
  readonly id: string;
  readonly published: Feature;
}

/** The number of ids that are checked with one query. */
const CHECK_BATCH_SIZE = 1_000;

export class RestrictedEdits {
  readonly #publication: Publication;
  readonly #restriction: CompiledRestriction;
  readonly #edits: FeatureEdits;
  readonly #table: string;
  readonly #signal: AbortSignal;

  constructor(
    edits: FeatureEdits,
    publication: Publication & { readonly restriction: CompiledRestriction },
    { table, signal }: { readonly table: string; readonly signal: AbortSignal },
  ) {
    this.#edits = edits;
    this.#publication = publication;
    this.#restriction = publication.restriction;
    this.#table = table;
    this.#signal = signal;
  }

  /** Finds the rows that the principal sees and that match; undefined if the filter uses a computed attribute. */
  async findVisible(filter: ResolvedFilter): Promise<readonly VisibleRow[] | undefined> {
    const { mask } = this.#publication;
    const show = createFeatureConverter(this.#publication);
    const native = new NativeQueries(this.#publication).toNecessaryQuery({ filter }).filter;
    if (mask === undefined && renameAttributes(filter, createNativeNames(this.#publication)) === undefined) {
      return undefined;
    }
    const found = await this.#edits.find(this.#table, native ?? { kind: 'constant', value: true });
    if (mask === undefined) return found.map((feature) => ({ id: feature.id, published: show(feature) }));
    const convert = await createRowMask({ ...this.#publication, mask }, show, this.#signal);
    const rows = (await convert(found)).map((published, index) => ({ id: found[index]?.id ?? '', published }));
    const access = createFeatureAccess(this.#publication.attributes.map(({ name }) => name));
    const match = await this.#publication.filterRunner.start(filter, access, this.#signal);
    const matching = new Set(await match(rows.map(({ published }) => published)));
    return rows.filter(({ published }) => matching.has(published));
  }

  /** Throws if a row is not writable. Returns the rules that permit changes of each row, by id. */
  async checkWritable(ids: readonly string[]): Promise<ReadonlyMap<string, readonly CompiledRule[]>> {
    const rules = await this.#findWriteRules(ids);
    if (ids.some((id) => rules.get(id)?.length === 0)) throw createViolation('a feature is read-only');
    return rules;
  }

  /** Returns the ids of the rows that can be changed. */
  async selectWritableIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rules = await this.#findWriteRules(ids);
    return new Set(ids.filter((id) => (rules.get(id)?.length ?? 0) > 0));
  }

  #findWriteRules(ids: readonly string[]): Promise<ReadonlyMap<string, readonly CompiledRule[]>> {
    return this.#findRules(ids, (rule) =>
      joinResolvedFilters('and', [rule.writeFilter, ...(rule.area === undefined ? [] : [rule.area.filter])]),
    );
  }

  /** Throws if a written row does not fit a rule, or if it sets an attribute that no such rule permits. */
  async checkWritten(ids: readonly string[], inserted: readonly NewValues[] = []): Promise<void> {
    const rules = await this.#findRules(ids, (rule) => joinResolvedFilters('and', [rule.writeFilter, limitArea(rule)]));
    for (const [index, id] of ids.entries()) {
      const fitting = rules.get(id) ?? [];
      if (fitting.length === 0) throw createViolation('the values are outside of the rows or the area of the rule');
      checkAttributes(inserted[index]?.attributes ?? [], fitting);
    }
  }

  /** Throws if an attribute of a row cannot be changed. */
  async checkChanges(changes: NewValues, writable: ReadonlyMap<string, readonly CompiledRule[]>): Promise<void> {
    for (const rules of writable.values()) checkAttributes(changes.attributes, rules);
    if (changes.attributes.some(({ kind }) => kind === 'geometry')) await this.#checkWholeGeometries(writable);
  }

  /** Returns the attributes of a replacement that can be written in the row; the others keep their values. */
  async selectWritable(values: NewValues, id: string, rules: readonly CompiledRule[]): Promise<NewValues> {
    const canReshape = await this.#listReshapable(new Map([[id, rules]]));
    const isWritable = values.attributes.map(
      ({ name, kind }) =>
        rules.some(({ writable }) => writable.has(name)) && (kind !== 'geometry' || canReshape.has(id)),
    );
    return {
      attributes: values.attributes.filter((_, index) => isWritable[index]),
      values: values.values.filter((_, index) => isWritable[index]),
    };
  }

  /** The principal sees a part of a clipped geometry, and would overwrite the rest. */
  async #checkWholeGeometries(writable: ReadonlyMap<string, readonly CompiledRule[]>): Promise<void> {
    const whole = await this.#listReshapable(writable);
    if ([...writable.keys()].some((id) => !whole.has(id))) {
      throw createViolation('the geometry of a feature that reaches outside of the area is read-only');
    }
  }

  async #listReshapable(writable: ReadonlyMap<string, readonly CompiledRule[]>): Promise<ReadonlySet<string>> {
    if (!this.#restriction.rules.some(({ area }) => area?.clip !== undefined)) return new Set(writable.keys());
    const inside = await this.#findRules([...writable.keys()], limitArea);
    return new Set(
      [...writable].flatMap(([id, rules]) => (rules.some((rule) => inside.get(id)?.includes(rule)) ? [id] : [])),
    );
  }

  async #findRules(
    ids: readonly string[],
    select: (rule: CompiledRule) => ResolvedFilter,
  ): Promise<ReadonlyMap<string, readonly CompiledRule[]>> {
    const rules = new Map<string, CompiledRule[]>(ids.map((id) => [id, []]));
    for (const rule of this.#restriction.rules) {
      const filter = select(rule);
      for (let at = 0; at < ids.length; at += CHECK_BATCH_SIZE) {
        const identifiers = ids.slice(at, at + CHECK_BATCH_SIZE);
        const joined = joinResolvedFilters('and', [{ kind: 'identifiers', identifiers }, filter]);
        if (joined.kind === 'constant' && !joined.value) continue;
        for (const { id } of await this.#edits.find(this.#table, joined)) rules.get(id)?.push(rule);
      }
    }
    return rules;
  }
}

/** Written geometries intersect the area, or lie within it if it clips. */
function limitArea({ area }: CompiledRule): ResolvedFilter {
  if (area === undefined) return { kind: 'constant', value: true };
  return area.clip !== undefined && area.filter.kind === 'relation'
    ? { ...area.filter, relation: 'within' }
    : area.filter;
}

function checkAttributes(attributes: NewValues['attributes'], rules: readonly CompiledRule[]): void {
  const refused = attributes.find(({ name }) => !rules.some(({ writable }) => writable.has(name)));
  if (refused !== undefined) throw createViolation(`the attribute '${refused.name}' is read-only`);
}

function createViolation(reason: string): Problem {
  return problem('data-rule-violated', { reason });
}

/** Returns whether the attribute with this column is visible, so that messages may name it. */
export function isVisibleColumn({ attributes, native }: Publication, column: unknown): boolean {
  return typeof column === 'string' && attributes.some((each) => findNativeName(each, native) === column);
}
