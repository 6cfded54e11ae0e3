/** Explains which rules decide about the access of a user or of roles to a layer. */
import { writeEcqlFilter } from '../../filter/ecql/ecql.ts';
import { isAdministrator, type Principal } from '../../lib/identity/principal.ts';
import { problem } from '../../lib/problems/problem.ts';
import { formatPrintableName } from '../../records/names.ts';
import { workspaceKind } from '../../records/workspace.ts';
import type { Access, DecidingRules, Permissions } from '../../security/access-rules/access.ts';
import { type AccessMode, formatLayerKey } from '../../security/access-rules/layer-rules.ts';
import type { Security } from '../../security/core/security.ts';
import {
  type AttributeAccess,
  attributeAccesses,
  type DataRuleArea,
  getAttributeAccess,
} from '../../security/data-rules/data-rule.ts';
import type { RuleSelection } from '../../security/data-rules/data-rule-index.ts';
import type { AppliedRule } from '../../security/data-rules/restriction.ts';
import { type AccessSubject, createSubject } from '../../security/previews/create-subject.ts';
import { findResourceById } from '../kinds/any-resource.ts';
import { type FeatureType, featureTypeKind } from '../kinds/feature-type.ts';
import { findLayerIn } from '../layers/layers.ts';
import { splitLayerName } from './check-data-rule.ts';

export interface ExplainedMode {
  readonly verdict: 'allow' | 'limit' | 'empty' | 'deny';
  readonly shownAs?: 'hidden' | 'challenge';
  readonly decidedBy: {
    readonly kind: 'administrator' | 'layer-rule' | 'data-rule' | 'default';
    /** Of a layer rule. */
    readonly rule?: string;
    readonly roles?: readonly string[];
    /** Of data rules. */
    readonly level?: string;
    readonly rules?: readonly string[];
  };
}

export interface AccessExplanation {
  readonly layer: string;
  readonly subject: { readonly user: string | null; readonly roles: readonly string[] };
  readonly read: ExplainedMode;
  readonly write: ExplainedMode;
  readonly admin: ExplainedMode;
  /** Null for an unrestricted layer. */
  readonly data: ExplainedData | null;
}

export interface ExplainedData {
  readonly applied: readonly string[];
  readonly skipped: RuleSelection['skipped'];
  readonly rows: string | null;
  readonly writeRows: string | null;
  readonly attributes: Readonly<Record<string, AttributeAccess>>;
  readonly areas: readonly DataRuleArea[];
}

export interface ExplanationQuestion extends AccessSubject {
  readonly layer: string;
}

export async function explainAccess(
  { security, access }: { readonly security: Security; readonly access: Access },
  question: ExplanationQuestion,
): Promise<AccessExplanation> {
  const { catalog } = security;
  const [workspaceName, layerName] = splitLayerName(question.layer);
  const workspace = await catalog.find(workspaceKind, null, workspaceName);
  const found = workspace && (await findLayerIn(catalog, workspace, layerName));
  if (found === undefined) {
    throw problem('layer-unknown', { name: formatPrintableName(question.layer), workspace: undefined });
  }
  const principal = await createSubject(security, question);
  const permissions = await access.getPermissions(principal);
  const rules = await access.readDecidingRules();
  const selection = rules.data.select(principal, workspaceName, layerName);
  const isRestricted = permissions.findRestriction(workspaceName, layerName) !== undefined;
  const explain = (mode: AccessMode): ExplainedMode =>
    explainMode({ principal, permissions, rules, workspace: workspaceName, layer: layerName, mode });
  const limit = (mode: ExplainedMode): ExplainedMode =>
    isRestricted && mode.verdict === 'allow' ? limitMode(selection) : mode;
  const resource = await findResourceById(catalog, found.layer.parent ?? '');
  return {
    layer: question.layer,
    subject: { user: question.user, roles: [...principal.roles].sort() },
    read: limit(explain('read')),
    write: limit(explain('write')),
    admin: explain('admin'),
    data: isRestricted ? explainData(selection, listAttributeNames(resource)) : null,
  };
}

interface ModeQuestion {
  readonly principal: Principal;
  readonly permissions: Permissions;
  readonly rules: DecidingRules;
  readonly workspace: string;
  readonly layer: string;
  readonly mode: AccessMode;
}

function explainMode({ principal, permissions, rules, workspace, layer, mode }: ModeQuestion): ExplainedMode {
  if (isAdministrator(principal)) return { verdict: 'allow', decidedBy: { kind: 'administrator' } };
  const target = mode === 'admin' ? { workspace, layer: null } : { workspace, layer };
  const decision = mode !== 'admin' && permissions.administers(workspace) ? 'allow' : permissions.decide(target, mode);
  const own = rules.layers.findRule(workspace, target.layer, mode);
  const admin = rules.layers.findRule(workspace, null, 'admin');
  // The rule for administrators of the workspace opens what the own rule would not.
  const rule = mode !== 'admin' && permissions.administers(workspace) ? admin : own;
  const decidedBy: ExplainedMode['decidedBy'] =
    rule === undefined ? { kind: 'default' } : { kind: 'layer-rule', rule: formatLayerKey(rule), roles: rule.roles };
  if (decision === 'allow') return { verdict: 'allow', decidedBy };
  return { verdict: 'deny', shownAs: decision === 'hide' ? 'hidden' : 'challenge', decidedBy };
}

function limitMode(selection: RuleSelection): ExplainedMode {
  const { level = '' } = selection;
  const rules = listAppliedNames(selection);
  return { verdict: rules.length === 0 ? 'empty' : 'limit', decidedBy: { kind: 'data-rule', level, rules } };
}

/** A rule with a variable that the principal lacks selects no row. */
function listAppliedNames({ restriction, skipped }: RuleSelection): readonly string[] {
  const names = restriction?.rules.map(({ name }) => name) ?? [];
  return names.filter((name) => skipped.every(({ rule }) => rule !== name));
}

function listAttributeNames(resource: { readonly kind: string } | undefined): readonly string[] {
  return resource?.kind === featureTypeKind.kind ? (resource as FeatureType).attributes.map(({ name }) => name) : [];
}

function explainData(selection: RuleSelection, names: readonly string[]): ExplainedData {
  const rules = selection.restriction?.rules ?? [];
  return {
    applied: listAppliedNames(selection),
    skipped: selection.skipped,
    rows: writeUnion(rules, ({ rows }) => rows),
    writeRows: writeUnion(rules, ({ writeRows }) => writeRows),
    attributes: Object.fromEntries(names.map((name) => [name, findHighestAccess(rules, name)])),
    areas: rules.flatMap(({ area }) => area ?? []),
  };
}

/** Null if one of the rules selects all rows. */
function writeUnion(rules: readonly AppliedRule[], choose: (rule: AppliedRule) => AppliedRule['rows']): string | null {
  const conditions = rules.map(choose);
  if (conditions.length === 0) return 'EXCLUDE';
  if (conditions.some((each) => each === undefined)) return null;
  const texts = conditions.flatMap((each) => (each === undefined ? [] : writeEcqlFilter(each)));
  return texts.length === 1 ? (texts[0] ?? null) : texts.map((each) => `(${each})`).join(' OR ');
}

function findHighestAccess(rules: readonly AppliedRule[], name: string): AttributeAccess {
  const ranks = rules.map(({ attributes }) => attributeAccesses.indexOf(getAttributeAccess({ attributes }, name)));
  return attributeAccesses[Math.max(0, ...ranks)] ?? 'hide';
}
