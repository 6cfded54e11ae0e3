/** Every setting of --help does what it says, as a flag and as an environment variable. */
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { helpText } from '../../src/server/settings.ts';
import { environmentName, listedSettings } from './listed-settings.ts';
import { projectFolder, runToEnd } from './server-process.ts';
import { settingCases, startsAndAnswers } from './setting-cases.ts';
import { type StartOptions, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const listed = listedSettings().map(({ flag }) => flag);

describe('--help', () => {
  test('prints the settings, each with its environment variable', async () => {
    const { stdout } = await runToEnd(['--help']);

    expect(stdout).toBe(helpText());
    expect(listed.length).toBeGreaterThan(10);
    for (const flag of listed) {
      expect(stdout).toMatch(new RegExp(`^  --${flag} .*${environmentName(flag)}$`, 'm'));
    }
  });

  test('lists no setting that the table of this file does not try', () => {
    expect(listed.filter((flag) => settingCases[flag] === undefined)).toEqual([]);
  });
});

describe.each(listed.filter((flag) => settingCases[flag] !== undefined))('--%s', (flag) => {
  const { value, effect, isSwitch, expectedLog = [] } = settingCases[flag] ?? { value: '', effect: startsAndAnswers };

  async function startWith(asSetting: (text: string) => Partial<StartOptions>): Promise<void> {
    const folder = await temporaryFolder();
    const text = typeof value === 'string' ? value : await value(folder);
    const server = await startServer({ dataDir: join(folder, 'data'), expectedLog, ...asSetting(text) });

    await effect(server, text);
  }

  test('works as a flag', () => startWith((text) => ({ flags: isSwitch ? [`--${flag}`] : [`--${flag}`, text] })));

  test('works as an environment variable', () =>
    startWith((text) => ({ environment: { [environmentName(flag)]: text } })));
});

test('GRATICULE_ADMIN_PASSWORD sets the password of the administrator', async () => {
  const server = await startServer({ password: null, environment: { GRATICULE_ADMIN_PASSWORD: 'pass:wörd' } });

  expect(server.generatedPassword).toBeUndefined();
  expect((await server.request('GET', '/workspaces', { as: 'admin:pass:wörd' })).status).toBe(200);
  expect((await server.request('GET', '/workspaces', { as: 'admin:pass' })).status).toBe(401);
});

test('GRATICULE_SERVER_KEY opens the keystore, and is the key that the data directory held before', async () => {
  const first = await startServer();
  const before = await first.request('GET', '/security/masterpw.json');
  await first.stop();
  const keyFile = join(first.dataDir, 'security', 'server.key');
  const key = (await readFile(keyFile, 'utf8')).trim();
  await rm(keyFile);

  const second = await startServer({ dataDir: first.dataDir, environment: { GRATICULE_SERVER_KEY: key } });

  expect((await second.request('GET', '/security/masterpw.json')).text).toBe(before.text);
});

test('a flag wins over an environment variable', async () => {
  const server = await startServer({
    flags: ['--context-path', '/flag'],
    environment: { GRATICULE_CONTEXT_PATH: '/environment' },
  });

  expect(new URL(server.url).pathname).toBe('/flag/rest');
});

test('the root itself can be the context path', async () => {
  const server = await startServer({ flags: ['--context-path', '/'] });

  expect(new URL(server.url).pathname).toBe('/rest');
  expect((await server.request('GET', '/workspaces')).status).toBe(200);
});

test('a setting for several values takes several flags, or one variable with colons', async () => {
  const folder = await temporaryFolder();
  const roots = [join(folder, 'one'), join(folder, 'two')];

  await startServer({ flags: roots.flatMap((root) => ['--external-root', root]) }).then(startsAndAnswers);
  await startServer({ environment: { GRATICULE_EXTERNAL_ROOT: roots.join(':') } }).then(startsAndAnswers);
});

test('a relative data directory is one of the current folder, and is shown in full', async () => {
  const folder = await temporaryFolder();
  const server = await startServer({ flags: ['--data-dir', relative(projectFolder, join(folder, 'data'))] });

  expect(server.process.stdout()).toContain(`  Data:  ${join(folder, 'data')}\n`);
});
