/** Manages data rules. */
import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import { problem } from '../../lib/problems/problem.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { checkName, resolveNewName } from '../../records/names.ts';
import { changeWithRevision } from '../../security/core/security-state.ts';
import { type DataRule, type DataRuleContent, dataRuleKind, dataRuleSet } from '../../security/data-rules/data-rule.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { checkAreaPolygon } from './check-area.ts';
import { checkRuleContent, checkRuleForLayer } from './check-data-rule.ts';

/** The fields that a client can set: an absent field stays unchanged, null clears it. */
export type DataRuleDraft = { readonly [F in keyof DataRuleContent]?: DataRuleContent[F] | null } & {
  readonly name?: string | null;
};

/** Finding the rules of a layer and binding their values must take microseconds. */
const MAX_RULES_PER_LAYER = 100;
const MAX_RULES = 10_000;

const nameRule = { what: 'data rule', field: 'dataRule.name' };

export function listDataRules(catalog: CatalogReader): Promise<readonly DataRule[]> {
  return catalog.list(dataRuleKind, null);
}

export async function findDataRule(catalog: CatalogReader, name: string): Promise<DataRule> {
  const rule = await catalog.find(dataRuleKind, null, name);
  if (rule === undefined) throw problem('data-rule-unknown', { name });
  return rule;
}

export async function dataRuleExists(catalog: CatalogReader, name: string): Promise<boolean> {
  return (await catalog.find(dataRuleKind, null, name)) !== undefined;
}

export interface DataRuleServices {
  readonly catalog: Catalog;
  readonly filterWorkers: Pick<WorkerPool, 'run'>;
}

interface SavedRule {
  readonly warnings: readonly string[];
}

export async function createDataRule(
  { catalog, filterWorkers }: DataRuleServices,
  principal: Principal,
  draft: DataRuleDraft,
): Promise<SavedRule & { readonly name: string }> {
  const name = draft.name ?? '';
  checkName(name, nameRule);
  const content = mergeContent(emptyContent, draft);
  await checkRuleContent(content);
  if (content.area !== null) await checkAreaPolygon(content.area, filterWorkers);
  const warnings = await checkRuleForLayer(catalog, content);
  await changeWithRevision(
    dataRuleSet,
    catalog,
    { principal, what: `create data rule ${name}` },
    async (transaction) => {
      await checkNameAvailable(transaction, name);
      if ((await transaction.count(dataRuleKind)) >= MAX_RULES) {
        throw problem('data-rule-limit', { limit: MAX_RULES, of: 'the server' });
      }
      await checkLayerLimit(transaction, content.layer);
      await transaction.insert(dataRuleKind, { parent: null, name, ...content });
    },
  );
  return { name, warnings };
}

export async function changeDataRule(
  { catalog, filterWorkers }: DataRuleServices,
  principal: Principal,
  name: string,
  { draft, precondition }: { readonly draft: DataRuleDraft; readonly precondition: Precondition },
): Promise<SavedRule> {
  // The checks of conditions and geometries are too slow for a transaction, which checks that the rule is the same.
  const checked = await findDataRule(catalog, name);
  const content = mergeContent(checked, draft);
  await checkRuleContent(content);
  // A stored polygon is valid.
  if (draft.area != null && content.area !== null) await checkAreaPolygon(content.area, filterWorkers);
  const warnings = await checkRuleForLayer(catalog, content);
  await changeWithRevision(
    dataRuleSet,
    catalog,
    { principal, what: `change data rule ${name}` },
    async (transaction) => {
      const current = await findDataRule(transaction, name);
      checkPrecondition(precondition, current.version);
      const merged = mergeContent(current, draft);
      if (current.version !== checked.version) await checkRuleContent(merged);
      const changed: DataRule = { ...current, ...merged, name: resolveNewName(name, draft.name, nameRule) };
      if (changed.name !== name) await checkNameAvailable(transaction, changed.name);
      if (changed.layer !== current.layer) await checkLayerLimit(transaction, changed.layer);
      await transaction.update(dataRuleKind, changed);
    },
  );
  return { warnings };
}

export function deleteDataRule(
  catalog: Catalog,
  principal: Principal,
  name: string,
  { precondition }: { readonly precondition: Precondition },
): Promise<void> {
  return changeWithRevision(
    dataRuleSet,
    catalog,
    { principal, what: `delete data rule ${name}` },
    async (transaction) => {
      const rule = await findDataRule(transaction, name);
      checkPrecondition(precondition, rule.version);
      await transaction.removeDeep(rule.id);
    },
  );
}

const emptyContent: DataRuleContent = {
  layer: '',
  roles: [],
  enabled: true,
  rows: null,
  writeRows: null,
  attributes: {},
  area: null,
};

function mergeContent(current: DataRuleContent, draft: DataRuleDraft): DataRuleContent {
  const { name: _, ...sent } = draft;
  const set = Object.entries(sent).filter(([, value]) => value !== undefined);
  const cleared: Partial<DataRuleContent> = Object.fromEntries(
    set.map(([field, value]) => [field, value ?? emptyContent[field as keyof DataRuleContent]]),
  );
  const { layer, roles, enabled, rows, writeRows, attributes, area } = { ...current, ...cleared };
  return { layer, roles: [...new Set(roles)], enabled, rows, writeRows, attributes, area };
}

async function checkNameAvailable(catalog: CatalogReader, name: string): Promise<void> {
  if (await dataRuleExists(catalog, name)) throw problem('data-rule-exists', { name });
}

async function checkLayerLimit(catalog: CatalogReader, layer: string): Promise<void> {
  const rules = await catalog.findByKey(dataRuleKind, 'layer', layer, MAX_RULES_PER_LAYER);
  if (rules.length >= MAX_RULES_PER_LAYER) {
    throw problem('data-rule-limit', { limit: MAX_RULES_PER_LAYER, of: `'${layer}'` });
  }
}
