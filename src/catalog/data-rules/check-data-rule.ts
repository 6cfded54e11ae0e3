/** Validates data rules, also against the layer that they name. */
import { listFilterAttributes } from '../../filter/model/list-attributes.ts';
import { resolveFilter } from '../../filter/resolve/resolve.ts';
import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { ANY, type DataRuleContent } from '../../security/data-rules/data-rule.ts';
import {
  bindRuleFilter,
  parseRuleFilter,
  type RuleFilter,
  RuleFilterError,
} from '../../security/data-rules/rule-filter.ts';
import { createFilterSchema } from '../../vector/port/filter-schema.ts';
import { findResourceById } from '../kinds/any-resource.ts';
import { type FeatureType, featureTypeKind } from '../kinds/feature-type.ts';
import { isComputedAttribute, type PublishedAttribute } from '../kinds/published-attribute.ts';
import type { Resource } from '../kinds/resource.ts';
import { findLayerIn } from '../layers/layers.ts';
import { checkAreaCrs, createInvalidRuleProblem } from './check-area.ts';

/** The length of role names that providers assign. */
const MAX_ROLE_LENGTH = 256;
/** As many roles as one account can have. */
const MAX_ROLES = 500;
const MAX_ATTRIBUTES = 1_000;

/** Throws a Problem for a rule that is invalid for every layer. The polygon of its area is checked separately. */
export async function checkRuleContent(rule: DataRuleContent): Promise<void> {
  checkLayerName(rule.layer);
  checkRoles(rule.roles);
  for (const field of ['rows', 'writeRows'] as const) parseField(rule, field);
  if (Object.keys(rule.attributes).length > MAX_ATTRIBUTES) {
    throw createInvalidRuleProblem('attributes', `it has more than ${MAX_ATTRIBUTES} names`);
  }
  if (rule.area !== null) await checkAreaCrs(rule.area);
}

/**
 * Throws a Problem for a rule that does not fit its layer. Returns warnings: the layer may be published later, and
 * rules for several layers fit those that have their attributes.
 */
export async function checkRuleForLayer(catalog: CatalogReader, rule: DataRuleContent): Promise<readonly string[]> {
  const [workspaceName = '', layerName = ''] = splitLayerName(rule.layer);
  if (workspaceName === ANY) return [];
  const workspace = await catalog.find(workspaceKind, null, workspaceName);
  if (workspace === undefined) return [`Unknown workspace '${workspaceName}'. The rule applies once it exists.`];
  if (layerName === ANY) return [];
  const found = await findLayerIn(catalog, workspace, layerName);
  const resource = found && (await findResourceById(catalog, found.layer.parent ?? ''));
  if (resource === undefined) return [`Unknown layer '${rule.layer}'. The rule applies once it exists.`];
  await checkRuleForResource(rule, resource);
  return [];
}

/** Throws a Problem for a rule that cannot be evaluated for the resource. */
export async function checkRuleForResource(rule: DataRuleContent, resource: Resource): Promise<void> {
  if (resource.kind === featureTypeKind.kind) {
    await checkRuleForType(rule, resource as FeatureType);
    return;
  }
  const field = (['rows', 'writeRows'] as const).find((each) => rule[each] !== null);
  const unsupported = field ?? (Object.keys(rule.attributes).length > 0 ? 'attributes' : undefined);
  if (unsupported !== undefined) {
    throw problem('data-rule-unsupported', { field: `dataRule.${unsupported}`, name: rule.layer });
  }
}

async function checkRuleForType(rule: DataRuleContent, { attributes }: FeatureType): Promise<void> {
  const unknown = Object.keys(rule.attributes).find(
    (name) => name !== ANY && !attributes.some((each) => each.name === name),
  );
  if (unknown !== undefined) {
    throw createInvalidRuleProblem('attributes', `unknown attribute '${excerpt(unknown)}'`);
  }
  const geometry = attributes.find(({ kind }) => kind === 'geometry');
  if (rule.area !== null && geometry === undefined) {
    throw createInvalidRuleProblem('area', 'the layer has no geometry');
  }
  for (const field of ['rows', 'writeRows'] as const) {
    const filter = parseField(rule, field);
    if (filter !== undefined) await checkCondition(filter, field, attributes);
  }
}

/** The values of variables are unknown: a number fits attributes of every type but dates. */
async function checkCondition(
  filter: RuleFilter,
  field: 'rows' | 'writeRows',
  attributes: readonly PublishedAttribute[],
): Promise<void> {
  const schema = createFilterSchema(attributes);
  const samples = filter.variables.length === 0 ? [''] : sampleValues;
  let reason: string | undefined;
  for (const sample of samples) {
    const condition = bindRuleFilter(filter, (name) => (name === 'user.roles' ? [sample] : sample));
    const outcome = condition && (await resolveFilter(condition, schema));
    if (outcome?.kind === 'resolved') {
      const names = listFilterAttributes(outcome.filter);
      const computed = attributes.find((each) => names.includes(each.name) && isComputedAttribute(each));
      if (computed === undefined) return;
      reason = `the attribute '${computed.name}' is computed. Use attributes of the data`;
    } else if (outcome !== undefined) reason ??= formatIssue(filter, outcome.complaint);
  }
  throw createInvalidRuleProblem(field, reason ?? 'it cannot be evaluated');
}

const sampleValues = ['1', 'true', '2000-01-01T00:00:00Z', 'a'];

function formatIssue(filter: RuleFilter, issue: { readonly part: object | undefined; readonly message: string }) {
  const position = issue.part && filter.findPosition(issue.part);
  return position === undefined ? issue.message : `line ${position.line}, column ${position.column}: ${issue.message}`;
}

function parseField(rule: DataRuleContent, field: 'rows' | 'writeRows'): RuleFilter | undefined {
  const text = rule[field];
  if (text === null) return undefined;
  try {
    return parseRuleFilter(text);
  } catch (error) {
    if (!(error instanceof RuleFilterError)) throw error;
    const { line, column } = error.position;
    throw createInvalidRuleProblem(field, `line ${line}, column ${column}: ${error.message}`);
  }
}

/** Workspace names have no colon. */
export function splitLayerName(layer: string): readonly [workspace: string, layer: string] {
  const colon = layer.indexOf(':');
  return [layer.slice(0, Math.max(colon, 0)), layer.slice(colon + 1)];
}

function checkLayerName(layer: string): void {
  const [workspace, name] = splitLayerName(layer);
  const isPlain = !/[\p{Cc}/\\]/u.test(layer) && layer.isWellFormed() && layer.length <= 512;
  if (workspace === '' || name === '' || !isPlain || (workspace === ANY && name !== ANY)) {
    throw createInvalidRuleProblem('layer', "use 'workspace:layer', 'workspace:*' or '*:*'");
  }
}

function checkRoles(roles: readonly string[]): void {
  if (roles.length === 0)
    throw createInvalidRuleProblem('roles', "at least one role is required. Use '*' for everybody");
  if (roles.length > MAX_ROLES) throw createInvalidRuleProblem('roles', `it has more than ${MAX_ROLES} roles`);
  const invalid = roles.find(
    (role) => role.trim() !== role || role === '' || role.length > MAX_ROLE_LENGTH || /\p{Cc}/u.test(role),
  );
  if (invalid !== undefined) {
    const reason = `'${excerpt(invalid)}' is no role name: use 1 to ${MAX_ROLE_LENGTH} characters without control characters`;
    throw createInvalidRuleProblem('roles', reason);
  }
}
