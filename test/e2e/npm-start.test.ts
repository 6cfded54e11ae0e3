/** npm start as users and supervisors run it, with npm and a shell between them and the server. */
import { describe, expect, test } from 'vitest';
import { freePort } from '../support/services/free-port.ts';
import { type StartedServer, startServer } from './started-server.ts';

async function npmStart(): Promise<StartedServer & { readonly port: number }> {
  const port = await freePort('127.0.0.1');
  const server = await startServer({
    command: ['npm', 'start', '--'],
    flags: ['--port', String(port)],
    expectedLog: [/^npm /],
  });
  return { ...server, port };
}

describe('npm start -- --port N', () => {
  test('runs the server on that port; a SIGTERM to npm stops it with exit code 0', async () => {
    const server = await npmStart();
    expect(new URL(server.url).port).toBe(String(server.port));
    expect((await server.request('GET', '/workspaces')).status).toBe(200);

    expect(await server.stop()).toMatchObject({ code: 0, signal: null });
    await expect(server.request('GET', '/workspaces')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  });

  test('stops on Ctrl-C, which npm, the shell and the server all receive', async () => {
    const server = await npmStart();

    server.process.signalGroup('SIGINT');

    expect(await server.process.ended()).toMatchObject({ code: 0, signal: null });
    expect(server.log().map((line) => line.msg)).toContain('stopping: waiting for requests in progress');
  });
});
