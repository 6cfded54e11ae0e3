/** Applies settings to the running server, at startup and after each change. */
import type { CatalogReader } from '../../records/catalog.ts';
import { findStoredLogLevel, type LogLevel } from './logging-settings.ts';
import { findLinkBase, type LinkOptions } from './proxy-base-url.ts';
import { readGlobalSettings } from './settings.ts';

interface StartupSettings extends LinkOptions {
  /** The log level of the server until it is changed over REST. */
  readonly startLevel: LogLevel;
}

export interface ActiveSettings extends StartupSettings {
  readonly links: {
    /** The base URL of links; undefined to derive it from the request. */
    readonly base: string | undefined;
  };
  /** Must be called after a change of settings: applies the stored values. */
  applySettings(): Promise<void>;
  /** Must be called after a change of the logging settings. */
  applyLogging(): Promise<void>;
  /** Returns settings that ignore changes, for dry runs. */
  toDryRun(): ActiveSettings;
}

/** The default log level; a level that the operator sets at startup takes precedence over the stored one. */
const DEFAULT_LEVEL: LogLevel = 'info';

export async function openActiveSettings(
  catalog: CatalogReader,
  { setLogLevel, ...rules }: StartupSettings & { readonly setLogLevel: (level: LogLevel) => void },
): Promise<ActiveSettings> {
  const links: { base: string | undefined } = { base: undefined };
  const doNothing = async () => {};
  const inForce: ActiveSettings = {
    ...rules,
    links,
    async applySettings() {
      links.base = findLinkBase((await readGlobalSettings(catalog)).values, rules);
    },
    async applyLogging() {
      setLogLevel((await findStoredLogLevel(catalog)) ?? rules.startLevel);
    },
    toDryRun: () => ({ ...inForce, applySettings: doNothing, applyLogging: doNothing }),
  };
  await inForce.applySettings();
  if (rules.startLevel === DEFAULT_LEVEL && (await findStoredLogLevel(catalog)) !== undefined) {
    await inForce.applyLogging();
  }
  return inForce;
}
