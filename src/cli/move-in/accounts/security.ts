/** Translates the security of the source: users, roles, providers and rules. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { readElementText } from '../../../lib/xml/text.ts';
import { findText } from '../read/values.ts';
import type { KeyRing } from '../security/key-ring.ts';
import type { Move } from '../translate/move.ts';
import { AccountNames } from './account-names.ts';
import { translateProviders } from './providers.ts';
import { translateRoles } from './roles.ts';
import { translateRules } from './rules.ts';
import { translateUsers } from './users.ts';

const CONFIG = 'security/config.xml';

/** Filters whose effect the server always has. */
const standardFilters: ReadonlySet<string> = new Set([
  'anonymous',
  'basic',
  'contextAsc',
  'contextNoAsc',
  'exception',
  'form',
  'formLogout',
  'guiException',
  'interceptor',
  'rememberme',
  'restInterceptor',
  'roleFilter',
  'sslFilter',
]);

/** Files that the keys of the source need, or that hold settings without an equivalent. */
const ownFiles: readonly (readonly [RegExp, string])[] = [
  [
    /^security\/(?:geoserver\.jceks|masterpw\.(?:info|xml|digest)|version\.properties)$/,
    'It belongs to the keystore of the source.',
  ],
  [/^security\/masterpw\//, 'It belongs to the keystore of the source.'],
  [/^security\/pwpolicy\//, 'Password policies do not apply.'],
];

export async function translateSecurity(move: Move, keys: KeyRing): Promise<void> {
  const names = new AccountNames();
  const config = await move.documents.read(CONFIG, ['security'], 'authProviderOrder');
  await translateUsers(move, keys, names);
  await translateRoles(move, config && findText(config, 'roleServiceName'), names);
  await translateProviders(move, config, names);
  await translateRules(move, names);
  reportFilters(move, config);
  for (const file of move.files.listBelow('security')) {
    const [, message] = ownFiles.find(([pattern]) => pattern.test(file)) ?? [];
    if (message === undefined) continue;
    move.files.account(file);
    move.report.add('not-configuration', { source: file }, message);
  }
}

/** Filters in a chain change who is logged in; others have no effect. */
function reportFilters(move: Move, config: XmlElement | undefined): void {
  const chain = config && child(config, 'filterChain');
  const used = new Set<string>();
  for (const filters of chain === undefined ? [] : listChildren(chain, 'filters')) {
    if (attribute(filters, 'disabled') === 'true') continue;
    for (const filter of listChildElements(filters)) used.add(readElementText(filter));
  }
  for (const folder of move.files.listFolders('security/filter')) {
    const source = `security/filter/${folder}`;
    move.files.accountBelow(source);
    if (standardFilters.has(folder)) {
      move.report.add('not-configuration', { source }, 'The server has this filter.');
    } else if (used.has(folder)) {
      const remedy = 'Configure OpenID Connect or a proxy on the target.';
      move.report.add('security-filter-unsupported', { source }, `The filter '${folder}' is not supported.`, remedy);
    } else {
      move.report.add('security-filter-unused', { source }, `No chain uses the filter '${folder}'.`);
    }
  }
}
