import { once } from 'node:events';
import { link, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { administrator, editor, pathTrial } from '../../test/support/path-gates.ts';
import { checkFileName, type PathGate } from './path-gate.ts';

async function walked(gate: PathGate, path: string, skipped: string[] = []): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name, bytes } of gate.walk({ path, kind: 'folder' }, { skipped: (each) => skipped.push(each) })) {
    names.push(`${name} ${bytes}`);
  }
  return names;
}

describe('path of an administrator', () => {
  it.each([
    ['an absolute path', (root: string) => `${root}/data/roads.shp`, 'data/roads.shp'],
    ['a file: URL', (root: string) => `file://${root}/data/roads.shp`, 'data/roads.shp'],
    ['a file: URL with one slash', (root: string) => `file:${root}/data/roads.shp`, 'data/roads.shp'],
    ['a file: URL of this host', (root: string) => `FILE://localhost${root}/data/roads.shp`, 'data/roads.shp'],
    ['a relative path', () => 'data/acme/roads/roads.shp', 'server/data/acme/roads/roads.shp'],
    ['a relative file: URL', () => 'file:data/acme/roads/roads.shp', 'server/data/acme/roads/roads.shp'],
    ['odd slashes and dots', (root: string) => `${root}/./data//roads.shp`, 'data/roads.shp'],
    ['an encoded character', (root: string) => `file://${root}/data/ro%61ds.shp`, 'data/roads.shp'],
  ])('can be %s', async (_case, written, found) => {
    const { root, gate } = await pathTrial();

    expect(await gate().resolve(written(root), administrator, 'file')).toEqual({
      path: join(root, found),
      kind: 'file',
    });
  });

  it('resolves links, and uses the resolved path from then on', async () => {
    const { root, gate } = await pathTrial();
    await symlink(join(root, 'data'), join(root, 'elsewhere/link'));

    expect(await gate().resolve(`${root}/elsewhere/link/tiles`, administrator, 'folder')).toEqual({
      path: join(root, 'data/tiles'),
      kind: 'folder',
    });
  });

  it('can be a file or a folder, as requested', async () => {
    const { root, gate } = await pathTrial();

    await expect(gate().resolve(`${root}/data/tiles`, administrator, 'file')).rejects.toThrow(
      'it is a folder, but a file was expected',
    );
    await expect(gate().resolve(`${root}/data/roads.shp`, administrator, 'folder')).rejects.toThrow(
      'it is a file, but a folder was expected',
    );
    expect(await gate().resolve(`${root}/data/tiles`, administrator, 'either')).toMatchObject({ kind: 'folder' });
  });

  it.each([
    ['nothing', '', 'it is empty'],
    ['spaces', '  ', 'it is empty'],
    ['a NUL', '/data/\0', 'control character'],
    ['a line break', '/data/\n', 'control character'],
    ['half a character', '/data/\ud800', 'Unicode'],
    ['too much', `/${'a/'.repeat(2_500)}`, 'longer than'],
    ['a backslash', '/data\\roads', 'backslash'],
    ['a drive letter', 'C:/data', 'drive letter'],
    ['a Windows path', 'C:\\data', 'drive letter'],
    ['another machine', '//server/share', 'network path'],
    ['another machine in Windows', '\\\\server\\share', 'backslash'],
    ['another host', 'file://server/share', 'contains a host name'],
    ['another machine as URL', 'file:////server/share', 'network path'],
    ['credentials', 'file://user:hunter2@server/share', 'contains a host name'],
    ['a drive letter as URL', 'file:///C:\\data', 'backslash'],
    ['another scheme', 'http://server/data', 'not a file: URL'],
    ['a nested scheme', 'jar:file:/data!/a', 'not a file: URL'],
    ['dots', '/data/../etc', "it contains '..'"],
    ['relative dots', '../data', "it contains '..'"],
    ['encoded dots', 'file:///data/%2e%2e/etc', "it contains '..'"],
    ['an encoded slash', 'file:///data%2f..%2fetc', 'encoded separator'],
    ['an encoded backslash', 'file:///data%5Cetc', 'encoded separator'],
    ['an encoded NUL', 'file:///data%00', 'encoded separator'],
    ['an encoded line break', 'file:///data%0a', 'control character'],
    ['a broken escape', 'file:///data%zz', 'percent escape'],
    ['a query', 'file:///data?x', 'query'],
    ['a fragment', 'file:///data#x', 'fragment'],
    ['a missing file', '/nowhere/at/all', 'it does not exist'],
  ])('cannot be %s', async (_case, written, reason) => {
    const { gate } = await pathTrial();

    const outcome = gate().resolve(written, administrator, 'either');

    await expect(outcome).rejects.toMatchObject({ code: 'path-invalid', message: expect.stringContaining(reason) });
    await expect(outcome).rejects.not.toThrow('hunter2');
  });

  it.each(['/dev/null', '/dev', '/proc/self/environ', '/proc', '/sys'])(
    'cannot be %s, which exposes the system',
    async (path) => {
      const { gate } = await pathTrial();

      await expect(gate().resolve(path, administrator, 'either')).rejects.toThrow('it belongs to the operating system');
    },
  );

  it('cannot be a socket', async () => {
    const { root, gate } = await pathTrial();
    const server = createServer().listen(join(root, 'data/socket'));
    onTestFinished(() => {
      server.close();
    });
    await once(server, 'listening');

    await expect(gate().resolve(`${root}/data/socket`, administrator, 'either')).rejects.toThrow(
      'it is neither a file nor a folder',
    );
  });

  it('cannot be a circular or dangling link', async () => {
    const { root, gate } = await pathTrial();
    await symlink(join(root, 'data/circle'), join(root, 'data/circle'));
    await symlink(join(root, 'nowhere'), join(root, 'data/dangling'));

    await expect(gate().resolve(`${root}/data/circle`, administrator, 'either')).rejects.toThrow('it does not exist');
    await expect(gate().resolve(`${root}/data/dangling`, administrator, 'either')).rejects.toThrow('it does not exist');
  });
});

