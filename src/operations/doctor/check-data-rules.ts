/** Checks that the data rules can be evaluated, and that their layers and roles exist. */
import {
  checkRuleContent,
  checkRuleForLayer,
  checkRuleForResource,
  splitLayerName,
} from '../../catalog/data-rules/check-data-rule.ts';
import { findSqlView } from '../../catalog/feature-types/virtual-table.ts';
import { findResourceById } from '../../catalog/kinds/any-resource.ts';
import { dataStoreKind } from '../../catalog/kinds/data-store.ts';
import { type FeatureType, featureTypeKind } from '../../catalog/kinds/feature-type.ts';
import { getColumnName, isComputedAttribute } from '../../catalog/kinds/published-attribute.ts';
import { findLayerIn } from '../../catalog/layers/layers.ts';
import type { VectorData } from '../../catalog/stores/vector-data.ts';
import type { YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { authProviderKind } from '../../security/auth-providers/model/auth-provider.ts';
import { getProviderMethod } from '../../security/auth-providers/model/provider-classes.ts';
import { ANY, type DataRule, dataRuleKind } from '../../security/data-rules/data-rule.ts';
import { computedRoles, permanentRoles, roleKind } from '../../security/roles/role.ts';
import type { Check, Findings } from './diagnosis.ts';

/** Roles that no record declares. */
const builtInRoles = [ANY, ...computedRoles, ...permanentRoles];

export interface DataRulesCheckInput {
  readonly catalog: CatalogReader;
  /** Connects to the stores to compare the rules with the current data; undefined to use the catalog only. */
  readonly vectorData: VectorData | undefined;
}

/** Returns no check if no rule exists. */
export async function checkDataRules(
  { catalog, vectorData }: DataRulesCheckInput,
  findings: Findings,
  { pace, signal }: { readonly pace: YieldIfDue; readonly signal: AbortSignal },
): Promise<readonly Check[]> {
  const findUnknownRoles = await createRoleCheck(catalog);
  const checkData = vectorData && createDataCheck(catalog, vectorData.toDryRun());
  let count = 0;
  for await (const piece of catalog.readAll(dataRuleKind)) {
    for (const rule of piece) {
      signal.throwIfAborted();
      await pace();
      count += 1;
      if (!rule.enabled) continue;
      for (const found of [...(await findRuleProblems(catalog, rule, checkData)), ...findUnknownRoles(rule)]) {
        findings.add('data-rules', { place: [{ kind: rule.kind, name: rule.name }], ...found });
      }
    }
  }
  if (count === 0) return [];
  return [findings.summarize('data-rules', `${count} ${count === 1 ? 'data rule was' : 'data rules were'} checked.`)];
}

interface RuleProblem {
  readonly code: string;
  readonly message: string;
}

/** Compares a rule with the current data of its layer. Throws a Problem for a rule that cannot be evaluated with it. */
type DataCheck = (rule: DataRule) => Promise<readonly RuleProblem[]>;

async function findRuleProblems(
  catalog: CatalogReader,
  rule: DataRule,
  checkData: DataCheck | undefined,
): Promise<readonly RuleProblem[]> {
  try {
    await checkRuleContent(rule);
    const warnings = await checkRuleForLayer(catalog, rule);
    const outdated = (await checkData?.(rule)) ?? [];
    return [
      ...warnings.map((warning) => ({
        code: 'data-rule-layer-unknown',
        message: `The data rule '${rule.name}' has no effect. ${warning}`,
      })),
      ...outdated,
    ];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = `The data rule '${rule.name}' matches no row, because it cannot be evaluated. ${error.message}`;
    return [{ code: 'data-rule-unusable', message }];
  }
}

/** Describes each feature type once. Rules for several layers apply to those that have their attributes. */
function createDataCheck(catalog: CatalogReader, vectorData: VectorData): DataCheck {
  const known = new Map<string, Promise<FeatureType | undefined>>();
  return async (rule) => {
    const type = await findFeatureType(catalog, rule.layer);
    if (type === undefined) return [];
    const described = known.get(type.id) ?? describeCurrentType(catalog, vectorData, type);
    known.set(type.id, described);
    const current = await described;
    if (current === undefined) return [];
    await checkRuleForResource({ ...rule, attributes: {} }, current);
    return Object.keys(rule.attributes)
      .filter((name) => name !== ANY && !current.attributes.some((each) => each.name === name))
      .map((name) => ({
        code: 'data-rule-attribute-missing',
        message: `The data rule '${rule.name}' names the attribute '${name}', which the data lacks. Remove it from the rule and from the layer.`,
      }));
  };
}

async function findFeatureType(catalog: CatalogReader, layer: string): Promise<FeatureType | undefined> {
  const [workspaceName, layerName] = splitLayerName(layer);
  const workspace = await catalog.find(workspaceKind, null, workspaceName);
  const found = workspace && (await findLayerIn(catalog, workspace, layerName));
  const resource = found && (await findResourceById(catalog, found.layer.parent ?? ''));
  return resource?.kind === featureTypeKind.kind ? (resource as FeatureType) : undefined;
}

/** Returns the type with the attributes that the data still has; undefined if the data is unavailable. */
async function describeCurrentType(
  catalog: CatalogReader,
  vectorData: VectorData,
  type: FeatureType,
): Promise<FeatureType | undefined> {
  const store = await catalog.get(dataStoreKind, type.parent ?? '');
  // The data of disabled stores is not checked.
  if (!store?.enabled) return undefined;
  const view = findSqlView(type.metadata);
  try {
    const native = await (view === undefined
      ? vectorData.describe({ store }, type.nativeName)
      : vectorData.describeView({ store }, view));
    return (
      native && {
        ...type,
        attributes: type.attributes.flatMap((each) => {
          if (isComputedAttribute(each)) return [each];
          const stored = native.attributes.find(({ name }) => name === getColumnName(each));
          return stored === undefined ? [] : [{ ...stored, name: each.name }];
        }),
      }
    );
  } catch (error) {
    // The check of stores reports it.
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** External authentication providers assign roles that the server does not know before a user signs in. */
async function createRoleCheck(catalog: CatalogReader): Promise<(rule: DataRule) => readonly RuleProblem[]> {
  const providers = await catalog.list(authProviderKind, null);
  if (providers.some(({ className }) => getProviderMethod(className) !== 'password')) return () => [];
  const known = new Set(builtInRoles);
  for await (const piece of catalog.readAll(roleKind)) for (const { name } of piece) known.add(name);
  return ({ name, roles }) =>
    roles
      .filter((role) => !known.has(role))
      .map((role) => ({
        code: 'data-rule-role-unknown',
        message: `The data rule '${name}' names the unknown role '${role}'. Create the role, or remove it from the rule.`,
      }));
}
