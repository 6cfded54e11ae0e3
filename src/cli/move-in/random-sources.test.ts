/** Moves random damaged directories: always a report, and a complete move that can be repeated and undone, or nothing. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { createCopiedData } from '../../../test/support/source-directories/copied-data.ts';
import type { DirectoryFiles } from '../../../test/support/source-directories/documents.ts';
import {
  createDanglingFiles,
  createUnsupportedFiles,
  hostileContents,
} from '../../../test/support/source-directories/faults.ts';
import { listen, type MoveRun, runMoveIn } from '../../../test/support/source-directories/run-move-in.ts';
import { createSampleDirectory } from '../../../test/support/source-directories/sample.ts';
import { CANARY, createSecurityFiles } from '../../../test/support/source-directories/security.ts';
import { createSettingsFiles } from '../../../test/support/source-directories/settings.ts';
import { packDirectory, writeDirectory } from '../../../test/support/source-directories/write-directory.ts';
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../test/support/test-server.ts';

const RUNS = Number(process.env['MOVE_IN_RUNS'] ?? 3);

/** A run takes about a second, or ten where others need the processors. */
const TIMEOUT_MS = 20_000 * (RUNS + 2);

const server = useTestServer();
const folder = useTemporaryFolder('random-sources');
let url: string;
let everything: DirectoryFiles;
let paths: readonly string[];

beforeAll(async () => {
  url = await listen(server);
  everything = {
    ...createSampleDirectory(),
    ...createSettingsFiles(),
    ...createSecurityFiles(),
    ...createUnsupportedFiles(),
    ...createDanglingFiles(),
    ...(await createCopiedData()),
  };
  paths = Object.keys(everything).sort();
});

type Damage = (files: Record<string, string | Buffer>) => void;

/** Chooses a file by a fraction, as the files are known only after the start of the server. */
const choice = fc.double({ min: 0, max: 0.999_999, noNaN: true });

function pick(share: number): string {
  return paths[Math.floor(share * paths.length)] ?? '';
}

const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(choice, fc.constantFrom(...Object.values(hostileContents))).map(
    ([share, content]): Damage =>
      (files) => {
        files[pick(share)] = content;
      },
  ),
  choice.map(
    (share): Damage =>
      (files) => {
        delete files[pick(share)];
      },
  ),
  fc.tuple(choice, choice).map(
    ([share, end]): Damage =>
      (files) => {
        const content = Buffer.from(files[pick(share)] ?? '');
        files[pick(share)] = content.subarray(0, Math.floor(content.length * end));
      },
  ),
  fc.tuple(choice, choice, fc.nat(255)).map(
    ([share, place, value]): Damage =>
      (files) => {
        const content = Buffer.from(files[pick(share)] ?? '');
        if (content.length > 0) content[Math.floor(content.length * place)] = value;
        files[pick(share)] = content;
      },
  ),
);

const options = fc
  .tuple(
    fc.boolean(),
    fc.subarray(['--add-url-checks', '--open-rest-rules', '--delete-missing']),
    fc.option(fc.constantFrom('/workspaces/acme', '/styles', '/security', '/workspaces/port/layers'), { freq: 4 }),
    fc.option(fc.constantFrom('acme=moved', 'style:dots=spots', 'layer:acme:towns=cities'), { freq: 4 }),
  )
  .map(([isArchive, flags, only, rename]) => ({
    isArchive,
    words: [...flags, ...(only === null ? [] : ['--only', only]), ...(rename === null ? [] : ['--rename', rename])],
  }));

async function readHash(): Promise<string> {
  return ((await server.get('/configuration')).json() as { hash: string }).hash;
}

/** One line for an error, codes for everything else, and no secret anywhere. */
function checkOutput({ code, out, err, report }: MoveRun): void {
  expect([0, 1, 5]).toContain(code);
  expect(err).toMatch(code === 1 ? /^graticule: [^\n]+\n$/ : /^$/);
  expect(report.format).toBe('graticule-move-in-report/1');
  expect(report.error === null).toBe(code !== 1);
  expect(`${out}${err}${JSON.stringify(report)}`).not.toContain(CANARY);
  expect(`${out}${err}`).not.toMatch(/\n {4}at |undefined|\[object/);
}

it(
  `${RUNS} damaged directories are moved with a report, a second run plans nothing, and an undo restores the former state`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(damage, { minLength: 1, maxLength: 6 }),
        options,
        async (damages, { isArchive, words }) => {
          const files: Record<string, string | Buffer> = { ...everything };
          for (const each of damages) each(files);
          const place = await mkdtemp(join(folder, 'source-'));
          const source = isArchive ? join(place, 'source.zip') : place;
          if (isArchive) await writeFile(source, packDirectory(files));
          else await writeDirectory(source, files);
          const before = await readHash();

          const first = await runMoveIn(url, [source, '--yes', ...words.filter((word) => word !== '--delete-missing')]);
          checkOutput(first);
          if (first.code === 1) {
            expect(await readHash()).toBe(before);
          } else if (first.report.change !== null) {
            const second = await runMoveIn(url, [source, '--yes', ...words]);
            checkOutput(second);
            expect(second.report.plan).toMatchObject({ create: 0, update: 0, delete: 0 });
            const undone = await server.request('POST', `/history/${first.report.change}/undo`);
            expect(undone.status, undone.text).toBe(200);
            expect(await readHash()).toBe(before);
          }
          await rm(place, { recursive: true });
        },
      ),
      { numRuns: RUNS, endOnFailure: RUNS > 20 },
    );
    expect(server.log.join('\n')).not.toContain(CANARY);
  },
  TIMEOUT_MS,
);
