/** All kinds of records. */

import { linkedKinds } from '../../catalog/kinds/references.ts';
import { webhookKind } from '../../catalog/webhooks/webhook.ts';
import { createKindRules } from '../../records/record.ts';
import { workspaceKind } from '../../records/workspace.ts';
import { accessSettingsKind, ruleKind, ruleSetKind } from '../../security/access-rules/rule-records.ts';
import { authProviderKind, removedAuthProviderKind } from '../../security/auth-providers/model/auth-provider.ts';
import { providerOrderKind } from '../../security/auth-providers/model/provider-order.ts';
import { administratorKind } from '../../security/core/administrator.ts';
import { securityStateKind } from '../../security/core/security-state.ts';
import { dataRuleKind, dataRuleSetKind } from '../../security/data-rules/data-rule.ts';
import { keystoreKind } from '../../security/keystore/keystore-record.ts';
import { roleKind } from '../../security/roles/role.ts';
import { apiTokenKind, tokenStateKind } from '../../security/token-records/token.ts';
import { urlCheckKind, urlCheckSetKind } from '../../security/url-checks/url-check.ts';
import { groupKind } from '../../security/users/group.ts';
import { userKind } from '../../security/users/user.ts';
import { userGroupServiceKind } from '../../security/users/user-group-service.ts';
import type { KindRules } from '../../storage/port/port.ts';

/** The rules that the storage needs for each kind. */
export const recordKinds: readonly KindRules[] = [
  createKindRules(workspaceKind),
  ...linkedKinds.map((kind) => createKindRules(kind)),
  createKindRules(administratorKind),
  createKindRules(keystoreKind),
  createKindRules(securityStateKind),
  createKindRules(authProviderKind),
  createKindRules(removedAuthProviderKind),
  createKindRules(providerOrderKind),
  createKindRules(userGroupServiceKind),
  createKindRules(userKind),
  createKindRules(groupKind),
  createKindRules(roleKind),
  createKindRules(apiTokenKind),
  createKindRules(tokenStateKind),
  createKindRules(accessSettingsKind),
  createKindRules(ruleKind),
  createKindRules(ruleSetKind),
  createKindRules(dataRuleKind),
  createKindRules(dataRuleSetKind),
  createKindRules(urlCheckKind),
  createKindRules(urlCheckSetKind),
  createKindRules(webhookKind),
];
