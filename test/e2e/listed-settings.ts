/** The settings as --help lists them, so that no test forgets a new one. */
import { formatHelpText } from '../../src/server/settings/settings.ts';

export interface ListedSetting {
  readonly flag: string;
  /** What --help shows in place of a value; empty for a flag that takes none. */
  readonly placeholder: string;
}

/** All that can be given as flags. */
export function listedSettings(): readonly ListedSetting[] {
  const lines = formatHelpText().matchAll(/^ {2}--(?<flag>[\w-]+) (?<placeholder>\S*) +GRATICULE_\w+$/gm);
  return Array.from(lines, ({ groups }) => ({
    flag: groups?.['flag'] ?? '',
    placeholder: groups?.['placeholder'] ?? '',
  }));
}

export function environmentName(flag: string): string {
  return `GRATICULE_${flag.replaceAll('-', '_').toUpperCase()}`;
}
