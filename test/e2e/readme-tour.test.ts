/** The five-minute tour of the README, run line by line in a shell. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeWithTool } from '../support/with-tool.ts';
import { startServer } from './started-server.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { commandBlocks, runCommands, WRITTEN_PASSWORD } from './written-commands.ts';

/** The commands of the tour with their expected output. */
const expectations: readonly (readonly [line: RegExp, output: RegExp])[] = [
  [/"workspace":\{"name":"acme"/, /^HTTP\/1\.1 201 Created/],
  [/> cities\.geojson/, /^$/],
  [/file\.geojson/, /^Published acme:cities \(EPSG:4326\)\.$/],
  [/geocss\+css/, /^HTTP\/1\.1 201 Created[\s\S]*\/styles\/cities\n/],
  [/defaultStyle/, /^HTTP\/1\.1 200 OK/],
  [/ogc\/features/, /"Zürich"[\s\S]*"Genève"[\s\S]*"numberMatched":2/],
  [/-o cities\.png/, /^$/],
  [/history\.json/, /^\{"changes":\[/],
];

describeWithTool('curl', 'The five-minute tour of the README', () => {
  test('works when it is run line by line', async () => {
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
    expect((await readFile(join(folder, 'cities.png'))).toString('latin1', 1, 4)).toBe('PNG');
  });
});
