/** Checks that the data rules can be evaluated, and that their layers and roles exist. */
import { checkRuleContent, checkRuleForLayer } from '../../catalog/data-rules/check-data-rule.ts';
import type { YieldIfDue } from '../../lib/async/yield-if-due.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { CatalogReader } from '../../records/catalog.ts';
import { authProviderKind } from '../../security/auth-providers/model/auth-provider.ts';
import { getProviderMethod } from '../../security/auth-providers/model/provider-classes.ts';
import { ANY, type DataRule, dataRuleKind } from '../../security/data-rules/data-rule.ts';
import { computedRoles, permanentRoles, roleKind } from '../../security/roles/role.ts';
import type { Check, Findings } from './diagnosis.ts';

/** Roles that no record declares. */
const builtInRoles = [ANY, ...computedRoles, ...permanentRoles];

/** Returns no check if no rule exists. */
export async function checkDataRules(
  catalog: CatalogReader,
  findings: Findings,
  { pace, signal }: { readonly pace: YieldIfDue; readonly signal: AbortSignal },
): Promise<readonly Check[]> {
  const findUnknownRoles = await createRoleCheck(catalog);
  let count = 0;
  for await (const piece of catalog.readAll(dataRuleKind)) {
    for (const rule of piece) {
      signal.throwIfAborted();
      await pace();
      count += 1;
      if (!rule.enabled) continue;
      for (const found of [...(await findRuleProblems(catalog, rule)), ...findUnknownRoles(rule)]) {
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

async function findRuleProblems(catalog: CatalogReader, rule: DataRule): Promise<readonly RuleProblem[]> {
  try {
    await checkRuleContent(rule);
    const warnings = await checkRuleForLayer(catalog, rule);
    return warnings.map((warning) => ({
      code: 'data-rule-layer-unknown',
      message: `The data rule '${rule.name}' has no effect. ${warning}`,
    }));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const message = `The data rule '${rule.name}' matches no row, because it cannot be evaluated. ${error.message}`;
    return [{ code: 'data-rule-unusable', message }];
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
