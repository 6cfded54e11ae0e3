/** What settings do to the running server, from its start and after each change of them. */
import type { CatalogReader } from '../../records/catalog.ts';
import { type LinkRules, linkBase } from './links-of-proxy.ts';
import { keptLogLevel, type LogLevel } from './logging-settings.ts';
import { readGlobalSettings } from './settings.ts';

interface StartRules extends LinkRules {
  /** How much is logged as long as nobody says otherwise over REST. */
  readonly startLevel: LogLevel;
}

export interface SettingsInForce extends StartRules {
  /** What links begin with at present; undefined where the request says it. */
  linkBase(): string | undefined;
  /** To be called after a change of settings: puts in force what is kept now. */
  settingsChanged(): Promise<void>;
  /** To be called after a change of what is logged. */
  loggingChanged(): Promise<void>;
  /** The same for changes that are only tried. */
  withoutEffect(): SettingsInForce;
}

/** How much is logged unless the operator says otherwise; what the operator says at a start wins over what is kept. */
const USUAL_LEVEL: LogLevel = 'info';

export async function openSettingsInForce(
  catalog: CatalogReader,
  { setLogLevel, ...rules }: StartRules & { readonly setLogLevel: (level: LogLevel) => void },
): Promise<SettingsInForce> {
  let base: string | undefined;
  const doNothing = async () => {};
  const inForce: SettingsInForce = {
    ...rules,
    linkBase: () => base,
    async settingsChanged() {
      base = linkBase((await readGlobalSettings(catalog)).values, rules);
    },
    async loggingChanged() {
      setLogLevel((await keptLogLevel(catalog)) ?? rules.startLevel);
    },
    withoutEffect: () => ({ ...inForce, settingsChanged: doNothing, loggingChanged: doNothing }),
  };
  await inForce.settingsChanged();
  if (rules.startLevel === USUAL_LEVEL && (await keptLogLevel(catalog)) !== undefined) {
    await inForce.loggingChanged();
  }
  return inForce;
}
