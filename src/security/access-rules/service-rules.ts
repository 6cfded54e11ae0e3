/** Service rules: whether a principal may call a method of a data service. */
import type { Principal } from '../../lib/identity/principal.ts';
import { ANY, createMalformedRuleProblem, isPlainText } from './rule-key.ts';
import { isPermittedByRoles } from './rule-roles.ts';

/** `service.method`, such as `wfs.GetFeature`. */
interface ServiceKey {
  readonly service: string;
  readonly method: string;
}

export function parseServiceKey(text: string): ServiceKey {
  const parts = text.trim().split('.');
  const [service = '', method = ''] = parts;
  if (parts.length !== 2 || !isServiceKeyPart(service) || !isServiceKeyPart(method)) {
    throw createMalformedRuleProblem(text, "it must be '<service>.<method>', such as 'wfs.GetFeature' or 'wms.*'");
  }
  if (service === ANY && method !== ANY) {
    throw createMalformedRuleProblem(text, "a rule for all services must apply to all methods: '*.*'");
  }
  return { service, method };
}

export function formatServiceKey({ service, method }: ServiceKey): string {
  return `${service}.${method}`;
}

/** Services and methods are identifiers of protocols, so a restricted character set is enough. */
function isServiceKeyPart(part: string): boolean {
  return part !== '' && isPlainText(part) && !/[\s/\\]/.test(part);
}

export interface ServiceRule extends ServiceKey {
  readonly roles: readonly string[];
}

/**
 * Applies the most specific rule: for the method, for the service, for all services. Without a rule every user may
 * call.
 */
export function canCallService(
  rules: readonly ServiceRule[],
  principal: Principal,
  service: string,
  method: string,
): boolean {
  const rule =
    rules.find((each) => each.service === service && each.method === method) ??
    rules.find((each) => each.service === service && each.method === ANY) ??
    rules.find((each) => each.service === ANY);
  return rule === undefined || isPermittedByRoles(rule.roles, principal);
}
