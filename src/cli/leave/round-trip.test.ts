/** Exports a server as a GeoServer data directory and moves it in to an empty server: the configuration is the same. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withMapServer } from '../../../test/support/capabilities.ts';
import { furnish, send } from '../../../test/support/furnished-server.ts';
import { ADMIN_PASSWORD, type TestServer, useTestServer } from '../../../test/support/test-server.ts';
import type { CommandEnvironment } from '../client/command.ts';
import { runCommand } from '../run.ts';

interface Configuration {
  readonly hash: string;
  readonly resources: readonly { readonly path: string; readonly fields: Readonly<Record<string, unknown>> }[];
}

async function listen({ server }: TestServer): Promise<string> {
  return `${await server.app.listen({ host: '127.0.0.1', port: 0 })}${server.restRoot}`;
}

async function run(url: string, words: readonly string[]) {
  const printed: string[] = [];
  const world: CommandEnvironment = {
    environment: { GRATICULE_URL: url, GRATICULE_PASSWORD: ADMIN_PASSWORD },
    print: (text) => printed.push(text),
    printError: (text) => printed.push(text),
    readFile: async () => Buffer.alloc(0),
    listFiles: async () => undefined,
    removeFile: async () => undefined,
    resolvePath: (name) => name,
    writeFile: async () => undefined,
    prompt: undefined,
    wait: async () => undefined,
  };
  return { code: await runCommand(words, world), out: printed.join('') };
}

describe('an export as a GeoServer data directory', () => {
  const [one, other] = [useTestServer(), useTestServer()];

  it('has the same configuration after it was moved in to an empty server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'graticule-leave-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await withMapServer(async (maps) => {
      await furnish(one, maps);
      // These are not exported.
      await send(one, 'DELETE', '/security/acl/data/staff');
      // The passwords of users are not exported, and users without a password are disabled.
      for (const user of ['usergroup/user/ann', 'usergroup/service/club/user/cleo']) {
        await send(one, 'POST', `/security/${user}`, '{"user":{"enabled":false}}');
      }
      const tiles = { mimeFormats: ['image/png'], gridSubsets: [{ gridSetName: 'local', zoomStop: 1 }] };
      const GeoServerLayer = { ...tiles, metaWidthHeight: [2, 1], enabled: true, inMemoryCached: true };
      await send(one, 'PUT', '/workspaces/acme/tilelayers/towns', JSON.stringify({ GeoServerLayer }));
      // The class names differ, and a group without a style of the directory would lose it.
      await send(one, 'DELETE', '/security/authproviders/directory');
      await send(one, 'PUT', '/layergroups/world', '{"layerGroup":{"rootLayerStyle":{"name":"thick"}}}');
      const [from, to] = [await listen(one), await listen(other)];
      const directory = join(folder, 'data-directory');
      const left = await run(from, ['export', '--as', 'geoserver', '--output', directory, '--with-secrets']);
      expect(left.code, left.out).toBe(0);
      await cp(join(one.dataDir, 'data'), join(directory, 'data'), { recursive: true });

      const moved = await run(to, ['move-in', directory, '--yes', '--strict']);
      expect(moved.code, moved.out).toBe(0);

      const [before, after] = [await read(one), await read(other)];
      expect([...after.keys()]).toEqual([...before.keys()]);
      const changed = [...before].flatMap(([path, fields]) =>
        Object.keys(fields)
          .filter((name) => JSON.stringify(fields[name]) !== JSON.stringify(after.get(path)?.[name]))
          .map((name) => `${path} ${name}`),
      );
      expect(changed).toEqual([
        // Only hashes are stored, which another server cannot verify.
        '/security/usergroup/service/club/user/cleo password',
        '/security/usergroup/user/ann password',
        '/security/usergroup/user/bob password',
        // Settings without an effect are not imported.
        '/settings jai',
        '/settings metadata',
        '/settings settings',
        // Stores refer to the files in the directory.
        '/workspaces/acme/coveragestores/photo url',
        '/workspaces/acme/coveragestores/pictures url',
        '/workspaces/acme/coveragestores/relief url',
        '/workspaces/acme/datastores/properties connectionParameters',
        '/workspaces/acme/datastores/shapes connectionParameters',
        '/workspaces/acme/settings title',
      ]);
    });
  });
});

async function read(server: TestServer) {
  const { resources } = (await server.get('/configuration')).json() as Configuration;
  return new Map(resources.map(({ path, fields }) => [path, fields]));
}
