/** Commands as users run them: separate processes beside a running server. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Ended, spawnServer } from './server-process.ts';
import { ADMIN_PASSWORD, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('commands run with npm or directly, and need a terminal or --yes to change anything', async () => {
  const server = await startServer();
  const folder = await temporaryFolder();
  const file = join(folder, 'all.json');
  const environment = { GRATICULE_URL: server.url, GRATICULE_PASSWORD: ADMIN_PASSWORD };
  const run = (command: readonly [string, ...string[]]): Promise<Ended> =>
    spawnServer({ command, environment }).ended();
  const graticule = (...words: readonly string[]) => run([process.execPath, 'src/start.cjs', ...words]);

  const exported = await graticule('export', '--output', file);
  const archived = await graticule('export', '--output', join(folder, 'all.zip'));
  const folded = await graticule('export', `${join(folder, 'site')}/`);
  const unchanged = await graticule('diff', join(folder, 'site'), '--mode', 'mirror');
  const compared = await run(['npm', 'start', '--silent', '--', 'diff', file]);
  const document = JSON.parse(await readFile(file, 'utf8')) as { readonly resources: readonly object[] };
  const more = { kind: 'urlCheck', path: '/urlchecks/a', fields: { regex: '^a$' } };
  await writeFile(file, JSON.stringify({ ...document, resources: [...document.resources, more] }));
  const wanted = await graticule('diff', file);
  const refused = await graticule('apply', file);
  const unusable = await graticule('diff', join(folder, 'nowhere.json'));

  expect(exported).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(archived).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(folded).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(await readdir(join(folder, 'site'))).toEqual(expect.arrayContaining(['configuration.json', 'security']));
  expect(unchanged).toMatchObject({ code: 0, stdout: '0 to create, 0 to change, 0 to delete\n', stderr: '' });
  expect((await readdir(folder)).filter((name) => name.startsWith('all'))).toEqual(['all.json', 'all.zip']);
  expect(compared).toMatchObject({ code: 0, stdout: '0 to create, 0 to change, 0 to delete\n', stderr: '' });
  expect(wanted).toMatchObject({ code: 2, stdout: '+ urlCheck /urlchecks/a\n1 to create, 0 to change, 0 to delete\n' });
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'graticule: Cannot ask for confirmation without a terminal. Use --yes to apply without confirmation.\n',
  });
  expect(unusable).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^graticule: Cannot use the file '.*nowhere\.json': /),
  });
});
