/** Configuration kinds for authentication providers, access rules and the catalog mode. */
import { defineCommand } from '../../../http/routes/define-command.ts';
import { readCatalogMode } from '../../../security/access-rules/access-rules.ts';
import type { RuleEntry, RuleFamilyName } from '../../../security/access-rules/rule-families.ts';
import { readRuleSet } from '../../../security/access-rules/rule-set.ts';
import { type AuthProvider, authProviderKind } from '../../../security/auth-providers/model/auth-provider.ts';
import { getProviderMethod } from '../../../security/auth-providers/model/provider-classes.ts';
import { listActiveNames } from '../../../security/auth-providers/model/provider-order.ts';
import { dataRuleKind } from '../../../security/data-rules/data-rule.ts';
import { createProviderWriters } from '../../auth-providers/representation.ts';
import { encodePath } from '../../changes/record-path.ts';
import { type Dialect, dialects } from '../../common/dialects.ts';
import { dataRuleDocument } from '../../data-rules/representation.ts';
import { createFieldMapping, type Fields, isList, isObject, type Json, KEPT_SECRET } from '../model/fields.ts';
import { type ConfigurationKind, mapRecords, type Operation } from '../model/kind.ts';
import { createPermanentOperations, createResourceOperations, getResourceName } from '../model/operations.ts';
import { listNames } from '../model/references.ts';

/** The same in all dialects. */
const providerDocument = createProviderWriters(dialects.graticule).one;
const providerFields = createFieldMapping(providerDocument, ['name', 'configClassName']);

export const authProviderRow: ConfigurationKind = {
  kind: authProviderKind.kind,
  patterns: ['/security/authproviders/:providerName'],
  fieldNames: providerFields.names,
  references: ({ fields: { userGroupServiceName } }) =>
    listNames(userGroupServiceName).map((name) => encodePath(['security', 'usergroupservices', name])),
  secrets: providerFields.secrets,
  readSecrets: async (catalog, address) => {
    const provider = await catalog.find(authProviderKind, null, getResourceName(address));
    return provider === undefined ? {} : { [getSecretName(provider)]: provider.sealedPassword };
  },
  defaults: {},
  every: ({ services }) =>
    mapRecords(services.catalog.readAll(authProviderKind), (provider) => ({
      path: encodePath(['security', 'authproviders', provider.name]),
      fields: () => ({
        ...providerFields.toFields(provider),
        [getSecretName(provider)]: provider.sealedPassword === null ? null : KEPT_SECRET,
      }),
    })),
  ...createResourceOperations(providerDocument.root),
};

function getSecretName({ className }: AuthProvider): 'password' | 'clientSecret' {
  return getProviderMethod(className) === 'oidc' ? 'clientSecret' : 'password';
}

const ORDER = '/security/authproviders/order';
const orderProviders = defineCommand('PUT', ORDER);

export const authProviderOrderRow: ConfigurationKind = {
  kind: 'authProviderOrder',
  isPermanent: true,
  patterns: [ORDER],
  fieldNames: ['order'],
  defaults: {},
  references: ({ fields: { order } }) =>
    listNames(order).map((name) => encodePath(['security', 'authproviders', name])),
  async *every({ services }) {
    const order = await listActiveNames(services.catalog);
    yield [{ path: ORDER, fields: () => ({ order }) }];
  },
  ...createPermanentOperations({ defaults: {} }, ({ fields }, { changed }) =>
    changed.has('order') ? [orderProviders({}, { document: { order: fields['order'] ?? null } })] : [],
  ),
};

const MODE = '/security/acl/catalog';
const changeCatalogMode = defineCommand('PUT', MODE);
const modeDefaults: Fields = { mode: 'HIDE' };

export const catalogModeRow: ConfigurationKind = {
  kind: 'catalogMode',
  isPermanent: true,
  patterns: [MODE],
  fieldNames: ['mode'],
  defaults: modeDefaults,
  async *every({ services }) {
    const { mode } = await readCatalogMode(services.catalog);
    yield [{ path: MODE, fields: () => ({ mode }) }];
  },
  ...createPermanentOperations({ defaults: modeDefaults }, ({ fields }, { changed }) =>
    changed.has('mode') ? [changeCatalogMode({}, { document: { mode: fields['mode'] ?? null } })] : [],
  ),
};

const dataRuleDefaults: Fields = { enabled: true, rows: null, writeRows: null, attributes: {}, area: null };
const dataRuleFields = createFieldMapping(dataRuleDocument, ['name'], dataRuleDefaults);

export const dataRuleRow: ConfigurationKind = {
  kind: dataRuleKind.kind,
  patterns: ['/security/acl/data/:dataRule'],
  fieldNames: dataRuleFields.names,
  defaults: dataRuleDefaults,
  every: ({ every }) =>
    mapRecords(every(dataRuleKind), (rule) => ({
      path: encodePath(['security', 'acl', 'data', rule.name]),
      fields: () => dataRuleFields.toFields(rule),
    })),
  ...createResourceOperations(dataRuleDocument.root),
};

