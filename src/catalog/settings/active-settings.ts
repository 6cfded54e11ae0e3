/** What settings do to the running server, from its start and after each change of them. */
import type { CatalogReader } from '../../records/catalog.ts';
import { findStoredLogLevel, type LogLevel } from './logging-settings.ts';
import { findLinkBase, type LinkOptions } from './proxy-base-url.ts';
import { readGlobalSettings } from './settings.ts';

interface StartupSettings extends LinkOptions {
  /** How much is logged as long as nobody says otherwise over REST. */
  readonly startLevel: LogLevel;
}

export interface ActiveSettings extends StartupSettings {
  /** What links begin with at present; undefined where the request says it. */
  getLinkBase(): string | undefined;
  /** To be called after a change of settings: puts in force what is kept now. */
  applySettings(): Promise<void>;
  /** To be called after a change of what is logged. */
  applyLogging(): Promise<void>;
  /** The same for changes that are only tried. */
  toDryRun(): ActiveSettings;
}

/** How much is logged unless the operator says otherwise; what the operator says at a start wins over what is kept. */
const DEFAULT_LEVEL: LogLevel = 'info';

export async function openActiveSettings(
  catalog: CatalogReader,
  { setLogLevel, ...rules }: StartupSettings & { readonly setLogLevel: (level: LogLevel) => void },
): Promise<ActiveSettings> {
  let base: string | undefined;
  const doNothing = async () => {};
  const inForce: ActiveSettings = {
    ...rules,
    getLinkBase: () => base,
    async applySettings() {
      base = findLinkBase((await readGlobalSettings(catalog)).values, rules);
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
