/** Finds the data rules of a layer that apply to a principal. It is built again only after a rule changes. */
import type { Principal } from '../../lib/identity/principal.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { getRevisionVersion } from '../core/security-state.ts';
import { ANY, type DataRule, type DataRuleContent, dataRuleKind, dataRuleSet } from './data-rule.ts';
import { type AppliedRule, createRestriction, findVariable, hasRuleRole, type Restriction } from './restriction.ts';
import { bindRuleFilter, type Condition, parseRuleFilter, type RuleFilter, RuleFilterError } from './rule-filter.ts';

/** The fields of a rule that decide about access. */
export type IndexedRule = DataRuleContent & Pick<DataRule, 'name'>;

/** Why a rule does not apply. */
export type SkipReason = 'roles' | 'disabled' | 'level' | 'variable';

export interface RuleSelection {
  /** The deciding level, such as `land:parcels`, `land:*` or `*:*`; undefined if no enabled rule exists. */
  readonly level: string | undefined;
  readonly restriction: Restriction | undefined;
  readonly skipped: readonly { readonly rule: string; readonly reason: SkipReason }[];
}

export class DataRuleIndex {
  readonly #rules: ReadonlyMap<string, readonly IndexedRule[]>;
  readonly #filters = new Map<string, RuleFilter | undefined>();
  /** The principals of a session are the same object, and so is the anonymous one. */
  readonly #known = new WeakMap<Principal, Map<string, Restriction>>();

  /** The variables of all enabled rules. */
  #variables: readonly string[] | undefined;
  readonly #descriptions = new WeakMap<Principal, string>();

  constructor(rules: readonly IndexedRule[]) {
    this.#rules = Map.groupBy(rules, ({ layer }) => layer);
  }

  /**
   * Equal for principals who see the same layers and data: roles, scopes of tokens, and the variables that rules use.
   * Other claims, such as the expiry of a token, differ between sign-ins of one user.
   */
  describeVisibility(principal: Principal): string {
    const known = this.#descriptions.get(principal);
    if (known !== undefined) return known;
    const { roles, token, preview } = principal;
    const viewer = preview === undefined ? null : [preview.viewer.name, this.describeVisibility(preview.viewer)];
    this.#variables ??= this.#listVariables();
    const values = this.#variables.map((name) => findVariable(principal, name) ?? null);
    const parts = [[...roles].toSorted(), token?.administersWorkspaces ?? null, token?.scopes ?? null, values, viewer];
    const description = JSON.stringify(parts);
    this.#descriptions.set(principal, description);
    return description;
  }

  /** Reads the texts only, because parsing ten thousand rules would block other requests. */
  #listVariables(): readonly string[] {
    const names = new Set<string>();
    for (const { enabled, rows, writeRows } of [...this.#rules.values()].flat()) {
      if (!enabled) continue;
      for (const [, name = ''] of `${rows} ${writeRows}`.matchAll(/\$\{([^{}]*)\}/g)) names.add(name);
    }
    return [...names].toSorted();
  }

  /** Returns undefined for a layer without rules. Ignores the rights of administrators. */
  findRestriction(principal: Principal, workspace: string, layer: string): Restriction | undefined {
    if (this.#rules.size === 0) return undefined;
    const level = this.#findLevel(workspace, layer);
    if (level === undefined) return undefined;
    const known = this.#known.get(principal) ?? new Map<string, Restriction>();
    this.#known.set(principal, known);
    const found = known.get(level) ?? createRestriction(this.#applyRules(level, principal));
    known.set(level, found);
    return found;
  }

  /** Explains which rules apply. */
  select(principal: Principal, workspace: string, layer: string): RuleSelection {
    const level = this.#findLevel(workspace, layer);
    const rules = listLevels(workspace, layer).flatMap((each) => this.#rules.get(each) ?? []);
    const skipped = rules.flatMap((rule) => {
      const reason = this.#findSkipReason(rule, level, principal);
      return reason === undefined ? [] : [{ rule: rule.name, reason }];
    });
    return { level, restriction: this.findRestriction(principal, workspace, layer), skipped };
  }

  #findLevel(workspace: string, layer: string): string | undefined {
    return listLevels(workspace, layer).find((each) => this.#rules.get(each)?.some(({ enabled }) => enabled));
  }

  #applyRules(level: string, principal: Principal): readonly AppliedRule[] {
    const rules = this.#rules.get(level) ?? [];
    return rules
      .filter(({ enabled, roles }) => enabled && hasRuleRole(roles, principal))
      .map((rule) => {
        const rows = this.#bind(rule.rows, principal);
        return {
          name: rule.name,
          layer: rule.layer,
          rows,
          writeRows: rule.writeRows === null ? rows : this.#bind(rule.writeRows, principal),
          attributes: rule.attributes,
          area: rule.area,
        };
      });
  }

  #findSkipReason(rule: IndexedRule, level: string | undefined, principal: Principal): SkipReason | undefined {
    if (!rule.enabled) return 'disabled';
    if (rule.layer !== level) return 'level';
    if (!hasRuleRole(rule.roles, principal)) return 'roles';
    return this.#bind(rule.rows, principal)?.kind === 'exclude' && rule.rows?.includes('${') ? 'variable' : undefined;
  }

  /** A condition that cannot be bound matches no row, whatever its negations. */
  #bind(text: string | null, principal: Principal): Condition | undefined {
    if (text === null) return undefined;
    const filter = this.#parse(text);
    const bound = filter && bindRuleFilter(filter, (name) => findVariable(principal, name));
    return bound?.kind === 'include' ? undefined : (bound ?? { kind: 'exclude' });
  }

  #parse(text: string): RuleFilter | undefined {
    if (this.#filters.has(text)) return this.#filters.get(text);
    const filter = tryParse(text);
    this.#filters.set(text, filter);
    return filter;
  }
}

/** A stored condition that a later version rejects matches no row. */
function tryParse(text: string): RuleFilter | undefined {
  try {
    return parseRuleFilter(text);
  } catch (error) {
    if (error instanceof RuleFilterError) return undefined;
    throw error;
  }
}

/** The most specific level first. */
function listLevels(workspace: string, layer: string): readonly string[] {
  return [`${workspace}:${layer}`, `${workspace}:${ANY}`, `${ANY}:${ANY}`];
}

const emptyIndex = new DataRuleIndex([]);

/** Returns a function that reads the index, which is cached with the version of the rules. */
export function createDataRuleIndexCache(): (reader: CatalogReader) => Promise<DataRuleIndex> {
  let known: { readonly version: number; readonly index: DataRuleIndex } | undefined;
  return async (reader) => {
    for (;;) {
      const version = await getRevisionVersion(reader, dataRuleSet);
      if (version === 0) return emptyIndex;
      if (known?.version === version) return known.index;
      const rules = await reader.list(dataRuleKind, null);
      // On a live reader the rules may have changed meanwhile.
      if (version === (await getRevisionVersion(reader, dataRuleSet))) {
        known = { version, index: new DataRuleIndex(rules) };
        return known.index;
      }
    }
  };
}
