import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ChangeItem } from '../../storage/port/port.ts';
import { buildChangeDocument } from './change-document.ts';

const nobodyStored = { get: async () => undefined };

function changeOf(...items: readonly ChangeItem[]) {
  return { sequence: 7, atMs: 0, who: 'ann', what: 'something', items };
}

const item = (kind: string, id: string, before: ChangeItem['before'], after: ChangeItem['after']): ChangeItem => ({
  kind,
  id,
  before,
  after,
});
const standing = (parent: string | null, name: string) => ({ parent, name, body: {} });

async function shown(...asked: Parameters<typeof buildChangeDocument>): Promise<object> {
  const { head, items } = await buildChangeDocument(...asked);
  const all: object[] = [];
  for await (const each of items) {
    all.push(each);
  }
  return { ...head, items: all };
}

describe('change document', () => {
  it('has no path for a record whose parent has since been deleted', async () => {
    const change = changeOf(item('style', 's', null, standing('gone', 'roads')));

    const document = await shown(change, nobodyStored);

    expect(document).toMatchObject({ items: [{ kind: 'style', path: null }] });
  });

  it('returns the paths at the time of the request, however long its items take to send', async () => {
    const stored = new Map([['w', { kind: 'workspace', parent: null, name: 'acme' }]]);
    const records = { get: async (id: string) => stored.get(id) as never };
    const change = changeOf(item('style', 's', null, standing('w', 'roads')));

    const { items } = await buildChangeDocument(change, records);
    stored.clear();

    expect((await items[Symbol.asyncIterator]().next()).value).toMatchObject({ path: '/workspaces/acme/styles/roads' });
  });

  it.each([
    ['all', undefined],
    ['nothing', () => false],
  ])('yields to other requests while it is built, also for a user who can see %s', async (_what, administers) => {
    const items = Array.from({ length: 10_000 }, (_, index) => item('style', `s${index}`, null, standing(null, 'a')));
    let turns = 0;
    let isMade = false;

    const made = shown(changeOf(...items), nobodyStored, administers).then(() => {
      isMade = true;
    });
    while (!isMade) {
      await nextTurn();
      turns += 1;
    }
    await made;

    expect(turns).toBeGreaterThan(10);
  });

  it('hides records from a workspace administrator when their former location is unknown', async () => {
    const change = changeOf(item('style', 's', null, standing('gone', 'roads')));

    const document = await shown(change, nobodyStored, () => true);

    expect(document).toMatchObject({ items: [] });
  });

  it('shows a workspace administrator the records that stayed in the workspace, under its former name', async () => {
    const change = changeOf(
      item('workspace', 'w', standing(null, 'acme'), standing(null, 'renamed')),
      item('style', 'kept', standing('w', 'roads'), standing('w', 'streets')),
      item('style', 'moved out', standing('w', 'rivers'), standing(null, 'rivers')),
      item('style', 'moved in', standing(null, 'lakes'), standing('w', 'lakes')),
      item('accessRule', 'r', standing(null, 'acme.*.r'), standing(null, 'renamed.*.r')),
    );

    const document = await shown(change, nobodyStored, (workspace) => workspace === 'acme');

    expect(document).toMatchObject({
      items: [
        { id: 'w', path: '/workspaces/renamed' },
        { id: 'kept', path: '/workspaces/renamed/styles/streets' },
      ],
    });
  });
});
