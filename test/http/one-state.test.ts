/**
 * Each response shows one state: a change is committed between any two reads of every view, and no response mixes both.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { betweenReads } from '../support/between-reads.ts';
import { everyRoute } from '../support/every-route.ts';
import { readablePaths } from '../support/readable-paths.ts';
import type { Reply } from '../support/test-server.ts';
import { type StateName, startWithTwoStates, type TwoStates } from '../support/two-states.ts';

/** Views without records, or whose records cannot change. */
const alwaysTheSame = [
  '',
  '/openapi.json',
  '/resource',
  '/about/version',
  '/about/manifest',
  '/about/system-status',
  '/fonts',
  '/crs',
  '/crs/authorities',
  '/crs/EPSG:4326',
  '/security/authfilters',
  '/security/authfilters/basic',
  '/security/filterchain',
  '/security/filterchain/rest',
  // Passwords do not change the keys.
  '/security/keystore',
  '/security/self',
  '/security/usergroupservices/club',
  '/workspaces/acme/coveragestores/ocean/coverages/watertemp/index',
];

/** After the change these resources are not available at this path, and the server returns the given status. */
const belongsElsewhere = new Map([
  ['/workspaces/default/featuretypes/places', 403],
  ['/styles/red', 404],
]);

interface View {
  readonly path: string;
  readonly format: string;
  readonly as: 'admin' | 'keeper';
}

const onlyInJson = new Set([
  '/search',
  '/webhooks',
  '/security/self',
  '/security/acl/data',
  '/security/acl/data/:dataRule',
  '/security/acl/explain',
]);
/** One view of so many is read in XML too. */
const XML_SAMPLE = 4;
/** Anyone can read it, so it does not show the number of changes. */
const withoutPosition = '/security/signin';
const inDocuments = ['json', 'xml'].flatMap((format) =>
  Object.entries(readablePaths)
    .filter(([route]) => route !== withoutPosition && (format === 'json' || !onlyInJson.has(route)))
    .flatMap(([, paths]) => paths)
    // The same reads are behind both formats: a sample shows that formatting reads nothing more.
    .filter((_, index) => format === 'json' || index % XML_SAMPLE === 0)
    .map((path): View => ({ path, format, as: 'admin' })),
);
/** Selected by an extension, which may also be part of a name. */
const byExtension = [
  '/layers/acme:places.html',
  '/layers/acme:places.json',
  '/workspaces/acme/featuretypes/places.html',
  '/workspaces/acme/datastores/shapes.html',
  '/workspaces/acme/coveragestores/relief.html',
  '/workspaces/acme/coverages/relief.html',
  '/layers/acme:relief.html',
  '/layergroups/base.html',
  '/layergroups/acme:near.json',
  '/.html',
  '/workspaces.html',
  '/workspaces/acme.html',
  '/styles/pinned.html',
  '/styles/pinned.sld',
  '/styles/pinned.zip',
  '/workspaces/acme/styles/local.png',
].map((path): View => ({ path, format: '*', as: 'admin' }));
const underRules = [
  '/workspaces',
  '/namespaces',
  '/layers',
  '/layers/acme:places',
  '/layers/places',
  '/layergroups/base',
  '/layergroups/acme:near',
  '/workspaces/default/datastores',
].map((path): View => ({ path, format: 'json', as: 'keeper' }));
/** Service documents, for a user who sees everything and for one with restricted access. */
const ofServices = [
  '/collections',
  '/collections?f=html',
  '/collections/acme:places',
  '/collections/acme:places/queryables',
].flatMap((path) =>
  (['admin', 'keeper'] as const).map((as): View => ({ path: `//geoserver/ogc/features/v1${path}`, format: '*', as })),
);
const views = [...inDocuments, ...byExtension, ...underRules, ...ofServices];

function titleOf({ path, format, as }: View): string {
  return `${path}${format === '*' ? '' : ` in ${format}`}${as === 'keeper' ? ' for a restricted user' : ''}`;
}

const putRoutes = new Set(everyRoute().flatMap(({ method, route }) => (method === 'PUT' ? [route.path] : [])));
const changeable = new Set(
  Object.entries(readablePaths).flatMap(([route, paths]) => (putRoutes.has(route) ? paths : [])),
);

