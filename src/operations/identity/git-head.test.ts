import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readGitHead } from './git-head.ts';

const revision = '5afdbaeb583528dd4361bec53b275db4764e37db';
const older = '8a1f9921782671d7b4079f2bc09610995c94e390';

async function tree(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'graticule-git-'));
  onTestFinished(() => rm(root, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

describe('source revision', () => {
  test('is read from the branch', async () => {
    const root = await tree({
      '.git/HEAD': 'ref: refs/heads/feature/maps\n',
      '.git/refs/heads/feature/maps': `${revision}\n`,
    });

    expect(await readGitHead(root)).toEqual({ revision });
  });

  test('is found among packed refs', async () => {
    const packed = `# pack-refs with: peeled fully-peeled sorted\n${older} refs/heads/x/main\n${revision} refs/heads/main\n`;
    const root = await tree({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': packed });

    expect(await readGitHead(root)).toEqual({ revision });
  });

  test('is HEAD itself when no branch is checked out', async () => {
    const root = await tree({ '.git/HEAD': `${revision}\n` });

    expect(await readGitHead(root)).toEqual({ revision });
  });

  test('is found from a linked work tree', async () => {
    const root = await tree({
      'linked/.git': 'gitdir: ../first/.git/worktrees/linked\n',
      'first/.git/worktrees/linked/HEAD': 'ref: refs/heads/side\n',
      'first/.git/worktrees/linked/commondir': '../..\n',
      'first/.git/refs/heads/side': `${revision}\n`,
    });

    expect(await readGitHead(join(root, 'linked'))).toEqual({ revision });
  });

  test('includes the time of the checkout', async () => {
    const log = [
      `${'0'.repeat(40)} ${older} A <a@b> 1700000000 +0100\tclone: from x`,
      `${older} ${revision} A B <a@b> 1737964260 +0000\tcommit: say 1 +0100`,
    ].join('\n');
    const root = await tree({ '.git/HEAD': revision, '.git/logs/HEAD': `${log}\n` });

    expect(await readGitHead(root)).toEqual({ revision, sinceMs: 1_737_964_260_000 });
  });

  test('has no time when the reflog ends with another revision', async () => {
    const log = `${'0'.repeat(40)} ${older} A <a@b> 1700000000 +0100\tclone: from x\n`;
    const root = await tree({ '.git/HEAD': revision, '.git/logs/HEAD': log });

    expect(await readGitHead(root)).toEqual({ revision });
  });

  test.each([
    ['without .git', {}],
    ['before the first commit', { '.git/HEAD': 'ref: refs/heads/main\n' }],
    ['with an invalid HEAD', { '.git/HEAD': 'hello\n' }],
    ['with a branch outside .git', { '.git/HEAD': 'ref: refs/../../secret\n', secret: `${revision}\n` }],
  ])('is unknown %s', async (_case, files) => {
    expect(await readGitHead(await tree(files))).toBeUndefined();
  });
});
