/** Every kind of record there is, for what looks at all of them. */

import { featureTypeKind } from '../catalog/feature-types/feature-type.ts';
import { layerKind } from '../catalog/layers/layer.ts';
import { dataStoreKind } from '../catalog/stores/data-store.ts';
import { styleFileKind, styleKind } from '../catalog/styles/style.ts';
import { catalogSettingsKind } from '../records/catalog-settings.ts';
import { workspaceKind } from '../records/workspace.ts';
import { accessSettingsKind, ruleKind, ruleSetKind } from '../security/access-rules/rule-records.ts';
import { administratorKind } from '../security/administrator.ts';
import { authProviderKind, removedAuthProviderKind } from '../security/auth-providers/auth-provider.ts';
import { providerOrderKind } from '../security/auth-providers/provider-order.ts';
import { keystoreKind } from '../security/keystore/keystore-record.ts';
import { roleKind } from '../security/roles/role.ts';
import { securityStateKind } from '../security/security-state.ts';
import { urlCheckKind, urlCheckSetKind } from '../security/url-checks/url-check.ts';
import { groupKind } from '../security/users/group.ts';
import { userKind } from '../security/users/user.ts';
import { userGroupServiceKind } from '../security/users/user-group-service.ts';

/** The secret fields by kind, for whoever keeps a log. */
export const secretFields: ReadonlyMap<string, readonly string[]> = new Map(
  [
    workspaceKind,
    catalogSettingsKind,
    dataStoreKind,
    featureTypeKind,
    layerKind,
    styleKind,
    styleFileKind,
    administratorKind,
    keystoreKind,
    securityStateKind,
    authProviderKind,
    removedAuthProviderKind,
    providerOrderKind,
    userGroupServiceKind,
    userKind,
    groupKind,
    roleKind,
    accessSettingsKind,
    ruleKind,
    ruleSetKind,
    urlCheckKind,
    urlCheckSetKind,
  ].map((each) => [each.kind, each.secrets]),
);
