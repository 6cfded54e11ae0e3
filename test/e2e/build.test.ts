/** npm run build as a release uses it: the output runs without the source. */
import { cp, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder, spawnServer } from './server-process.ts';
import { startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const needed = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts', 'src'];

/** Builds in a copy, so that a build of the developer does not interfere, and removes its source. */
async function builtServer(): Promise<string> {
  const folder = await temporaryFolder();
  await Promise.all(needed.map((name) => cp(join(projectFolder, name), join(folder, name), { recursive: true })));
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  const build = spawnServer({ command: ['npm', '--prefix', folder, 'run', 'build'] });
  const { code, stdout } = await build.ended();
  expect(stdout).not.toContain('error TS');
  expect(code).toBe(0);
  await rm(join(folder, 'src'), { recursive: true });
  return join(folder, 'dist');
}

test('npm run build creates a server that starts, reports its build time, and finds its bundled files', async () => {
  const built = await builtServer();
  const main = join(built, 'main.js');

  const started = await spawnServer({
    command: [process.execPath, join(built, 'start.cjs')],
    flags: ['--version'],
  }).ended();
  const version = await spawnServer({ command: [process.execPath, main], flags: ['--version'] }).ended();
  const server = await startServer({ command: [process.execPath, main] });
  const reply = await server.request('GET', '/about/version.json');
  const manifest = await server.request('GET', '/about/manifest.json?manifest=fastify-.*');

  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect(started).toMatchObject(version);
  expect((await readFile(join(built, 'start.cjs'), 'utf8')).split('\n', 1)).toEqual(['#!/usr/bin/env node']);
  expect(reply.json()).toMatchObject({
    about: {
      resource: [
        { 'Build-Timestamp': expect.any(String), 'Git-Revision': 'unknown', Version: version.stdout.trim() },
        expect.anything(),
        expect.anything(),
      ],
    },
  });
  expect(manifest.text).toContain('"@name":"fastify-');

  const program = `
    const { loadRegistry } = await import(${JSON.stringify(join(built, 'crs/registry/registry.js'))});
    console.log(typeof (await loadRegistry()));
  `;

  const ended = await spawnServer({ command: [process.execPath, '--input-type=module', '-e', program] }).ended();

  expect(ended).toMatchObject({ code: 0, stdout: 'object\n' });
});
