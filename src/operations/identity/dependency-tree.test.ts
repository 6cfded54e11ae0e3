import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readInstalledPackages } from './dependency-tree.ts';

async function installed(packages: Readonly<Record<string, object>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'graticule-packages-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [place, content] of Object.entries(packages)) {
    await mkdir(join(root, place), { recursive: true });
    await writeFile(join(root, place, 'package.json'), JSON.stringify(content));
  }
  return root;
}

describe('dependency tree', () => {
  test('contains direct and transitive packages as Node resolves them', async () => {
    const root = await installed({
      '': { name: 'server', dependencies: { a: '^1' }, devDependencies: { tool: '^1' } },
      'node_modules/a': { name: 'a', version: '1.0.0', license: 'MIT', dependencies: { '@s/b': '^2' } },
      'node_modules/@s/b': { name: '@s/b', version: '1.0.0', license: 'ISC' },
      'node_modules/a/node_modules/@s/b': { name: '@s/b', version: '2.0.0', license: 'ISC', dependencies: { a: '1' } },
      'node_modules/tool': { name: 'tool', version: '1.0.0', license: 'GPL-3.0' },
    });

    expect(await readInstalledPackages(root)).toEqual([
      { name: '@s/b', version: '2.0.0', license: 'ISC', optional: false },
      { name: 'a', version: '1.0.0', license: 'MIT', optional: false },
    ]);
  });

  test('omits packages that are not installed, such as binaries for other platforms', async () => {
    const root = await installed({
      '': { dependencies: { a: '^1' } },
      'node_modules/a': {
        name: 'a',
        version: '1.0.0',
        license: 'MIT',
        optionalDependencies: { 'a-linux': '1', 'a-beos': '1' },
      },
      'node_modules/a-linux': { name: 'a-linux', version: '1.0.0', license: 'MIT' },
    });

    expect((await readInstalledPackages(root)).map(({ name, optional }) => [name, optional])).toEqual([
      ['a', false],
      ['a-linux', false],
    ]);
  });

  test('marks packages as optional if only optional packages require them', async () => {
    const root = await installed({
      '': { dependencies: { a: '1' }, optionalDependencies: { extra: '1' } },
      'node_modules/extra': { name: 'extra', version: '1.0.0', license: 'MIT', dependencies: { both: '1', deep: '1' } },
      'node_modules/a': { name: 'a', version: '1.0.0', license: 'MIT', dependencies: { between: '1' } },
      'node_modules/between': { name: 'between', version: '1.0.0', license: 'MIT', dependencies: { both: '1' } },
      'node_modules/both': { name: 'both', version: '1.0.0', license: 'MIT', dependencies: { below: '1' } },
      'node_modules/below': { name: 'below', version: '1.0.0', license: 'MIT' },
      'node_modules/deep': { name: 'deep', version: '1.0.0', license: 'MIT' },
    });

    const found = await readInstalledPackages(root);

    expect(found.filter(({ optional }) => optional).map(({ name }) => name)).toEqual(['deep', 'extra']);
  });

  test.each([
    ['an expression', { license: '(MIT OR Apache-2.0)' }, '(MIT OR Apache-2.0)'],
    ['a legacy object', { license: { type: 'BSD', url: 'http://x' } }, 'BSD'],
    ['a legacy list', { licenses: [{ type: 'MIT' }, { type: 'BSD' }] }, 'MIT OR BSD'],
    ['nothing', {}, 'unknown'],
    ['nonsense', { license: 7 }, 'unknown'],
    ['a long text', { license: 'x'.repeat(500) }, 'unknown'],
  ])('shows a licence declared as %s', async (_case, declared, license) => {
    const root = await installed({
      '': { dependencies: { a: '1' } },
      'node_modules/a': { name: 'a', version: '1.0.0', ...declared },
    });

    expect(await readInstalledPackages(root)).toMatchObject([{ name: 'a', license }]);
  });

  test('follows symbolic links and stops at cycles', async () => {
    const root = await installed({
      '': { dependencies: { a: '1' } },
      'store/a': { name: 'a', version: '1.0.0', license: 'MIT', dependencies: { a: '1' } },
      node_modules: {},
    });
    await symlink(join(root, 'store', 'a'), join(root, 'node_modules', 'a'));
    await mkdir(join(root, 'store', 'node_modules'));
    await symlink(join(root, 'store', 'a'), join(root, 'store', 'node_modules', 'a'));

    expect(await readInstalledPackages(root)).toEqual([
      { name: 'a', version: '1.0.0', license: 'MIT', optional: false },
    ]);
  });

  test('is empty where nothing is installed', async () => {
    expect(await readInstalledPackages(join(tmpdir(), 'graticule-is-not-here'))).toEqual([]);
  });

  test('of this server matches its package.json without development tools', async () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

    const names = (await readInstalledPackages(root)).map(({ name }) => name);

    expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    expect(names).not.toContain('vitest');
  });
});
