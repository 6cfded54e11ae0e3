/** Writes access rules, URL checks, authentication providers and the security configuration. */
import type { JsonObject } from '../../../lib/json/value.ts';
import { isList, isObject, type Resource, readText } from '../archive/exported-configuration.ts';
import { createId, getName, type Leaving, omitFields } from './leaving.ts';
import { writeSecrets } from './secrets.ts';

export function writeSecurity(leaving: Leaving): void {
  writeRules(leaving);
  writeUrlChecks(leaving);
  writeProviders(leaving);
}

const ruleFiles = ['layers', 'services', 'rest'] as const;

function writeRules(leaving: Leaving): void {
  const [mode] = leaving.list('catalogMode');
  for (const family of ruleFiles) {
    const resource = leaving.find(`/security/acl/${family}`);
    const rules = isList(resource?.fields['rules']) ? resource.fields['rules'].filter(isObject) : [];
    const lines = rules.map(({ rule, roles }) => {
      const names = isList(roles) ? roles.filter((each) => typeof each === 'string') : [];
      return formatProperty(toRuleKey(family, readText(rule) ?? ''), names.join(','));
    });
    if (family === 'layers' && mode !== undefined) {
      lines.unshift(formatProperty('mode', readText(mode.fields['mode']) ?? 'HIDE'));
      leaving.report.countExported(mode.kind);
    }
    if (resource !== undefined) leaving.report.countExported(resource.kind);
    leaving.addText(`security/${family}.properties`, lines.map((line) => `${line}\n`).join(''));
  }
}

/** The methods of a REST rule follow a semicolon. */
function toRuleKey(family: (typeof ruleFiles)[number], rule: string): string {
  return family === 'rest' ? rule.replace(/:([A-Z,]+)$/, ';$1') : rule;
}

/** A line of a properties file: other characters than those of ASCII are references. */
function formatProperty(key: string, value: string): string {
  return `${escapeProperty(key, /[\\:=#! ]/g)}=${escapeProperty(value, /\\/g)}`;
}

function escapeProperty(text: string, special: RegExp): string {
  return text
    .replaceAll(special, '\\$&')
    .replaceAll(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function writeUrlChecks(leaving: Leaving): void {
  const checks = leaving.list('urlCheck');
  if (checks.length === 0) return;
  leaving.addFile('security/urlchecks.xml', 'checks', {
    regex: checks.map((check) => ({ name: getName(check), ...check.fields })),
    enabled: true,
  });
  for (const { kind } of checks) leaving.report.countExported(kind);
}

const providerRoots: Readonly<Record<string, string>> = {
  'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider': 'usernamePassword',
  'org.geoserver.security.auth.LdapAuthenticationProvider': 'ldap',
  'org.geoserver.security.ldap.LDAPAuthenticationProvider': 'ldap',
};

const LDAP_CLASS = 'org.geoserver.security.ldap.LDAPAuthenticationProvider';

function writeProviders(leaving: Leaving): void {
  const written = new Set<string>();
  for (const provider of leaving.list('authProvider')) {
    const root = providerRoots[readText(provider.fields['className']) ?? ''];
    if (root === undefined) {
      const message = `GeoServer has no provider of the class '${readText(provider.fields['className']) ?? ''}'.`;
      leaving.report.add('provider-type-unsupported', provider, message, {
        remedy: 'Configure a filter for these logins in GeoServer.',
      });
      continue;
    }
    const name = getName(provider);
    const folder = leaving.chooseName('security/auth', name, provider.path);
    leaving.addDocument(provider, `security/auth/${folder}/config.xml`, root, {
      id: createId('AuthenticationProvider', provider.path),
      name,
      ...writeSecrets(leaving, provider, omitFields(provider.fields, 'className'), ['password']),
      className: root === 'ldap' ? LDAP_CLASS : (provider.fields['className'] ?? null),
    });
    written.add(name);
  }
  const [order] = leaving.list('authProviderOrder');
  const given = order?.fields['order'];
  const names = (isList(given) ? given : []).filter((name) => typeof name === 'string' && written.has(name));
  leaving.addFile('security/config.xml', 'security', {
    ...createSecurityConfiguration(),
    authProviderNames: { string: names },
  });
  if (order !== undefined) {
    leaving.report.countExported(order.kind);
    leaving.report.add(
      'security-incomplete',
      order,
      'The keystore, the filters and the administrator of GeoServer are not part of the export.',
      {
        path: 'security/config.xml',
        remedy:
          'Start GeoServer once with an empty directory, copy the export over it, and set the password of admin as the user root.',
      },
    );
  }
}

/** Which filters authenticate which paths, as in a new directory of GeoServer; the filters themselves are there already. */
function createSecurityConfiguration(): JsonObject {
  const chain = (
    name: string,
    type: string,
    path: string,
    options: { readonly filters: readonly string[]; readonly interceptor?: string; readonly hasSession?: boolean },
  ): JsonObject => ({
    '@name': name,
    '@class': `org.geoserver.security.${type}`,
    ...(options.interceptor === undefined
      ? {}
      : { '@interceptorName': options.interceptor, '@exceptionTranslationName': 'exception' }),
    '@path': path,
    '@disabled': false,
    '@allowSessionCreation': options.hasSession === true,
    '@ssl': false,
    '@matchHTTPMethod': false,
    filter: options.filters,
  });
  const login = ['/j_spring_security_check', '/j_spring_security_check/', '/login'].join();
  const logout = ['/j_spring_security_logout', '/j_spring_security_logout/', '/logout'].join();
  const services = 'ServiceLoginFilterChain';
  return {
    roleServiceName: 'default',
    configPasswordEncrypterName: 'pbePasswordEncoder',
    encryptingUrlParams: false,
    filterChain: {
      filters: [
        chain('web', 'HtmlLoginFilterChain', '/web/**,/gwc/rest/web/**,/', {
          filters: ['rememberme', 'form', 'anonymous'],
          interceptor: 'interceptor',
          hasSession: true,
        }),
        chain('webLogin', 'ConstantFilterChain', login, { filters: ['form'], hasSession: true }),
        chain('webLogout', 'LogoutFilterChain', logout, { filters: ['formLogout'] }),
        chain('rest', services, '/rest.*,/rest/**', {
          filters: ['basic', 'anonymous'],
          interceptor: 'restInterceptor',
        }),
        chain('gwc', services, '/gwc/rest.*,/gwc/rest/**', { filters: ['basic'], interceptor: 'restInterceptor' }),
        chain('default', services, '/**', { filters: ['basic', 'anonymous'], interceptor: 'interceptor' }),
      ],
    },
  };
}

/** Reports kinds that GeoServer does not have. */
export function reportUnsupported(leaving: Leaving, supported: ReadonlySet<string>): void {
  const remedies: Readonly<Record<string, string>> = {
    webhook: 'GeoServer sends no webhooks.',
    dataRule: 'Restrict rows and attributes with the GeoFence extension, or with SQL views.',
  };
  for (const resource of leaving.configuration.resources) {
    if (supported.has(resource.kind)) continue;
    reportKind(leaving, resource, remedies[resource.kind]);
  }
}

function reportKind(leaving: Leaving, resource: Resource, remedy: string | undefined): void {
  const message = `The export does not contain resources of the kind '${resource.kind}'.`;
  leaving.report.add('kind-unsupported', resource, message, remedy === undefined ? {} : { remedy });
}
