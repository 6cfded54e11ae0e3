/** Translates authentication providers and their order. */
import type { Json } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { child, listChildElements } from '../../../lib/xml/elements.ts';
import { readElementText } from '../../../lib/xml/text.ts';
import { createPath } from '../archive/archive.ts';
import { findText, type ReadValue, readFlag, readNumber, readText } from '../read/values.ts';
import type { Move } from '../translate/move.ts';
import { readFields } from '../translate/resource-fields.ts';
import { readSecret } from '../translate/stored-secret.ts';
import type { AccountNames } from './account-names.ts';

const ROOT = 'security/auth';
const CONFIG = 'security/config.xml';

const ldapFields: Readonly<Record<string, ReadValue>> = {
  userGroupServiceName: readText,
  serverURL: readText,
  groupSearchBase: readText,
  groupSearchFilter: readText,
  useTLS: readFlag,
  useNestedParentGroups: readFlag,
  maxGroupSearchLevel: readNumber,
  nestedGroupSearchFilter: readText,
  bindBeforeGroupSearch: readFlag,
  adminGroup: readText,
  groupAdminGroup: readText,
  rolePrefix: readText,
  convertToUpperCase: readFlag,
  userDnPattern: readText,
  userFilter: readText,
  userFormat: readText,
  user: readText,
};

/** The classes of providers that the server has, with their fields. */
const providers: Readonly<Record<string, Readonly<Record<string, ReadValue>>>> = {
  'org.geoserver.security.auth.UsernamePasswordAuthenticationProvider': { userGroupServiceName: readText },
  'org.geoserver.security.ldap.LDAPAuthenticationProvider': ldapFields,
};

export async function translateProviders(
  move: Move,
  config: XmlElement | undefined,
  names: AccountNames,
): Promise<void> {
  const imported = new Set<string>();
  for (const folder of move.files.listFolders(ROOT)) {
    const name = await translateProvider(move, folder, names);
    if (name !== undefined) imported.add(name);
  }
  const order = config && child(config, 'authProviderNames');
  const wanted = order === undefined ? [] : listChildElements(order).map(readElementText);
  const kept = wanted.filter((name) => imported.has(name));
  if (kept.length === 0) return;
  const path = createPath('security', 'authproviders', 'order');
  move.archive.add('authProviderOrder', path, { order: kept }, { source: CONFIG });
}

/** Returns the name of an imported provider. */
async function translateProvider(move: Move, folder: string, names: AccountNames): Promise<string | undefined> {
  const source = `${ROOT}/${folder}/config.xml`;
  const root = await move.documents.readAny(source, 'authProvider');
  if (root === undefined) return undefined;
  const name = findText(root, 'name') ?? folder;
  const className = findText(root, 'className') ?? '';
  const path = createPath('security', 'authproviders', name);
  const subject = { source, kind: 'authProvider', path };
  const readers = Object.hasOwn(providers, className) ? providers[className] : undefined;
  if (readers === undefined) {
    const type = className.slice(className.lastIndexOf('.') + 1) || 'unknown';
    const remedy = 'Configure OpenID Connect, LDAP or a proxy on the target.';
    move.report.add('provider-type-unsupported', subject, `Providers of the type '${type}' are not supported.`, remedy);
    return undefined;
  }
  const fields = new Map<string, Json>([['className', className], ...readFields(root, readers, move.report, subject)]);
  const service = fields.get('userGroupServiceName');
  if (typeof service === 'string' && !names.services.has(service)) {
    const message = `The user service '${service}' of the provider is not imported.`;
    move.report.add('provider-type-unsupported', subject, message, 'Use another user service on the old server.');
    return undefined;
  }
  const password = readSecret(move, { path, field: 'password', stored: findText(root, 'password'), subject });
  if (password !== undefined && readers === ldapFields) fields.set('password', password);
  return move.archive.add('authProvider', path, Object.fromEntries(fields), { source }) ? name : undefined;
}