const ruleFamilies: readonly RuleFamilyName[] = ['layers', 'services', 'rest'];

/** The three rule sets; each is exported as a whole. */
export function createAccessRulesRow({ initialRules }: Dialect): ConfigurationKind {
  const getDefaultRules = (path: string): Fields => {
    const family = ruleFamilies.find((each) => path.endsWith(`/${each}`));
    return { rules: family === undefined ? [] : initialRules[family].map(toRuleFields) };
  };
  return {
    kind: 'accessRules',
    isPermanent: true,
    patterns: ruleFamilies.map((family) => `/security/acl/${family}`),
    fieldNames: ['rules'],
    defaults: {},
    getDefaults: ({ path }) => getDefaultRules(path),
    async *every({ services }) {
      for (const family of ruleFamilies) {
        const { rules } = await readRuleSet(services.catalog, family, initialRules);
        yield [{ path: `/security/acl/${family}`, fields: () => ({ rules: rules.map(toRuleFields) }) }];
      }
    },
    normalise: ({ rules, ...rest }) => ({
      ...rest,
      ...(rules === undefined ? {} : { rules: isList(rules) ? rules.map(normaliseRule) : rules }),
    }),
    settle: settleRules,
    create: ({ path, fields }) => createRuleOperations(path, fields['rules'], []),
    change: ({ path, fields }, former) => createRuleOperations(path, fields['rules'], former.fields['rules']),
    remove: ({ path }, former) => createRuleOperations(path, getDefaultRules(path)['rules'], former['rules']),
  };
}

function toRuleFields({ key, roles }: RuleEntry): Fields {
  return { rule: key, roles };
}

/** Only the order of REST rules matters, which the methods distinguish. Roles have no order. */
function settleRules(former: Fields, wanted: Fields): Fields {
  const { rules } = wanted;
  const was = former['rules'];
  if (!isList(rules) || !isList(was) || rules.length !== was.length) return wanted;
  const isOrdered = was.some((rule) => isObject(rule) && String(rule['rule']).startsWith('/'));
  const [one, other] = [was.map(formatRule), rules.map(formatRule)];
  const isSame =
    JSON.stringify(isOrdered ? one : one.toSorted()) === JSON.stringify(isOrdered ? other : other.toSorted());
  return isSame ? { ...wanted, rules: was } : wanted;
}

function formatRule(rule: Json): string {
  const { rule: key = null, roles = null } = isObject(rule) ? rule : {};
  return JSON.stringify([key, isList(roles) ? roles.map(String).toSorted() : roles]);
}

/** Roles may be one comma-separated text, as REST clients send them. */
function normaliseRule(rule: Json): Json {
  if (!isObject(rule) || typeof rule['roles'] !== 'string') {
    return rule;
  }
  const roles = rule['roles'].split(',').map((role) => role.trim());
  return { ...rule, roles: roles.filter((role) => role !== '') };
}

/**
 * The commands that turn one rule list into another. The order matters: rules after the first difference are added
 * again.
 */
function createRuleOperations(path: string, wanted: Json | undefined, former: Json | undefined): readonly Operation[] {
  const [next, before] = [readRules(wanted), readRules(former)];
  const isOrdered = path.endsWith('/rest');
  const same = next.findIndex((rule, index) => rule.key !== before[index]?.key);
  const unchanged = isOrdered && same >= 0 ? before.slice(0, same) : before;
  const removed = before.filter(
    ({ key }) => !unchanged.some((each) => each.key === key) || !next.some((each) => each.key === key),
  );
  const staying = next.flatMap((rule) => {
    const was = unchanged.find(({ key }) => key === rule.key);
    return was === undefined || was.roles === rule.roles ? [] : [rule];
  });
  const added = next.filter(({ key }) => !unchanged.some((each) => each.key === key));
  return [
    ...removed.map(({ key }) => defineCommand('DELETE', path)({}, { query: { rule: key } })),
    ...(staying.length === 0 ? [] : [defineCommand('PUT', path)({}, { document: toRulesDocument(staying) })]),
    ...(added.length === 0 ? [] : [defineCommand('POST', path)({}, { document: toRulesDocument(added) })]),
  ];
}

interface Rule {
  readonly key: string;
  readonly roles: string;
}

function readRules(value: Json | undefined): readonly Rule[] {
  const rules = isList(value) ? value.filter(isObject) : [];
  return rules.map(({ rule, roles }) => ({
    key: typeof rule === 'string' ? rule : '',
    roles: isList(roles) ? roles.join(',') : String(roles ?? ''),
  }));
}

function toRulesDocument(rules: readonly Rule[]): Fields {
  return Object.fromEntries(rules.map(({ key, roles }) => [key, roles]));
}
