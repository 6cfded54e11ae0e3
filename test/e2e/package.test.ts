/** The npm package as users get it: packed, listed, installed in a bare folder, and started. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/services/free-port.ts';
import { describeWithTool } from '../support/with-tool.ts';
import { createContainerRoot } from './container-root.ts';
import { expectGuideWorks } from './guide-runs.ts';
import { listPublishedFiles, PACKED_REVISION, type PackedServer, packServer } from './packed-server.ts';
import { spawnServer } from './server-process.ts';
import { describeWithSmallDisks } from './small-disk.ts';
import { ADMIN_PASSWORD, startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const MAX_PACKAGE_BYTES = 25_000_000;

let packed: PackedServer;
beforeAll(async () => {
  packed = await packServer();
});
afterAll(() => packed?.remove());

describeWithTool('curl', 'The npm package', () => {
  test('npm publish uploads the built server and nothing else, below 25 MB', async () => {
    const { size, files } = await listPublishedFiles(packed);
    const built = files.filter((path) => path.startsWith('dist/'));

    expect(size).toBeLessThan(MAX_PACKAGE_BYTES);
    expect(files.filter((path) => !path.startsWith('dist/'))).toEqual([
      'LICENSE',
      'README.md',
      'deploy/proxy/Caddyfile',
      'deploy/proxy/nginx.conf',
      'deploy/systemd/graticule.service',
      'package.json',
    ]);
    const isAsset = (path: string) => /^dist\/console\/assets\/[\w-]+\.(?:js|css|gpkg)(?:\.gz)?$/.test(path);
    expect(built.filter(isAsset).length).toBeGreaterThan(10);
    expect(built.filter((path) => !path.endsWith('.js') && !isAsset(path))).toEqual([
      'dist/build.json',
      'dist/console/index.html',
      'dist/console/report.json',
      'dist/crs/registry/registry.json',
      'dist/start.cjs',
    ]);
    expect(built.filter((path) => path.includes('.test.') || path === 'dist/removed.js')).toEqual([]);
    expect(built.length).toBeGreaterThan(1_000);
  });

  test('two commands install and start it on a machine with Node.js and npm, and it draws a map', async () => {
    const folder = await temporaryFolder();
    const port = await freePort('127.0.0.1');

    await expectGuideWorks('docs/guides/install.md', {
      url: `http://127.0.0.1:${port}/geoserver/rest`,
      folder,
      environment: { ...packed.environment(folder), GRATICULE_PORT: String(port) },
    });

    const command = join(folder, 'bin', 'graticule');
    const server = await startServer({ command: [command, 'serve'] });
    const about = await server.request('GET', '/about/version.json');
    const { version } = JSON.parse(await readFile(join(packed.source, 'package.json'), 'utf8')) as { version: string };
    expect(about.json()).toMatchObject({
      about: {
        resource: [
          { 'Build-Timestamp': expect.any(String), 'Git-Revision': PACKED_REVISION, Version: version },
          expect.anything(),
          expect.anything(),
        ],
      },
    });
    const manifest = await server.request('GET', '/about/manifest.json?manifest=fastify-.*');
    expect(manifest.text).toContain('"@name":"fastify-');
    const page = await (await fetch(server.url.replace(/rest$/, 'console/'))).text();
    const script = /src="(assets\/main-\w+\.js)"/.exec(page)?.[1] ?? '';
    expect((await fetch(server.url.replace(/rest$/, `console/${script}`))).status).toBe(200);
    expect((await server.request('GET', '/crs/EPSG:32633.wkt')).text).toContain('UTM zone 33N');
    expect((await server.stop()).code).toBe(0);

    const migrated = spawnServer({ command: [command, 'storage', 'migrate', '--storage', server.dataDir] });
    expect(await migrated.ended()).toMatchObject({ code: 0, stdout: expect.stringContaining('is up to date') });
  });
});

describeWithSmallDisks('The container image', () => {
  test('runs as its user on a read-only root, and its health check follows the server', async () => {
    const container = await createContainerRoot(await temporaryFolder(), packed.source);
    const port = String(await freePort('127.0.0.1'));
    const environment = { GRATICULE_PORT: port, GRATICULE_ADMIN_PASSWORD: ADMIN_PASSWORD };

    const server = await startServer({
      command: container.startCommand(environment),
      environment: { ...environment, GRATICULE_DATA_DIR: '/data' },
    });
    const { pid } = server.process;
    const status = await readFile(`/proc/${pid}/status`, 'utf8');

    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect((await server.request('GET', '/workspaces.json')).status).toBe(200);
    const added = await server.request('POST', '/workspaces', { body: '{"workspace":{"name":"acme"}}' });
    expect(added.status).toBe(201);
    expect(await container.checkHealth(pid, environment)).toBe('The server accepts requests.\n');
    for (const file of ['/file', '/app/file', '/app/dist/file', '/usr/local/bin/file', '/etc/file']) {
      await expect(container.runAsRoot(pid, 'touch', file)).rejects.toThrow('Read-only file system');
    }
    const elsewhere = { ...environment, GRATICULE_PORT: '9' };
    await expect(container.checkHealth(pid, elsewhere)).rejects.toMatchObject({ code: 1 });
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
  });
});
