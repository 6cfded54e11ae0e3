/** What the security of a new data directory begins with. */
import type { Catalog, CatalogReader } from '../records/catalog.ts';
import { serverPrincipal } from './administrator.ts';
import { authProviderKind } from './auth-providers/auth-provider.ts';
import { providerClasses } from './auth-providers/provider-classes.ts';
import { PROVIDER_ORDER, providerOrderKind } from './auth-providers/provider-order.ts';
import { classPairOf, DEFAULT_VENDOR } from './class-names.ts';
import { lastingRoles, roleKind } from './roles/role.ts';
import { changeSecurity } from './security-state.ts';
import { DEFAULT_SERVICE, userGroupServiceKind } from './users/user-group-service.ts';
import { serviceClasses } from './users/user-group-services.ts';

const DEFAULT_PROVIDER = 'default';

/** Makes the default service, provider and roles, once: what an administrator deletes later stays deleted. */
export async function ensureSecurity(catalog: Catalog): Promise<void> {
  if (await isSetUp(catalog)) {
    return;
  }
  await changeSecurity(catalog, serverPrincipal, 'set up security', async (transaction) => {
    if (await isSetUp(transaction)) {
      return; // Another server was faster.
    }
    await transaction.insert(userGroupServiceKind, {
      parent: null,
      name: DEFAULT_SERVICE,
      ...firstPair(serviceClasses),
    });
    for (const name of lastingRoles) {
      await transaction.insert(roleKind, { parent: null, name, users: [], groups: [] });
    }
    await transaction.insert(authProviderKind, {
      parent: null,
      name: DEFAULT_PROVIDER,
      ...firstPair(providerClasses),
      settings: { userGroupServiceName: DEFAULT_SERVICE },
      sealedPassword: null,
    });
    await transaction.insert(providerOrderKind, { parent: null, name: PROVIDER_ORDER, names: [DEFAULT_PROVIDER] });
  });
}

async function isSetUp(catalog: CatalogReader): Promise<boolean> {
  return (await catalog.find(providerOrderKind, null, PROVIDER_ORDER)) !== undefined;
}

function firstPair(classes: Parameters<typeof classPairOf>[0]) {
  const pair = classPairOf(classes, { className: `org.${DEFAULT_VENDOR}.${classes[0]?.className}` });
  if (pair === undefined) {
    throw new Error('there is no class to begin with');
  }
  return pair;
}
