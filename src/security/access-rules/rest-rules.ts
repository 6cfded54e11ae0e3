/** The REST rules in their order: the first one that fits a call decides it. */
import type { Principal } from '../../lib/principal.ts';
import { matchesAntPath } from './ant-path.ts';
import type { RestKey } from './rest-key.ts';
import { letsIn } from './rule-roles.ts';

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
  return rule && letsIn(rule.roles, principal);
}
