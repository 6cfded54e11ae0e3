/** The settings that --help lists, so that tests include new ones automatically. */
import { formatHelpText } from '../../src/server/settings/settings.ts';

export interface ListedSetting {
  readonly flag: string;
  /** The placeholder of the value in --help; empty for a flag without a value. */
  readonly placeholder: string;
}

/** All settings that are available as flags. */
export function listedSettings(): readonly ListedSetting[] {
  const help = formatHelpText({ program: 'graticule', commands: {} });
  const lines = help.matchAll(/^ {2}--(?<flag>[\w-]+) (?<placeholder>\S*) +(?:GRATICULE|AWS)_\w+$/gm);
  return Array.from(lines, ({ groups }) => ({
    flag: groups?.['flag'] ?? '',
    placeholder: groups?.['placeholder'] ?? '',
  }));
}

export function environmentName(flag: string): string {
  const words = flag.replaceAll('-', '_').toUpperCase();
  return words.startsWith('AWS_') ? words : `GRATICULE_${words}`;
}
