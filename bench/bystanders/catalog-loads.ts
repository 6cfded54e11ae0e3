/** Loads on a server with a large catalog: export, diff, apply, lists, a large delete, a large style, the doctor. */
import { Agent } from 'node:http';
import { type Bench, LARGE, thousands } from '../sections/section.ts';
import { startServerChild } from '../server-child.ts';
import { uploadStyle } from '../styles.ts';
import type { LoadGroup, OpenGroup } from './group.ts';
import { describeReply, sendLoad } from './load.ts';

const STYLE_BYTES = 9_000_000;
const DELETED = 20_000;
const json = 'application/json';

export const catalogLoads: LoadGroup = {
  names: [
    'export-objects',
    'diff-objects',
    'apply-objects',
    'list-objects',
    'delete-objects',
    'doctor-objects',
    'upload-style',
  ],
  open: openCatalogLoads,
};

async function openCatalogLoads(bench: Bench): Promise<OpenGroup> {
  const { seeded, scaled } = bench;
  const count = scaled(LARGE);
  const server = await startServerChild(await seeded(count), {}, serverOptions(bench));
  const objects = `${thousands(count)} objects`;
  const get = async (path: string): Promise<string> =>
    describeReply(await sendLoad({ url: `${server.restUrl}${path}` }));
  const post = async (path: string, body: string): Promise<string> =>
    describeReply(
      await sendLoad({ method: 'POST', url: `${server.restUrl}${path}`, type: json, body, timeoutMs: 300_000 }),
    );
  const cases = [
    {
      name: 'export-objects',
      what: `${objects} are exported`,
      // The first export after a start also loads the code.
      prepare: async () => {
        await get('/configuration?kind=role');
      },
      run: () => get('/configuration'),
    },
    {
      name: 'diff-objects',
      what: `${objects} are compared`,
      run: () => post('/configuration/diff', workspaceDocument('workspace-', count)),
    },
    { name: 'list-objects', what: `${objects} are listed`, run: () => get('/workspaces.json') },
    { name: 'doctor-objects', what: `the doctor examines ${objects}`, run: () => get('/doctor') },
    {
      name: 'apply-objects',
      what: `${objects} are applied`,
      run: () => post('/configuration/apply', workspaceDocument('applied-', count)),
    },
    {
      name: 'upload-style',
      what: 'a style of 9 MB is uploaded',
      async run() {
        const agent = new Agent();
        for (const round of [1, 2, 3]) await uploadStyle(server, agent, `huge-${round}`, STYLE_BYTES);
        return '201';
      },
    },
    {
      name: 'delete-objects',
      what: `a workspace of ${thousands(scaled(DELETED))} stores is deleted`,
      prepare: () => createStores(post, scaled(DELETED)),
      run: async () => {
        const url = `${server.restUrl}/workspaces/full?recurse=true`;
        return describeReply(await sendLoad({ method: 'DELETE', url }));
      },
    },
  ];
  return { server, cases };
}

export function serverOptions({ memory }: Bench): { readonly isWatched: true; readonly args: readonly string[] } {
  return { isWatched: true, args: memory === undefined ? [] : ['--memory', memory] };
}

/** A configuration with this many workspaces, in export form. */
export function workspaceDocument(prefix: string, count: number): string {
  return formatDocument(count, (index) => ({
    kind: 'workspace',
    path: `/workspaces/${prefix}${index}`,
    fields: { isolated: false, metadata: {}, namespaceUri: `http://${prefix}${index}` },
  }));
}

function formatDocument(count: number, make: (index: number) => object): string {
  const resources = Array.from({ length: count }, (_, index) => JSON.stringify(make(index)));
  return `{"format":"graticule-configuration/1","resources":[${resources.join(',')}]}`;
}

async function createStores(post: (path: string, body: string) => Promise<string>, count: number): Promise<void> {
  await post('/workspaces', '{"workspace":{"name":"full"}}');
  const stores = formatDocument(count, (index) => ({
    kind: 'dataStore',
    path: `/workspaces/full/datastores/store-${index}`,
    fields: { connectionParameters: { url: `file:data/store-${index}.shp` } },
  }));
  await post('/configuration/apply', stores);
}
