/** What settings do to the running server, from its start and after each change of them. */
import type { CatalogReader } from '../../records/catalog.ts';
import { type LinkRules, linkBase } from './links-of-proxy.ts';
import { readGlobalSettings } from './settings.ts';

export interface SettingsInForce extends LinkRules {
  /** What links begin with at present; undefined where the request says it. */
  linkBase(): string | undefined;
  /** To be called after a change of settings: puts in force what is kept now. */
  settingsChanged(): Promise<void>;
  /** The same for changes that are only tried. */
  withoutEffect(): SettingsInForce;
}

export async function openSettingsInForce(catalog: CatalogReader, rules: LinkRules): Promise<SettingsInForce> {
  let base: string | undefined;
  const inForce: SettingsInForce = {
    ...rules,
    linkBase: () => base,
    async settingsChanged() {
      base = linkBase((await readGlobalSettings(catalog)).values, rules);
    },
    withoutEffect: () => ({ ...inForce, settingsChanged: async () => {} }),
  };
  await inForce.settingsChanged();
  return inForce;
}
