/** The log level of the server: stored over REST, and effective immediately. */

import type { Principal } from '../../lib/identity/principal.ts';
import { checkPrecondition, type Precondition } from '../../lib/problems/precondition.ts';
import type { Catalog, CatalogReader } from '../../records/catalog.ts';
import { flag, mergeSettingValues, type Settings, type SettingsDraft, text } from '../kinds/setting.ts';
import { loggingSettingsKind, SETTINGS } from '../kinds/settings-records.ts';
import type { SettingsView } from './settings.ts';

export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** The names of log levels in GeoServer, after its logging profiles; responses use the first name of each level. */
const profiles: Readonly<Record<string, LogLevel>> = {
  QUIET_LOGGING: 'error',
  PRODUCTION_LOGGING: 'warn',
  DEFAULT_LOGGING: 'info',
  VERBOSE_LOGGING: 'debug',
  GEOSERVER_DEVELOPER_LOGGING: 'debug',
  GEOTOOLS_DEVELOPER_LOGGING: 'debug',
  TEST_LOGGING: 'debug',
};

const levels: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

/** Returns undefined for an unknown name. */
function parseLogLevel(name: string): LogLevel | undefined {
  const profile = name.trim().replace(/\.properties$/, '');
  return (
    levels.find((level) => level === profile) ?? (Object.hasOwn(profiles, profile) ? profiles[profile] : undefined)
  );
}

const expected = `one of ${[...levels, ...Object.keys(profiles)].join(', ')} was expected`;

export const loggingSettings: Settings = {
  level: { kind: 'text', refuse: (name) => (parseLogLevel(name) === undefined ? expected : undefined) },
  location: text(),
  stdOutLogging: flag(true),
};

/** Returns the stored level; undefined if none is set. */
export async function findStoredLogLevel(catalog: CatalogReader): Promise<LogLevel | undefined> {
  const level = (await catalog.find(loggingSettingsKind, null, SETTINGS))?.values['level'];
  return typeof level === 'string' ? parseLogLevel(level) : undefined;
}

/** Without a stored level, returns the one that the server was started with. */
export async function readLogging(catalog: CatalogReader, startLevel: LogLevel): Promise<SettingsView> {
  const kept = await catalog.find(loggingSettingsKind, null, SETTINGS);
  return { values: { level: formatLogLevel(startLevel), ...kept?.values }, version: kept?.version ?? 0 };
}

export async function changeLogging(
  catalog: Catalog,
  principal: Principal,
  change: { readonly draft: SettingsDraft; readonly precondition: Precondition; readonly startLevel: LogLevel },
): Promise<{ readonly warnings: readonly string[] }> {
  await catalog.change(principal, 'change the logging', async (transaction) => {
    const kept = await transaction.find(loggingSettingsKind, null, SETTINGS);
    checkPrecondition(change.precondition, kept?.version ?? 0);
    const before = kept?.values ?? {};
    // A level that is sent back unchanged with other settings is not stored; a level that is sent alone is.
    const isOnlyShown = before['level'] === undefined && change.draft.length > 1;
    const draft = change.draft.filter(
      ({ path, value }) => path !== 'level' || !isOnlyShown || value !== formatLogLevel(change.startLevel),
    );
    const values = mergeSettingValues(loggingSettings, before, draft);
    if (kept !== undefined) {
      await transaction.update(loggingSettingsKind, { ...kept, values });
    } else if (Object.keys(values).length > 0) {
      await transaction.insert(loggingSettingsKind, { parent: null, name: SETTINGS, values });
    }
  });
  return { warnings: collectLoggingWarnings(change.draft) };
}

function formatLogLevel(level: LogLevel): string {
  return Object.keys(profiles).find((name) => profiles[name] === level) ?? level;
}

function collectLoggingWarnings(draft: SettingsDraft): readonly string[] {
  return draft.flatMap(({ path, value }) => {
    if (path === 'location' && value !== undefined && value !== '') {
      return ['location is stored but has no effect: the log is written to standard error, not to a file.'];
    }
    return path === 'stdOutLogging' && value === false
      ? ['stdOutLogging is stored but has no effect: the log is written to standard error.']
      : [];
  });
}
