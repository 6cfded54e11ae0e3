/** Lesson 7: server paths in client requests. Every `external` upload validates its path with this gate. */
import { link, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { administrator, editor, pathTrial } from '../support/path-gates.ts';

describe('lesson 7: paths with an external root', () => {
  it.each([
    ['another host', (root: string) => `file://evil${root}/data/roads.shp`, 'path-invalid'],
    ['encoded dots', (root: string) => `file://${root}/data/%2e%2e/elsewhere/secret.txt`, 'path-invalid'],
    ['encoded slashes', (root: string) => `file://${root}/data%2f..%2felsewhere%2fsecret.txt`, 'path-invalid'],
    ['dots', (root: string) => `${root}/data/../elsewhere/secret.txt`, 'path-invalid'],
    ['an absolute path outside the root', (root: string) => `${root}/elsewhere/secret.txt`, 'path-refused'],
    ['a link to a file', (root: string) => `${root}/data/link.txt`, 'path-refused'],
    ['a link to a folder', (root: string) => `${root}/data/link/secret.txt`, 'path-refused'],
    ['a link as a URL', (root: string) => `file:${root}/data/link`, 'path-refused'],
    ['a path that starts with the name of the root', (root: string) => `${root}/data-of-others`, 'path-refused'],
    ['the keystore', (root: string) => `${root}/server/security/keystore.json`, 'path-refused'],
    ['a relative path', () => 'security/keystore.json', 'path-refused'],
  ])('rejects %s', async (_case, written, code) => {
    const { root, gate } = await pathTrial();
    await symlink(join(root, 'elsewhere/secret.txt'), join(root, 'data/link.txt'));
    await symlink(join(root, 'elsewhere'), join(root, 'data/link'));
    const narrow = gate({ externalRoots: [join(root, 'data')] });

    for (const principal of [administrator, editor]) {
      await expect(narrow.resolve(written(root), principal, 'either')).rejects.toMatchObject({ code });
    }
  });

  it('harvests a directory without following links out of it', async () => {
    const { root, gate } = await pathTrial();
    await symlink(join(root, 'elsewhere'), join(root, 'data/link'));
    await symlink(join(root, 'elsewhere/secret.txt'), join(root, 'data/tiles/c.tif'));
    await link(join(root, 'server/graticule.sqlite'), join(root, 'data/tiles/d.tif'));
    const narrow = gate({ externalRoots: [join(root, 'data')] });
    const folder = await narrow.resolve(join(root, 'data'), editor, 'folder');

    const names: string[] = [];
    for await (const { name } of narrow.walk(folder)) {
      names.push(name);
    }

    expect(names).toEqual(['roads.shp', 'tiles/a.tif', 'tiles/deep/b.tif']);
  });
});