describe('the response of a view', () => {
  let states: TwoStates;
  let afterRead: (() => Promise<void>) | undefined;
  /** Excludes background reads for webhooks from the reads of a response. */
  const asking = new AsyncLocalStorage<boolean>();
  /** The response of each view in each state, without concurrent changes. */
  const bodies = new Map<View, Map<StateName, string>>(views.map((view) => [view, new Map()]));
  beforeAll(async () => {
    states = await startWithTwoStates();
    for (let count = 0; count < 2; count += 1) {
      for (const view of views) {
        bodies.get(view)?.set(states.current(), shown(await get(view)));
      }
      await states.toggle();
    }
    betweenReads(states.server.server.storage, async () => {
      if (asking.getStore()) await afterRead?.();
    });
  });
  afterAll(() => states?.server.close());

  it('covers every readable route', () => {
    const readable = everyRoute().flatMap(({ method, route }) => (method === 'GET' ? [route.path] : []));

    expect(Object.keys(readablePaths).toSorted(), 'Add missing routes to test/support/readable-paths.ts.').toEqual(
      readable.toSorted(),
    );
  });

  it('differs between the states, unless the view contains nothing changeable', () => {
    const same = views.filter((view) => new Set(bodies.get(view)?.values()).size === 1);

    expect(new Set(same.map(({ path }) => path))).toEqual(new Set(alwaysTheSame));
    for (const [view, each] of bodies) {
      expect([...each.values()], titleOf(view)).toContainEqual(expect.stringMatching(/^200 /));
    }
  });

  it.each(views.map((view) => [titleOf(view), view] as const))('shows one state of %s', async (_title, view) => {
    const expected = bodies.get(view) ?? new Map<StateName, string>();
    const tags = new Map<string, string>();
    let isDone = false;

    for (let reads = 1; !isDone; reads += 1) {
      const before = states.current();
      const { reply, meanwhile } = await askWithChangeAfter(reads, view);
      isDone = states.current() === before;

      for (const each of meanwhile === undefined ? [reply] : [meanwhile, reply]) {
        expectOneState(each, expected, `with a change after read ${reads}`);
        expectSameBodyForSameTag(each, tags);
      }
      await expectNoStaleCopy(view, reply, expected);
      await expectNoLostUpdate(view, reply, expected);
    }
  });

  it('counts the records of one state', async () => {
    const metrics: View = { path: '//metrics', format: '*', as: 'admin' };
    const counts = new Map<StateName, string>();
    let isDone = false;

    for (let reads = 1; !isDone; reads += 1) {
      // The server counts them once after each change.
      await states.toggle();
      const { reply, meanwhile } = await askWithChangeAfter(reads, metrics);
      isDone = meanwhile === undefined;

      for (const { text } of meanwhile === undefined ? [reply] : [meanwhile, reply]) {
        const records = text.match(/^graticule_catalog_records.*$/gm)?.join('\n') ?? '';
        const position = Number(/^graticule_change_log_position (\d+)$/m.exec(text)?.[1]);
        const state = states.stateAt(position) ?? 'first';
        expect(records, `with a change after read ${reads}`).toBe(counts.get(state) ?? records);
        counts.set(state, records);
      }
    }
    expect(counts.get('first')).not.toBe(counts.get('second'));
  });

  function get({ path, format, as }: View, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const accept = format === '*' ? '*/*' : `application/${format}`;
    return states.server.get(path, { accept, headers, ...(as === 'keeper' ? { as: states.keeper } : {}) });
  }

  /** Sends a request; after the given number of reads, the other state is committed and read by another client. */
  async function askWithChangeAfter(reads: number, view: View): Promise<{ reply: Reply; meanwhile?: Reply }> {
    let left = reads;
    let meanwhile: Reply | undefined;
    afterRead = async () => {
      left -= 1;
      if (left > 0) return;
      afterRead = undefined;
      await states.toggle();
      meanwhile = await get(view);
    };
    const reply = await asking.run(true, () => get(view));
    afterRead = undefined;
    return meanwhile === undefined ? { reply } : { reply, meanwhile };
  }

  /** Status and body, without the change number if it is that of the response itself. */
  function shown({ status, bytes, headers }: Reply): string {
    const text = `${status} ${bytes.toString('latin1')}`;
    if (/^200 (?:<metrics>|{"metrics":)/.test(text)) return '200 and how the machine is, which changes when it likes';
    return text
      .replace(`, at change ${headers['graticule-position']}, pending writes: 0.`, ', at this change.')
      .replace(/(updateSequence"?[:>])\d+/, '$1 the change that set them');
  }

  function expectOneState(reply: Reply, expected: ReadonlyMap<StateName, string>, when: string): void {
    const state = states.stateAt(Number(reply.headers['graticule-position']));

    expect([...expected.values()], when).toContain(shown(reply));
    expect(shown(reply), `${when}, in the state of its position`).toBe(state && expected.get(state));
  }

  function expectSameBodyForSameTag(reply: Reply, tags: Map<string, string>): void {
    const { etag } = reply.headers;
    if (etag !== undefined) {
      expect(shown(reply)).toBe(tags.get(etag) ?? shown(reply));
      tags.set(etag, shown(reply));
    }
  }

  /** The server must not answer 304 for a state that has changed. */
  async function expectNoStaleCopy(view: View, reply: Reply, expected: ReadonlyMap<StateName, string>): Promise<void> {
    const { etag } = reply.headers;
    if (etag === undefined) return;
    const now = await get(view, { 'if-none-match': etag });

    expect(now.status === 304 ? shown(reply) : shown(now)).toBe(expected.get(states.current()));
  }

  /** A client that has read the earlier state must not change the later one. */
  async function expectNoLostUpdate(view: View, reply: Reply, expected: ReadonlyMap<StateName, string>): Promise<void> {
    const { path, format } = view;
    const { etag } = reply.headers;
    const isOld = shown(reply) !== expected.get(states.current());
    if (etag === undefined || !isOld || !changeable.has(path)) return;
    const body = path === '/security/masterpw' ? passwordChange() : reply.text;
    const type = body === reply.text ? format : 'json';
    const refused = await states.server.request('PUT', path, { body, type, headers: { 'if-match': etag } });

    expect([refused.status, refused.text]).toEqual([belongsElsewhere.get(path) ?? 412, expect.anything()]);
  }

  function passwordChange(): string {
    const oldMasterPassword = states.keystorePasswords[states.current()];
    return JSON.stringify({ oldMasterPassword, newMasterPassword: 'One-more-keystore-password-2' });
  }
});
