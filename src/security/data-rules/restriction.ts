/** The data rules that apply to one principal and layer, with the values of the principal. */
import { hash } from 'node:crypto';
import { isAnonymous, type Principal, ROLE_AUTHENTICATED } from '../../lib/identity/principal.ts';
import { ANY, type AttributeAccess, type DataRuleArea } from './data-rule.ts';
import type { Condition, VariableValue } from './rule-filter.ts';

export interface AppliedRule {
  readonly name: string;
  /** The layer, or the level of several layers. */
  readonly layer: string;
  /** Undefined for all rows; EXCLUDE if the principal lacks a variable. */
  readonly rows: Condition | undefined;
  /** The rows that can be changed; undefined for all rows. */
  readonly writeRows: Condition | undefined;
  readonly attributes: Readonly<Record<string, AttributeAccess>>;
  readonly area: DataRuleArea | null;
}

/** Without rules, the layer is empty for the principal and cannot be changed. */
export interface Restriction {
  readonly rules: readonly AppliedRule[];
  /** Equal for principals who see the same rows, attributes and area. */
  readonly digest: string;
  /** Equal for principals who can also change the same. */
  readonly writeDigest: string;
}

export function createRestriction(rules: readonly AppliedRule[]): Restriction {
  const read = rules.map(({ rows, attributes, area }) =>
    JSON.stringify([rows ?? null, formatHidden(attributes), area && digestArea(area)]),
  );
  const digest = hashParts(read);
  if (rules.every(isWritableWhereVisible)) return { rules, digest, writeDigest: digest };
  const write = rules.map(({ rows, writeRows, attributes }, index) => {
    const changed = writeRows === rows ? 'rows' : (writeRows ?? null);
    return `${read[index]} ${JSON.stringify([changed, attributes])}`;
  });
  return { rules, digest, writeDigest: hashParts(write) };
}

/** What such rules permit to change follows from what they show. */
function isWritableWhereVisible({ rows, writeRows, attributes }: AppliedRule): boolean {
  return writeRows === rows && Object.values(attributes).every((access) => access !== 'read');
}

/** An area can have ten thousand vertices, and its rule applies to many users. */
const areaDigests = new WeakMap<DataRuleArea, string>();

function digestArea(area: DataRuleArea): string {
  const digest = areaDigests.get(area) ?? hash('sha256', JSON.stringify(area), 'base64url');
  areaDigests.set(area, digest);
  return digest;
}

/**
 * Returns the restriction without rules that name an attribute which the layer lacks: it may be renamed, and would be
 * visible under its new name. Rules for several layers name attributes that only some of them have.
 */
export function dropOutdatedRules(
  restriction: Restriction,
  attributes: readonly { readonly name: string }[],
): Restriction {
  const isCurrent = ({ layer, attributes: named }: AppliedRule) =>
    layer.endsWith(`:${ANY}`) ||
    Object.keys(named).every((name) => name === ANY || attributes.some((each) => each.name === name));
  const { rules } = restriction;
  return rules.every(isCurrent) ? restriction : createRestriction(rules.filter(isCurrent));
}

/** The parts are JSON in one line each. */
function hashParts(parts: readonly string[]): string {
  return hash('sha256', parts.toSorted().join('\n'), 'base64url').slice(0, 22);
}

/** By the attributes of a rule, which all of its users share. */
const hiddenNames = new WeakMap<AppliedRule['attributes'], string>();

/** Readable and writable attributes are visible alike. */
function formatHidden(attributes: AppliedRule['attributes']): string {
  const known = hiddenNames.get(attributes);
  if (known !== undefined) return known;
  const isHidden = attributes['*'] === 'hide';
  const names = Object.keys(attributes).filter((name) =>
    name === '*' ? isHidden : (attributes[name] === 'hide') !== isHidden,
  );
  const text = JSON.stringify(names.sort());
  hiddenNames.set(attributes, text);
  return text;
}

export function hasRuleRole(roles: readonly string[], principal: Principal): boolean {
  return roles.some(
    (role) => role === '*' || principal.roles.has(role) || (role === ROLE_AUTHENTICATED && !isAnonymous(principal)),
  );
}

const CLAIM = 'claim.';

/** Returns undefined for a variable that the principal lacks. */
export function findVariable(principal: Principal, name: string): VariableValue | undefined {
  if (name === 'user.name') return isAnonymous(principal) ? undefined : principal.name;
  if (name === 'user.roles') return [...principal.roles];
  if (!name.startsWith(CLAIM)) return undefined;
  const { claims = {} } = principal;
  const claim = name.slice(CLAIM.length);
  return Object.hasOwn(claims, claim) ? toVariableValue(claims[claim]) : undefined;
}

function toVariableValue(value: unknown): VariableValue | undefined {
  if (!Array.isArray(value)) return toText(value);
  const texts = value.map(toText);
  return texts.every((each) => each !== undefined) ? texts : undefined;
}

function toText(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}
