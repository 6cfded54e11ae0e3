import { describe, expect, it } from 'vitest';
import type { ChangeItem } from '../storage/port.ts';
import { changeDocument } from './change-document.ts';

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

describe('the document of a change', () => {
  it('gives no address to what lived in something that is gone since', async () => {
    const change = changeOf(item('style', 's', null, standing('gone', 'roads')));

    const document = await changeDocument(change, nobodyStored);

    expect(document).toMatchObject({ items: [{ kind: 'style', path: null }] });
  });

  it('shows the administrator of a workspace nothing of which nobody knows any more where it was', async () => {
    const change = changeOf(item('style', 's', null, standing('gone', 'roads')));

    const document = await changeDocument(change, nobodyStored, () => true);

    expect(document).toMatchObject({ items: [] });
  });

  it('shows the administrator of a workspace what stayed in it, by the name that the workspace had', async () => {
    const change = changeOf(
      item('workspace', 'w', standing(null, 'acme'), standing(null, 'renamed')),
      item('style', 'kept', standing('w', 'roads'), standing('w', 'streets')),
      item('style', 'moved out', standing('w', 'rivers'), standing(null, 'rivers')),
      item('style', 'moved in', standing(null, 'lakes'), standing('w', 'lakes')),
      item('accessRule', 'r', standing(null, 'acme.*.r'), standing(null, 'renamed.*.r')),
    );

    const document = await changeDocument(change, nobodyStored, (workspace) => workspace === 'acme');

    expect(document).toMatchObject({
      items: [
        { id: 'w', path: '/workspaces/renamed' },
        { id: 'kept', path: '/workspaces/renamed/styles/streets' },
      ],
    });
  });
});
