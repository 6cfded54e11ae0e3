/** Routes for access rules (layers, services, REST) and for the catalog mode. */

import { createTextParameter } from '../../http/request/query.ts';
import type { Call, RouteTable } from '../../http/routes/route.ts';
import { problem } from '../../lib/problems/problem.ts';
import {
  addRules,
  changeCatalogMode,
  changeRules,
  readCatalogMode,
  removeRule,
} from '../../security/access-rules/access-rules.ts';
import { isRuleKey, type RuleFamilyName } from '../../security/access-rules/rule-families.ts';
import { readRuleSet } from '../../security/access-rules/rule-set.ts';
import type { Dialect } from '../common/dialects.ts';
import { act, del, family, get, put, type Services } from '../common/services.ts';
import { catalogModeDocument, createRulesDocument } from './representation.ts';

const removalSummary = 'Delete the rule with this key';
const removalOptions = { problems: ['rule-malformed', 'rule-unknown'] } as const;

export function accessRuleRoutes(dialect: Dialect): RouteTable<Services> {
  return family(
    'Access rules',
    {
      description:
        'Rules that control who can read and write layers, administer workspaces, use services and call this API. REST rules open ' +
        "paths of the API; the layer rules with mode 'a' decide which resources can be changed there.",
      formats: ['xml', 'json', 'html'],
      formatGroup: 'securitySettings',
      // A complete key keeps its ending: `wfs.xml` is a rule for the method 'xml', `wfs.*.xml` is the rule `wfs.*` in
      // XML.
      exactNames: {
        layerRule: async (_services, { layerRule = '' }) => isRuleKey('layers', layerRule),
        serviceRule: async (_services, { serviceRule = '' }) => isRuleKey('services', serviceRule),
        restRule: async (_services, { restRule = '' }) => isRuleKey('rest', restRule),
      },
    },
    [
      get(
        '/security/acl/catalog',
        'Read the catalog mode',
        { returns: catalogModeDocument, versioned: true },
        async ({ services }) => {
          const { mode, version } = await readCatalogMode(services.catalog);
          return { resource: mode, version };
        },
      ),

      put(
        '/security/acl/catalog',
        'Change the catalog mode',
        { accepts: catalogModeDocument, problems: ['catalog-mode-missing', 'catalog-mode-unknown'] },
        ({ services, principal, body, precondition }) =>
          changeCatalogMode(services.catalog, principal, body.mode ?? null, precondition),
      ),

      // Supported for client compatibility; changes take effect immediately, so no reload is needed.
      act('/security/acl/catalog/reload', 'Reload the rules', {}, async () => {}),
      act('/security/acl/catalog/reload', 'Reload the rules', { method: 'PUT' }, async () => {}),

      ...createRuleRoutes('layers', 'Layer rules', dialect),
      del('/security/acl/layers/*layerRule', removalSummary, removalOptions, (call) =>
        removeRule(toRuleContext(call, 'layers', dialect), call.params.layerRule),
      ),

      ...createRuleRoutes('services', 'Service rules', dialect),
      del('/security/acl/services/*serviceRule', removalSummary, removalOptions, (call) =>
        removeRule(toRuleContext(call, 'services', dialect), call.params.serviceRule),
      ),

      ...createRuleRoutes('rest', 'REST rules', dialect),
      del('/security/acl/rest/*restRule', removalSummary, removalOptions, (call) =>
        removeRule(toRuleContext(call, 'rest', dialect), call.params.restRule),
      ),
    ],
  );
}

/** The routes that the three rule types share: list, add, change, and delete by query parameter. */
function createRuleRoutes(rules: RuleFamilyName, title: string, dialect: Dialect) {
  const path = `/security/acl/${rules}` as const;
  const document = createRulesDocument(title);
  const what = title.toLowerCase().replace('rest', 'REST');
  return [
    get(path, `List the ${what}`, { returns: document, versioned: true }, async ({ services }) => {
      const set = await readRuleSet(services.catalog, rules, dialect.initialRules);
      return { resource: set.rules, version: set.version };
    }),

    act(
      path,
      `Add ${what}`,
      {
        accepts: document,
        requires: 'all',
        versioned: true,
        success: dialect.addedRules,
        problems: ['rule-malformed', 'rule-roles-malformed', 'rules-exist'],
      },
      (call) => addRules(toRuleContext(call, rules, dialect), call.body),
    ),

    put(
      path,
      `Change the roles of ${what}`,
      { accepts: document, problems: ['rule-malformed', 'rule-roles-malformed', 'rules-unknown'] },
      (call) => changeRules(toRuleContext(call, rules, dialect), call.body),
    ),

    del(
      path,
      `Delete one of the ${what} by query parameter`,
      {
        query: {
          rule: createTextParameter('Key of the rule, for clients and proxies that cannot send it in a path.'),
        },
        problems: ['rule-unnamed', 'rule-malformed', 'rule-unknown'],
      },
      (call) => removeRule(toRuleContext(call, rules, dialect), requireRuleKey(call.query.rule)),
    ),
  ];
}

function requireRuleKey(rule: string | null): string {
  if (rule === null) {
    throw problem('rule-unnamed', { field: 'rule' });
  }
  return rule;
}

function toRuleContext(
  { services, principal, precondition }: Pick<Call<Services>, 'services' | 'principal' | 'precondition'>,
  rules: RuleFamilyName,
  dialect: Dialect,
) {
  return { catalog: services.catalog, initial: dialect.initialRules, principal, family: rules, precondition };
}