describe('files of the server', () => {
  it.each([
    'server/graticule.sqlite',
    'server/graticule.sqlite-wal',
    'server/graticule.sqlite-shm',
    'server/server.lock',
    'server/server.lock-journal',
    'server/security',
    'server/security/keystore.json',
    'server/security/deep/key',
    'server/security/not-there',
    'server/staging',
    'server/staging/work-upload-1/a.zip',
    'server',
    '',
  ])('are inaccessible: %j', async (name) => {
    const { root, gate } = await pathTrial();

    for (const path of [join(root, name), `file://${join(root, name)}`]) {
      await expect(gate().resolve(path, administrator, 'either')).rejects.toMatchObject({ code: 'path-refused' });
      await expect(gate({ externalRoots: [root] }).resolve(path, administrator, 'either')).rejects.toMatchObject({
        code: 'path-refused',
      });
    }
  });

  it.each(['/', '.', 'security/keystore.json', 'file:graticule.sqlite', 'STAGING'])(
    'are inaccessible by the relative path %j',
    async (path) => {
      const { gate } = await pathTrial();

      await expect(gate().resolve(path, administrator, 'either')).rejects.toMatchObject({ code: 'path-refused' });
    },
  );

  it('are inaccessible through links of every kind', async () => {
    const { root, gate } = await pathTrial();
    await symlink(join(root, 'server/security'), join(root, 'data/folder'));
    await symlink(join(root, 'server/graticule.sqlite'), join(root, 'data/file'));
    await symlink(join(root, 'server'), join(root, 'data/server'));
    await link(join(root, 'server/security/keystore.json'), join(root, 'data/hard'));
    await link(join(root, 'server/graticule.sqlite'), join(root, 'data/hard.sqlite'));

    for (const name of [
      'folder',
      'folder/keystore.json',
      'file',
      'server',
      'server/security/keystore.json',
      'hard',
      'hard.sqlite',
    ]) {
      await expect(gate().resolve(join(root, 'data', name), administrator, 'either')).rejects.toMatchObject({
        code: 'path-refused',
      });
    }
  });

  it('are inaccessible if their folder is a link', async () => {
    const { root, gate } = await pathTrial();
    await symlink(join(root, 'elsewhere'), join(root, 'other-security'));

    await rename(join(root, 'server/security'), join(root, 'server/old'));
    await symlink(join(root, 'elsewhere'), join(root, 'server/security'));

    for (const name of ['elsewhere/secret.txt', 'elsewhere', 'other-security/secret.txt']) {
      await expect(gate().resolve(join(root, name), administrator, 'either')).rejects.toMatchObject({
        code: 'path-refused',
      });
    }
  });
});

