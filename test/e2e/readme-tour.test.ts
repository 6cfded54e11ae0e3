/** The five-minute tour of the README, pasted line by line into a shell. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeWithTool } from '../support/with-tool.ts';
import { startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { commandBlocks, runCommands, WRITTEN_PASSWORD } from './written-commands.ts';

/** The lines of the tour, and what each is expected to print. */
const expectations: readonly (readonly [line: RegExp, output: RegExp])[] = [
  [/-d '<workspace><name>acme/, /^HTTP\/1\.1 201 Created[\s\S]*\/workspaces\/acme\n[\s\S]*\n\nacme$/],
  [/städte/, /^HTTP\/1\.1 201 Created/],
  [/\/workspaces\.xml/, /<name>acme<\/name>/],
  [/Accept: application\/json/, /^\{"workspaces":\{"workspace":\[\{"name":"acme"/],
  [/namespaces\/acme\.json/, /^\{"namespace":\{"prefix":"acme","uri":"http:\/\/acme"/],
  [/-X PUT/, /^HTTP\/1\.1 200 OK/],
  [/-i .*\/workspaces\/example\.json/, /^HTTP\/1\.1 200 OK[\s\S]*etag: "\d+\.json"/],
  [/If-Match/, /^HTTP\/1\.1 412 Precondition Failed/],
  [/geocss\+css/, /^HTTP\/1\.1 201 Created[\s\S]*\/styles\/roads\n[\s\S]*\n\nroads$/],
  [/roads\.sld/, /<StyledLayerDescriptor[\s\S]*lanes/],
  [/-o roads\.png/, /^$/],
  [/a\/b/, /^\{"status":400,"message":"'a\/b' cannot be the name/],
  [/recurse=true/, /^HTTP\/1\.1 200 OK/],
  [/purge=true/, /^HTTP\/1\.1 200 OK/],
  [/openapi\.json/, /^\{"openapi":"3\.1\.0"/],
];

describeWithTool('curl', 'The five-minute tour of the README', () => {
  test('works when pasted line by line', async () => {
    const server = await startServer({ password: WRITTEN_PASSWORD });
    const folder = await temporaryFolder();
    const [tour] = await commandBlocks('README.md');
    const lines = (tour?.commands ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));

    const results = await runCommands(lines, { url: server.url, folder });

    const commands = [...lines.entries()].filter(([, line]) => !/^\w+=/.test(line));
    expect(commands).toHaveLength(expectations.length);
    for (const [nth, [index, command]] of commands.entries()) {
      const [line, output] = expectations[nth] ?? [/never/, /never/];
      expect(command).toMatch(line);
      expect(results[index]?.output, command).toMatch(output);
      expect(results[index]?.exitCode, command).toBe(0);
    }
    expect((await readFile(join(folder, 'roads.png'))).toString('latin1', 1, 4)).toBe('PNG');
  });
});
