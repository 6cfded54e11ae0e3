/** Validates provider settings: rejects those with which no user, or every user, could log in. */
import type { FilterParser } from 'ldapts';
import { type FieldError, problem } from '../../lib/problems/problem.ts';
import { parseServerUrl } from './ldap/ldap-server.ts';
import { fillTemplate } from './ldap/ldap-template.ts';
import type { ProviderSettings } from './model/auth-provider.ts';

/** Longer than any search filter of a directory. */
const MAX_SETTING_LENGTH = 4_000;
/** Each level is a search in the directory. */
const MAX_GROUP_LEVELS = 100;

type FindSettingError = (value: string, parser: Parser) => string | undefined;
type Parser = Pick<typeof FilterParser, 'parseString'>;

const findFilterRuleError: FindSettingError = (value, parser) =>
  findPlaceholderError(value, ['{0}', '{1}']) ?? findFilterSyntaxError(value, parser);

const rules: readonly (readonly [member: keyof ProviderSettings, objection: FindSettingError])[] = [
  ['serverURL', findServerUrlError],
  ['userDnPattern', (value) => findPlaceholderError(value, ['{0}'])],
  ['userFormat', (value) => findPlaceholderError(value, ['{0}'])],
  ['userFilter', findFilterRuleError],
  ['groupSearchFilter', findFilterRuleError],
  ['nestedGroupSearchFilter', findFilterRuleError],
];

/** Throws unless every setting is valid. Empty settings count as absent. */
export type CheckSettings = (settings: ProviderSettings) => void;

/**
 * Loads the filter parser on first use, since most servers have no directory, and outside the transaction, which must
 * not wait for files.
 */
export async function loadSettingsCheck(): Promise<CheckSettings> {
  const { FilterParser } = await import('ldapts');
  return (settings) => checkSettings(settings, FilterParser);
}

function checkSettings(settings: ProviderSettings, parser: Parser): void {
  const complaints: FieldError[] = [];
  for (const [member, value] of Object.entries(settings)) {
    if (typeof value === 'string' && (value.length > MAX_SETTING_LENGTH || /\p{Cc}/u.test(value))) {
      const message = `at most ${MAX_SETTING_LENGTH} characters without control characters were expected`;
      complaints.push({ field: `authprovider.${member}`, message });
    }
  }
  for (const [member, objection] of rules) {
    const value = settings[member];
    const message = typeof value === 'string' && value !== '' ? objection(value, parser) : undefined;
    if (message !== undefined) {
      complaints.push({ field: `authprovider.${member}`, message });
    }
  }
  const levels = settings.maxGroupSearchLevel ?? 1;
  if (levels < 1 || levels > MAX_GROUP_LEVELS) {
    const message = `a whole number from 1 to ${MAX_GROUP_LEVELS} was expected`;
    complaints.push({ field: 'authprovider.maxGroupSearchLevel', message });
  }
  if (complaints.length > 0) {
    throw problem('document-invalid', { complaints, field: complaints[0]?.field ?? 'authprovider' });
  }
}

function findServerUrlError(value: string): string | undefined {
  return parseServerUrl(value) === undefined
    ? 'an address such as ldap://host:389/dc=acme,dc=org or ldaps://host was expected'
    : undefined;
}

/** Without a placeholder every user would match the same entry. */
function findPlaceholderError(value: string, placeholders: readonly string[]): string | undefined {
  return placeholders.some((each) => value.includes(each))
    ? undefined
    : `it must contain ${placeholders.join(' or ')} as the placeholder for the user`;
}

function findFilterSyntaxError(value: string, parser: Parser): string | undefined {
  try {
    parser.parseString(fillTemplate(value, ['x', 'x'], (text) => text));
    return undefined;
  } catch {
    return 'a search filter such as (uid={0}) was expected';
  }
}