describe('path gate with external roots', () => {
  it('rejects paths outside the roots without revealing whether they exist', async () => {
    const { root, gate } = await pathTrial();
    await symlink(join(root, 'elsewhere'), join(root, 'data/way-out'));
    const narrow = gate({ externalRoots: [join(root, 'data'), join(root, 'missing')] });

    expect(await narrow.resolve(`${root}/data/roads.shp`, editor, 'file')).toMatchObject({ kind: 'file' });
    expect(await narrow.resolve(`${root}/data`, administrator, 'folder')).toMatchObject({ kind: 'folder' });
    for (const principal of [administrator, editor]) {
      for (const name of [
        'elsewhere/secret.txt',
        'elsewhere/not-there.txt',
        'data/way-out/secret.txt',
        'data/way-out/not-there.txt',
        'data2',
        'server/data/acme/roads/roads.shp',
      ]) {
        await expect(narrow.resolve(join(root, name), principal, 'either')).rejects.toMatchObject({
          code: 'path-refused',
          message: expect.stringContaining('outside the allowed external roots'),
        });
      }
    }
  });

  it('rejects dangling links that lead outside the roots', async () => {
    const { root, gate } = await pathTrial();
    await symlink(join(root, 'elsewhere/new.gpkg'), join(root, 'data/absolute'));
    await symlink('../elsewhere/new.gpkg', join(root, 'data/relative'));
    await symlink('relative', join(root, 'data/twice'));
    await symlink('../elsewhere/new-folder', join(root, 'data/folder'));
    await symlink('tiles/new.gpkg', join(root, 'data/inside'));
    await symlink('circle', join(root, 'data/circle'));
    const narrow = gate({ externalRoots: [join(root, 'data')] });

    for (const name of ['absolute', 'relative', 'twice', 'folder/new.gpkg']) {
      await expect(narrow.resolveAllowed(join(root, 'data', name), administrator)).rejects.toMatchObject({
        code: 'path-refused',
      });
    }
    expect(await narrow.resolveAllowed(join(root, 'data/inside'), administrator)).toBe(
      join(root, 'data/tiles/new.gpkg'),
    );
    expect(await narrow.resolveAllowed(join(root, 'data/circle'), administrator)).toBe(join(root, 'data/circle'));
    expect(await narrow.resolveAllowed(join(root, 'data/not/there'), administrator)).toBe(join(root, 'data/not/there'));
  });

  it('accepts a root that is a link', async () => {
    const { root, gate } = await pathTrial();
    await symlink(join(root, 'data'), join(root, 'linked'));

    const { path } = await gate({ externalRoots: [join(root, 'linked')] }).resolve(
      `${root}/linked/roads.shp`,
      editor,
      'file',
    );

    expect(path).toBe(join(root, 'data/roads.shp'));
  });

  it('without external roots, permits only administrators', async () => {
    const { root, gate } = await pathTrial();

    for (const name of ['data/roads.shp', 'data/not-there']) {
      await expect(gate().resolve(join(root, name), editor, 'file')).rejects.toThrow(
        'only administrators can use paths on the server',
      );
    }
  });
});

describe('files of a folder', () => {
  it('are listed in order, including folders', async () => {
    const { root, gate } = await pathTrial();

    expect(await walked(gate(), join(root, 'data'))).toEqual(['roads.shp 5', 'tiles/a.tif 1', 'tiles/deep/b.tif 2']);
  });

  it('are listed without links and files of the server', async () => {
    const { root, gate } = await pathTrial();
    await symlink(join(root, 'elsewhere'), join(root, 'data/folder'));
    await symlink(join(root, 'elsewhere/secret.txt'), join(root, 'data/file'));
    await symlink('roads.shp', join(root, 'data/inner'));
    await symlink('..', join(root, 'data/tiles/circle'));
    await link(join(root, 'server/security/keystore.json'), join(root, 'data/hard'));
    const skipped: string[] = [];

    const names = await walked(gate(), join(root, 'data'), skipped);

    expect(names).toEqual(['roads.shp 5', 'tiles/a.tif 1', 'tiles/deep/b.tif 2']);
    expect(skipped.map((path) => path.slice(root.length + 6))).toEqual([
      'file',
      'folder',
      'hard',
      'inner',
      'tiles/circle',
    ]);
  });

  it('are not listed if the folder has become a link', async () => {
    const { root, gate } = await pathTrial();
    const walk = gate()
      .walk({ path: join(root, 'data'), kind: 'folder' })
      [Symbol.asyncIterator]();
    expect((await walk.next()).value).toMatchObject({ name: 'roads.shp' });

    await rename(join(root, 'data/tiles'), join(root, 'gone'));
    await symlink(join(root, 'elsewhere'), join(root, 'data/tiles'));

    expect(await walk.next()).toMatchObject({ done: true });
  });

  it('are limited in number and depth', async () => {
    const { root, gate } = await pathTrial();
    await writeFile(join(root, 'data/third'), '');

    await expect(walked(gate({ limits: { maxEntries: 3, maxDepth: 9 } }), join(root, 'data'))).rejects.toThrow(
      'it contains more than 3 entries',
    );
    await expect(walked(gate({ limits: { maxEntries: 99, maxDepth: 2 } }), join(root, 'data'))).rejects.toThrow(
      'it is deeper than 2 folders',
    );
  });
});

describe('file name', () => {
  it.each(['roads.shp', 'größe.tif', 'a b.v2.zip', '.hidden', '名前.txt', 'console.txt', 'a'.repeat(255)])(
    'can be %j',
    (name) => {
      expect(() => checkFileName(name)).not.toThrow();
    },
  );
});
