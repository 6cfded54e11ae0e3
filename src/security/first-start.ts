/** Creates the initial security records of a new data directory. */
import { anonymous, ROLE_ADMINISTRATOR } from '../lib/identity/principal.ts';
import type { Catalog, CatalogReader } from '../records/catalog.ts';
import type { InitialRules, RuleEntry } from './access-rules/rule-families.ts';
import { isPermittedByRoles } from './access-rules/rule-roles.ts';
import { readRuleSet, withRuleSet } from './access-rules/rule-set.ts';
import { authProviderKind } from './auth-providers/model/auth-provider.ts';
import { providerClasses } from './auth-providers/model/provider-classes.ts';
import { PROVIDER_ORDER, providerOrderKind } from './auth-providers/model/provider-order.ts';
import { serverPrincipal } from './core/administrator.ts';
import { DEFAULT_VENDOR, findClassPair } from './core/class-names.ts';
import { changeSecurity } from './core/security-state.ts';
import { permanentRoles, roleKind } from './roles/role.ts';
import { DEFAULT_SERVICE, userGroupServiceKind } from './users/user-group-service.ts';
import { serviceClasses } from './users/user-group-services.ts';

const DEFAULT_PROVIDER = 'default';

/** Lets only administrators read layers. */
export const CLOSED_RULE: RuleEntry = { key: '*.*.r', roles: [ROLE_ADMINISTRATOR] };

/**
 * Creates the default service, provider and roles once: later deletions by an administrator persist. With `closed`, the
 * same change adds the rule that only administrators read. Returns whether this call created the records, as opposed to
 * an earlier start or another node.
 */
export async function ensureSecurity(
  catalog: Catalog,
  closed?: { readonly initialRules: InitialRules },
): Promise<boolean> {
  if (await isSetUp(catalog)) {
    return false;
  }
  return changeSecurity(catalog, serverPrincipal, 'set up security', async (transaction) => {
    if (await isSetUp(transaction)) {
      return false; // Another node created the records first.
    }
    if (closed !== undefined) {
      await withRuleSet(transaction, 'layers', closed.initialRules, async (set) => {
        const initial = await set.find(CLOSED_RULE.key);
        await (initial === undefined ? set.add(CLOSED_RULE) : set.changeRoles(initial, CLOSED_RULE.roles));
      });
    }
    await transaction.insert(userGroupServiceKind, {
      parent: null,
      name: DEFAULT_SERVICE,
      ...getDefaultPair(serviceClasses),
    });
    for (const name of permanentRoles) {
      await transaction.insert(roleKind, { parent: null, name, users: [], groups: [] });
    }
    await transaction.insert(authProviderKind, {
      parent: null,
      name: DEFAULT_PROVIDER,
      ...getDefaultPair(providerClasses),
      settings: { userGroupServiceName: DEFAULT_SERVICE },
      sealedPassword: null,
    });
    await transaction.insert(providerOrderKind, { parent: null, name: PROVIDER_ORDER, names: [DEFAULT_PROVIDER] });
    return true;
  });
}

/** Returns whether the rule for everything denies anonymous users read access. */
export async function isClosed(catalog: CatalogReader, initialRules: InitialRules): Promise<boolean> {
  const { rules } = await readRuleSet(catalog, 'layers', initialRules);
  const rule = rules.find(({ key }) => key === CLOSED_RULE.key);
  return rule !== undefined && !isPermittedByRoles(rule.roles, anonymous);
}

async function isSetUp(catalog: CatalogReader): Promise<boolean> {
  return (await catalog.find(providerOrderKind, null, PROVIDER_ORDER)) !== undefined;
}

function getDefaultPair(classes: Parameters<typeof findClassPair>[0]) {
  const pair = findClassPair(classes, { className: `org.${DEFAULT_VENDOR}.${classes[0]?.className}` });
  if (pair === undefined) {
    throw new Error('no service class is defined');
  }
  return pair;
}
