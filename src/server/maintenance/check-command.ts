/** `graticule check`: examines the settings of a server and what they name, before a start. */
import { readSettings, SettingError } from '../settings/settings.ts';
import { type Check, runChecks, toFailure } from './checks.ts';

export interface CheckEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
}

const usage = `graticule check [settings] [--json]
    Checks the settings, the database, the disk and permissions, and changes nothing. The settings are those of \`graticule serve\`:
    pass the same flags and environment variables. Exit code 1 if a start would fail.
`;

/** Returns the exit code. */
export async function runCheckCommand(words: readonly string[], world: CheckEnvironment): Promise<number> {
  if (words.includes('--help')) {
    world.print(usage);
    return 0;
  }
  const checks = await check(
    words.filter((word) => word !== '--json'),
    world,
  );
  const isReady = checks.every(({ status }) => status !== 'failed');
  world.print(words.includes('--json') ? `${JSON.stringify({ ready: isReady, checks })}\n` : formatChecks(checks));
  return isReady ? 0 : 1;
}

async function check(words: readonly string[], { environment }: CheckEnvironment): Promise<readonly Check[]> {
  try {
    const command = readSettings(words, environment);
    if (command.kind !== 'run') throw new SettingError(`Unexpected --${command.kind}`);
    return await runChecks(command.settings);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return [{ check: 'settings', ...toFailure(error) }];
  }
}

function formatChecks(checks: readonly Check[]): string {
  const marks = { ok: 'ok', warning: 'WARNING', failed: 'FAILED' };
  const lines = checks.map(({ check: name, status, message }) => {
    const printable = message.replaceAll(/\p{Cc}/gu, '\ufffd');
    return `${marks[status].padEnd(7)}  ${name}: ${printable}\n`;
  });
  return lines.join('');
}
