/** Repeats moves after changes on both sides. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DirectoryFiles,
  groupXml,
  layerId,
  layerXml,
  resourceXml,
  styleId,
} from '../../../../test/support/source-directories/documents.ts';
import { listen, type MoveRun, runMoveIn } from '../../../../test/support/source-directories/run-move-in.ts';
import { createSampleDirectory } from '../../../../test/support/source-directories/sample.ts';
import { createSecurityFiles } from '../../../../test/support/source-directories/security.ts';
import { writeDirectory } from '../../../../test/support/source-directories/write-directory.ts';
import { useTemporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { useTestServer } from '../../../../test/support/test-server.ts';

const server = useTestServer();
const folder = useTemporaryFolder('previous-moves');
let url: string;
let source: string;
let initial: number;

beforeAll(async () => {
  url = await listen(server);
  initial = await readPosition();
});

beforeEach(async () => {
  await server.request('POST', `/history/${initial}/restore`);
  source = await writeDirectory(await mkdtemp(join(folder, 'old ')), createSampleDirectory());
});

async function readPosition(): Promise<number> {
  return ((await server.get('/history?limit=1')).json() as { readonly position: number }).position;
}

async function readHash(): Promise<string> {
  return ((await server.get('/configuration')).json() as { readonly hash: string }).hash;
}

const move = (...options: readonly string[]): Promise<MoveRun> => runMoveIn(url, [source, '--yes', ...options]);

const write = (files: DirectoryFiles): Promise<string> => writeDirectory(source, files);

async function change(method: string, path: string, body?: object): Promise<number> {
  const reply = await server.request(method, path, {
    ...(body === undefined ? {} : { body: JSON.stringify(body), type: 'application/json' }),
  });
  expect(reply.status, reply.text).toBeLessThan(300);
  return Number(reply.headers['graticule-change']);
}

function summarise({ report }: MoveRun) {
  const kept = report.entries.filter(({ code }) => code === 'target-changed' || code === 'deletion-skipped');
  const { create, update, delete: deleted } = report.plan as unknown as Readonly<Record<string, number>>;
  return { plan: [create, update, deleted], kept: kept.map(({ path }) => path ?? '') };
}

const townsTitle = (title: string): DirectoryFiles => {
  const path = 'workspaces/acme/towns/towns/featuretype.xml';
  return { [path]: String(createSampleDirectory()[path]).replace('Title of towns', title) };
};
const towns = '/workspaces/acme/datastores/towns/featuretypes/towns';

describe('a repeated move', () => {
  it('plans exactly the changes of the source', async () => {
    const first = await move();
    await write({
      ...townsTitle('New title'),
      'layergroups/more.xml': groupXml({ name: 'more', members: [{ id: layerId('acme', 'towns') }] }),
    });

    const second = await move();
    const third = await move();

    expect(first.err).toBe('');
    expect(summarise(second)).toEqual({ plan: [1, 1, 0], kept: [] });
    expect(summarise(third)).toEqual({ plan: [0, 0, 0], kept: [] });
  });

  it('keeps and names what the target changed, also after further moves, until --prefer source', async () => {
    await move();
    const changed = await change('PUT', `${towns}.json`, { featureType: { title: 'Title of the target' } });
    const unchanged = await move();
    await write({ ...townsTitle('Title of the source'), 'styles/line.sld.bak': 'x' });
    await writeFile(join(source, 'styles/simple.css'), '* { stroke: #445566; }');

    const kept = await move();
    const again = await move();
    const preferred = await move('--prefer', 'source');
    const last = await move();

    expect(summarise(unchanged)).toEqual({ plan: [0, 0, 0], kept: [towns] });
    expect(summarise(kept)).toEqual({ plan: [0, 1, 0], kept: [towns] });
    expect(kept.report.entries.find(({ code }) => code === 'target-changed')).toMatchObject({
      outcome: 'adapted',
      source: 'workspaces/acme/towns/towns/featuretype.xml',
      message: `Change ${changed} of the target modified the resource, which stays as it is there.`,
      remedy: 'Use --prefer source to import it again.',
    });
    expect(summarise(again)).toEqual({ plan: [0, 0, 0], kept: [towns] });
    expect(summarise(preferred)).toEqual({ plan: [0, 1, 0], kept: [] });
    expect(summarise(last)).toEqual({ plan: [0, 0, 0], kept: [] });
  });

  it('does not import again what the target deleted or renamed', async () => {
    await move();
    await change('DELETE', '/layergroups/older');
    await change('PUT', '/workspaces/side.car', { workspace: { name: 'renamed' } });

    const kept = await move();
    const preferred = await move('--prefer', 'source', '--dry-run');

    expect(summarise(kept).plan).toEqual([0, 0, 0]);
    expect(summarise(kept).kept).toEqual([
      '/layergroups/older',
      '/workspaces/side.car/datastores/spots',
      '/workspaces/side.car/datastores/spots/featuretypes/spots',
      '/workspaces/side.car/layers/spots',
      '/workspaces/side.car',
    ]);
    expect(summarise(preferred).plan[0]).toBeGreaterThan(0);
  });

  it('does not count undone changes, and starts again after an undo or a restore of the whole move', async () => {
    const hash = await readHash();
    const first = await move();
    const moved = await readHash();
    const changed = await change('PUT', `${towns}.json`, { featureType: { title: 'Title of the target' } });
    await change('POST', `/history/${changed}/undo`);
    await write(townsTitle('Title of the source'));
    const second = await move();
    await change('POST', `/history/${second.report.change}/undo`);
    const undone = await readHash();
    const repeated = await move();
    await change('POST', `/history/${initial}/restore`);
    const restored = await readHash();
    const last = await move();

    expect(summarise(second)).toEqual({ plan: [0, 1, 0], kept: [] });
    expect(undone).toBe(moved);
    expect(summarise(repeated)).toEqual(summarise(second));
    expect(restored).toBe(hash);
    expect(summarise(last)).toEqual(summarise(first));
  });

  it('overwrites what existed before the first move', async () => {
    await server.post('/workspaces', JSON.stringify({ workspace: { name: 'acme', isolated: true } }));

    expect(summarise(await move())).toMatchObject({ plan: [expect.any(Number), 1, 0], kept: [] });
  });
});

describe('--delete-missing', () => {
  it('deletes what earlier moves created and the source no longer has, and nothing else', async () => {
    await change('POST', '/workspaces', { workspace: { name: 'own' } });
    await write(createSecurityFiles());
    await move('--message', 'all of it');
    await rm(join(source, 'layergroups'), { recursive: true });
    await rm(join(source, 'workspaces/acme/layergroups'), { recursive: true });
    await rm(join(source, 'workspaces/sidecar'), { recursive: true });
    await rm(join(source, 'styles/dots.xml'));

    const without = await move('--dry-run');
    const dry = await move('--dry-run', '--delete-missing');
    const done = await move('--delete-missing');
    const again = await move('--delete-missing');
    const paths = ((await server.get('/configuration')).json() as { readonly resources: { path: string }[] }).resources;

    expect(summarise(without).plan[2]).toBe(0);
    expect(summarise(dry).plan).toEqual([0, 1, 8]);
    expect(done.err).toBe('');
    expect(summarise(done)).toEqual(summarise(dry));
    expect(summarise(again).plan).toEqual([0, 0, 0]);
    expect(paths.map(({ path }) => path).filter((path) => /^\/workspaces\/[^/]*$|layergroups/.test(path))).toEqual([
      '/workspaces/acme',
      '/workspaces/default',
      '/workspaces/own',
    ]);
  });

  it('keeps what the target changed or still uses', async () => {
    await write({
      'workspaces/sidecar/spots/more/featuretype.xml': resourceXml({
        workspace: 'side.car',
        store: 'spots',
        name: 'more',
        nativeName: 'spots',
      }),
      'workspaces/sidecar/spots/more/layer.xml': layerXml({
        workspace: 'side.car',
        name: 'more',
        style: ['id', styleId('point')],
      }),
    });
    await move();
    await change('PUT', '/workspaces/side.car/layers/more.json', { layer: { defaultStyle: { name: 'line' } } });
    await rm(join(source, 'layergroups/older.xml'));
    await rm(join(source, 'workspaces/sidecar'), { recursive: true });

    const kept = await move('--delete-missing');
    const preferred = await move('--delete-missing', '--prefer', 'source');

    expect(summarise(kept)).toEqual({ plan: [0, 0, 3], kept: ['/workspaces/side.car/layers/more'] });
    expect(kept.report.entries.filter(({ code }) => code === 'target-rejected').map(({ path }) => path)).toEqual([
      '/workspaces/side.car',
      '/workspaces/side.car/datastores/spots',
      '/workspaces/side.car/datastores/spots/featuretypes/more',
    ]);
    expect(summarise(preferred).plan).toEqual([0, 0, 4]);
  });

  it('deletes nothing that another source created, or that the source has but cannot be imported', async () => {
    await move();
    const other = await runMoveIn(url, [
      await writeDirectory(join(folder, 'another'), createSampleDirectory()),
      '--yes',
      '--delete-missing',
    ]);
    await rm(join(source, 'layergroups/older.xml'));
    await writeFile(join(source, 'workspaces/sidecar/spots/datastore.xml'), '<dataStore><name>spots');
    const broken = await move('--delete-missing');
    const unsupported = String(createSampleDirectory()['workspaces/sidecar/spots/datastore.xml']).replace(
      'directory',
      'unknown',
    );
    await writeFile(join(source, 'workspaces/sidecar/spots/datastore.xml'), unsupported);
    const skipped = await move('--delete-missing', '--dry-run');

    expect(other.code).toBe(1);
    expect(other.report.error).toMatchObject({ code: 'source-unknown' });
    expect(other.err).toContain("No earlier move in the history is from 'another', but from 'old ");
    expect(summarise(broken)).toEqual({ plan: [0, 0, 0], kept: [''] });
    expect(summarise(skipped).plan).toEqual([0, 0, 1]);
  });
});
