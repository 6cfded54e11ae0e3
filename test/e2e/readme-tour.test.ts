/** The five-minute tour of the README, pasted line by line into a shell. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { describeWithTool } from '../support/with-tool.ts';
import { projectFolder } from './server-process.ts';
import { startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

/** The lines of the tour, and what each is expected to print. */
const expectations: readonly (readonly [line: RegExp, output: RegExp])[] = [
  [/-d '<workspace><name>acme/, /^HTTP\/1\.1 201 Created[\s\S]*\/workspaces\/acme\r\n[\s\S]*\r\n\r\nacme$/],
  [/städte/, /^HTTP\/1\.1 201 Created/],
  [/\/workspaces\.xml/, /<name>acme<\/name>/],
  [/Accept: application\/json/, /^\{"workspaces":\{"workspace":\[\{"name":"acme"/],
  [/namespaces\/acme\.json/, /^\{"namespace":\{"prefix":"acme","uri":"http:\/\/acme"/],
  [/-X PUT/, /^HTTP\/1\.1 200 OK/],
  [/-i .*\/workspaces\/example\.json/, /^HTTP\/1\.1 200 OK[\s\S]*etag: "\d+\.json"/],
  [/If-Match/, /^HTTP\/1\.1 412 Precondition Failed/],
  [/geocss\+css/, /^HTTP\/1\.1 201 Created[\s\S]*\/styles\/roads\r\n[\s\S]*\r\n\r\nroads$/],
  [/roads\.sld/, /<StyledLayerDescriptor[\s\S]*lanes/],
  [/-o roads\.png/, /^$/],
  [/a\/b/, /^\{"status":400,"message":"'a\/b' cannot be the name/],
  [/recurse=true/, /^HTTP\/1\.1 200 OK/],
  [/purge=true/, /^HTTP\/1\.1 200 OK/],
  [/openapi\.json/, /^\{"openapi":"3\.1\.0"/],
];

async function tourLines(): Promise<readonly string[]> {
  const readme = await readFile(join(projectFolder, 'README.md'), 'utf8');
  const block = /<!-- tour[^>]*-->\n```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  return block.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describeWithTool('curl', 'The five-minute tour of the README', () => {
  test('works when pasted line by line', async () => {
    const server = await startServer({ password: 'correct horse battery' });
    const [settings, commands] = Object.values(
      Object.groupBy(await tourLines(), (line) => (/^\w+=/.test(line) ? 'settings' : 'commands')),
    );
    const folder = await temporaryFolder();
    const preamble = (settings ?? []).join('\n').replace(/^REST=.*$/m, `REST=${server.url}`);

    expect(commands).toHaveLength(expectations.length);
    for (const [index, command] of (commands ?? []).entries()) {
      const [line, output] = expectations[index] ?? [/never/, /never/];
      const { stdout } = await run('bash', ['-c', `${preamble}\n${command.replace(/^curl /, 'curl -s ')}`], {
        cwd: folder,
        env: { ...process.env, NO_PROXY: '*', no_proxy: '*' },
      });

      expect(command).toMatch(line);
      expect(stdout, command).toMatch(output);
    }
    expect((await readFile(join(folder, 'roads.png'))).toString('latin1', 1, 4)).toBe('PNG');
  });
});
