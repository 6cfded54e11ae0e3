/** The systemd unit: valid, hardened, and ready when the server reports it. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { describeWithTool } from '../support/with-tool.ts';
import { createInstalledEnvironment, expectGuideWorks } from './guide-runs.ts';
import { projectFolder, spawnServer } from './server-process.ts';
import { startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const unitFile = join(projectFolder, 'deploy/systemd/graticule.service');

/** In tenths, from 0 (nothing is allowed) to 100. Services without options have 96. */
const MAX_EXPOSURE = 15;

/** Prints every datagram; systemd-notify also sends a file descriptor and waits until it is closed, which recv does. */
const receiver = `
import socket, sys
receiving = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiving.bind(sys.argv[1])
print('bound', flush=True)
while True:
    print(receiving.recv(4096).decode().replace('\\n', '|'), flush=True)
`;

const analyze = (...words: string[]) => promisify(execFile)('systemd-analyze', words, { encoding: 'utf8' });

describeWithTool('systemd', 'The systemd unit', () => {
  test('systemd-analyze verifies it without a warning', async () => {
    const copy = join(await temporaryFolder(), 'graticule.service');
    const unit = await readFile(unitFile, 'utf8');
    // The command is installed by npm, and not on this machine.
    await writeFile(copy, unit.replaceAll(/^(Exec\w+=)graticule/gm, `$1${process.execPath}`));

    const { stdout, stderr } = await analyze('verify', copy);

    expect(unit).toMatch(/^ExecStart=graticule serve$/m);
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  });

  test('its exposure is at most 1.5', async () => {
    const options = ['--offline=true', '--no-pager', `--threshold=${MAX_EXPOSURE}`];

    const { stdout } = await analyze('security', ...options, unitFile);

    expect(stdout).toMatch(/Overall exposure level for graticule\.service: \d\.\d/);
  });

  test('the commands of the guide work and print the documented output', async () => {
    await expectGuideWorks('docs/guides/systemd.md', {
      url: 'http://127.0.0.1:8080/geoserver/rest',
      folder: await temporaryFolder(),
      environment: await createInstalledEnvironment(),
    });
  });

  test('the server reports that it is ready, with its address, and that it stops', async () => {
    const socket = join(await temporaryFolder(), 'notify');
    const messages = spawnServer({ command: ['python3', '-c', receiver, socket] });
    await messages.waitFor('stdout', /^bound$/m);

    const server = await startServer({ environment: { NOTIFY_SOCKET: socket } });
    const [, address] = await messages.waitFor('stdout', /^READY=1\|STATUS=Listening on (\S+)$/m);
    const stopped = await server.stop();

    expect(server.url).toBe(`${address}/geoserver/rest`);
    expect(stopped.code).toBe(0);
    await messages.waitFor('stdout', /^STOPPING=1\|STATUS=Waiting for requests in progress$/m);
  });

  test('a server without systemd-notify starts and logs why systemd gets no report', async () => {
    const environment = { NOTIFY_SOCKET: join(await temporaryFolder(), 'notify'), PATH: '' };

    const server = await startServer({ environment, expectedLog: [/cannot report the state to systemd/] });

    await expect.poll(() => server.log().map(({ msg }) => msg)).toContain('cannot report the state to systemd');
  });
});
