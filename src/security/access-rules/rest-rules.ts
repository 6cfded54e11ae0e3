/** REST rules in order: the first rule that matches a call decides. */
import type { Principal } from '../../lib/identity/principal.ts';
import { toPrintable } from '../../lib/text/wording.ts';
import { matchesAntPath } from './ant-path.ts';
import { createMalformedRuleProblem, isPlainText } from './rule-key.ts';
import { isPermittedByRoles } from './rule-roles.ts';

/** An Ant path and methods, such as `/rest/workspaces/**:GET,HEAD`. */
interface RestKey {
  /** The segments of the pattern, in lower case. */
  readonly path: readonly string[];
  readonly methods: readonly string[];
}

const methodNames = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'];

/** The last colon separates path and methods. Rule files of GeoServer use a semicolon there, so both are accepted. */
const restKeyPattern = /^(.*)[:;]([A-Z\s,]*)$/su;

/** Two method lists in one key: the first would become part of the path, which changes the meaning of the rule. */
const doubleSeparatorPattern = /[:;](?:GET|POST|PUT|DELETE|HEAD|OPTIONS)$/u;

/** Limits the time for matching, which grows with the number of segments. */
const MAX_SEGMENTS = 50;

export function parseRestKey(text: string): RestKey {
  const [, path = '', methodText = ''] = restKeyPattern.exec(text.trim()) ?? [];
  const methods = [...new Set(methodText.split(',').map((method) => method.trim()))];
  const segments = path.split('/').filter((segment) => segment !== '');
  if ((segments.length === 0 && path !== '/') || doubleSeparatorPattern.test(path)) {
    throw createMalformedRuleProblem(text, "it must be a path and methods, such as '/rest/workspaces/**:GET,HEAD'");
  }
  const unknown = methods.find((method) => !methodNames.includes(method));
  if (unknown !== undefined) {
    throw createMalformedRuleProblem(text, `unknown method '${toPrintable(unknown)}'. Use ${methodNames.join(', ')}`);
  }
  if (segments.length > MAX_SEGMENTS || !segments.every(isPlainText)) {
    throw createMalformedRuleProblem(text, `its path has an invalid segment, or more than ${MAX_SEGMENTS} segments`);
  }
  return { path: segments.map((segment) => segment.toLowerCase()), methods };
}

export function formatRestKey({ path, methods }: RestKey): string {
  return `/${path.join('/')}:${methods.join(',')}`;
}

export interface RestRule extends RestKey {
  readonly roles: readonly string[];
}

export interface RestCall {
  readonly path: readonly string[];
  readonly method: string;
  /** Whether it only concerns the account of the caller. Rules for the whole interface do not apply to it. */
  readonly isOwnAccount?: boolean;
}

const wholeInterface: ReadonlySet<string> = new Set(['**', 'rest/**']);

/** Returns whether the rules let a principal call, or undefined if no rule matches. */
export function decideCall(rules: readonly RestRule[], principal: Principal, call: RestCall): boolean | undefined {
  const path = call.path.map((segment) => segment.toLowerCase());
  const rule = rules.find(({ methods, path: pattern }) => {
    // HEAD reveals less than GET, so a rule for GET includes HEAD.
    const isMeant = methods.includes(call.method) || (call.method === 'HEAD' && methods.includes('GET'));
    if (call.isOwnAccount && wholeInterface.has(pattern.join('/'))) return false;
    return isMeant && matchesAntPath(pattern, path);
  });
  return rule && isPermittedByRoles(rule.roles, principal);
}
