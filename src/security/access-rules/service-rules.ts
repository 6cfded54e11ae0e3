/** The service rules: whether a principal may call a method of a data service. */
import type { Principal } from '../../lib/principal.ts';
import { ANY } from './layer-key.ts';
import { letsIn } from './rule-roles.ts';
import type { ServiceKey } from './service-key.ts';

export interface ServiceRule extends ServiceKey {
  readonly roles: readonly string[];
}

/** The most specific rule decides: for the method, for the service, for all; where there is none, all may. */
export function mayCallService(
  rules: readonly ServiceRule[],
  principal: Principal,
  service: string,
  method: string,
): boolean {
  const rule =
    rules.find((each) => each.service === service && each.method === method) ??
    rules.find((each) => each.service === service && each.method === ANY) ??
    rules.find((each) => each.service === ANY);
  return rule === undefined || letsIn(rule.roles, principal);
}
