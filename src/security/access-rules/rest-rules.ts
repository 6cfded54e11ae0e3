/** The REST rules in their order: the first one that fits a call decides it. */
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

/** The last colon separates; files of the reference server have a semicolon there, and people copy from them. */
const restKeyPattern = /^(.*)[:;]([A-Z\s,]*)$/su;

/** Methods separated in two ways: as a path with one of them in it this would say something else than was meant. */
const doubleSeparatorPattern = /[:;](?:GET|POST|PUT|DELETE|HEAD|OPTIONS)$/u;

/** More stars than anybody needs; matching takes time for each. */
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
    throw createMalformedRuleProblem(
      text,
      `'${toPrintable(unknown)}' is no method; the methods are ${methodNames.join(', ')}`,
    );
  }
  if (segments.length > MAX_SEGMENTS || !segments.every(isPlainText)) {
    throw createMalformedRuleProblem(text, 'its path holds a segment that no address can have, or too many of them');
  }
  return { path: segments.map((segment) => segment.toLowerCase()), methods };
}

export function formatRestKey({ path, methods }: RestKey): string {
  return `/${path.join('/')}:${methods.join(',')}`;
}

export interface RestRule extends RestKey {
  readonly roles: readonly string[];
}

/** Whether the rules let a principal call; undefined when none of them speaks of it. */
export function decideCall(
  rules: readonly RestRule[],
  principal: Principal,
  call: { readonly path: readonly string[]; readonly method: string },
): boolean | undefined {
  const path = call.path.map((segment) => segment.toLowerCase());
  const rule = rules.find(({ methods, path: pattern }) => {
    // HEAD tells less than GET, so whoever may GET may HEAD.
    const isMeant = methods.includes(call.method) || (call.method === 'HEAD' && methods.includes('GET'));
    return isMeant && matchesAntPath(pattern, path);
  });
  return rule && isPermittedByRoles(rule.roles, principal);
}
