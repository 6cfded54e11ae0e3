/** Every setting of --help works as documented, as a flag and as an environment variable. */
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands, serverCommands } from '../../src/cli/commands.ts';
import { readSettings } from '../../src/server/settings/settings.ts';
import { environmentName, listedSettings } from './listed-settings.ts';
import { projectFolder, runToEnd } from './server-process.ts';
import { type SettingCase, settingCases, startsAndAnswers, testedElsewhere } from './setting-cases.ts';
import { startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const listed = listedSettings().map(({ flag }) => flag);

describe('--help', () => {
  test('prints the commands, and the settings with their environment variables', async () => {
    const { stdout } = await runToEnd(['--help']);

    expect(stdout).toMatch(/^Usage: graticule \[serve\] \[settings\]/m);
    for (const name of [...Object.keys(serverCommands), ...Object.keys(commands)]) {
      expect(stdout).toMatch(new RegExp(`^  ${name} +[A-Z].*\\.$`, 'm'));
    }
    expect(listed.length).toBeGreaterThan(10);
    for (const flag of listed) {
      expect(stdout).toMatch(new RegExp(`^  --${flag} .*${environmentName(flag)}$`, 'm'));
    }
  });

  test('lists only settings that this file tests', () => {
    expect(listed.filter((flag) => settingCases[flag] === undefined)).toEqual([]);
  });
});

const tried = listed.flatMap((flag) => {
  const found = settingCases[flag];
  return found === undefined ? [] : [[flag, found] as const];
});

const textOf = ({ value }: SettingCase, folder: string) => (typeof value === 'string' ? value : value(folder));
const flagsFor = (flag: string, text: string, { isSwitch }: SettingCase) =>
  isSwitch ? [`--${flag}`] : [`--${flag}`, text];

const effective = tried.filter(([, { effect }]) => effect !== startsAndAnswers && effect !== testedElsewhere);

test('settings with independent effects work together', async () => {
  const folder = await temporaryFolder();
  const given: [flag: string, text: string, tryIt: SettingCase][] = [];
  for (const [flag, tryIt] of effective) {
    if (tryIt.isIndependent) given.push([flag, await textOf(tryIt, folder), tryIt]);
  }
  const flags = given.flatMap(([flag, text, tryIt]) => flagsFor(flag, text, tryIt));

  const server = await startServer({ dataDir: join(folder, 'data'), flags });

  for (const [flag, text, { effect }] of given) {
    await effect(server, text).catch((cause: unknown) => {
      throw new Error(`--${flag} does not work.`, { cause });
    });
  }
});

test.each(effective.filter(([, { isIndependent }]) => !isIndependent))('--%s works', async (flag, tryIt) => {
  const folder = await temporaryFolder();
  const text = await textOf(tryIt, folder);
  const server = await startServer({
    dataDir: join(folder, 'data'),
    expectedLog: tryIt.expectedLog ?? [],
    // A password and its file exclude each other.
    ...(flag === 'admin-password-file' && { password: null }),
    flags: flagsFor(flag, text, tryIt),
  });

  await tryIt.effect(server, text);
});

test('settings that are tested by the tests of a family are accepted together', async () => {
  const folder = await temporaryFolder();
  const flags: string[] = [];
  for (const [flag, tryIt] of tried) {
    if (tryIt.effect === startsAndAnswers) flags.push(...flagsFor(flag, await textOf(tryIt, folder), tryIt));
  }

  await startServer({ flags }).then(startsAndAnswers);
});

// Lists of addresses are functions, which cannot be compared; separate tests cover them.
test.each(tried.filter(([flag]) => !['trust-proxy', 'limit-exempt'].includes(flag)))(
  '--%s has the same effect as its environment variable',
  async (flag, tryIt) => {
    const text = await textOf(tryIt, await temporaryFolder());

    const fromEnvironment = readSettings([], { [environmentName(flag)]: text });

    expect(fromEnvironment).toEqual(readSettings(flagsFor(flag, text, tryIt), {}));
    expect(fromEnvironment).not.toEqual(readSettings([], {}));
  },
);

test('an environment variable reaches the started server', async () => {
  const server = await startServer({ environment: { GRATICULE_TRUST_PROXY: 'loopback' } });

  await settingCases['trust-proxy']?.effect(server, 'loopback');
});

test('GRATICULE_ADMIN_PASSWORD sets the password of the administrator', async () => {
  const server = await startServer({ password: null, environment: { GRATICULE_ADMIN_PASSWORD: 'pass:wörd' } });

  expect(server.generatedPassword).toBeUndefined();
  expect((await server.request('GET', '/workspaces', { as: 'admin:pass:wörd' })).status).toBe(200);
  expect((await server.request('GET', '/workspaces', { as: 'admin:pass' })).status).toBe(401);
});

test('GRATICULE_SERVER_KEY opens the keystore with the key that the data directory contained before', async () => {
  const first = await startServer();
  const before = await first.request('GET', '/security/masterpw.json');
  await first.stop();
  const keyFile = join(first.dataDir, 'security', 'server.key');
  const key = (await readFile(keyFile, 'utf8')).trim();
  await rm(keyFile);

  const second = await startServer({ dataDir: first.dataDir, environment: { GRATICULE_SERVER_KEY: key } });

  expect((await second.request('GET', '/security/masterpw.json')).text).toBe(before.text);
});

test('a flag overrides an environment variable', async () => {
  const server = await startServer({
    flags: ['--context-path', '/flag'],
    environment: { GRATICULE_CONTEXT_PATH: '/environment' },
  });

  expect(new URL(server.url).pathname).toBe('/flag/rest');
});

test('the context path may be the root', async () => {
  const server = await startServer({ flags: ['--context-path', '/'] });

  expect(new URL(server.url).pathname).toBe('/rest');
  expect((await server.request('GET', '/workspaces')).status).toBe(200);
});

test('a setting with several values accepts several flags, or one variable with colons', async () => {
  const folder = await temporaryFolder();
  const roots = [join(folder, 'one'), join(folder, 'two')];

  await startServer({ flags: roots.flatMap((root) => ['--external-root', root]) }).then(startsAndAnswers);
  await startServer({ environment: { GRATICULE_EXTERNAL_ROOT: roots.join(':') } }).then(startsAndAnswers);
});

test('a relative data directory is resolved against the current folder, and is shown as an absolute path', async () => {
  const folder = await temporaryFolder();
  const server = await startServer({ flags: ['--data-dir', relative(projectFolder, join(folder, 'data'))] });

  expect(server.process.stdout()).toContain(`  Data:  ${join(folder, 'data')}\n`);
});
