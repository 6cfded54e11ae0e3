/** A change as a document: who did what, and what became of each resource. */
import { resourceKinds } from '../catalog/resources/resource-kinds.ts';
import { storeKinds } from '../catalog/stores/store-kinds.ts';
import type { SessionChange } from '../records/session.ts';
import type { ChangedState, ChangeItem, RecordReader } from '../storage/port.ts';

/** Where a record stands: its kind and name, after those of what it lives in. */
type Place = readonly { readonly kind: string; readonly name: string }[];

/** `records` finds what the records of the change live in. */
export async function changeDocument(change: SessionChange, records: Pick<RecordReader, 'get'>): Promise<object> {
  const { sequence, atMs, who, what } = change;
  const known = new Map(change.items.map((item) => [item.id, { kind: item.kind, state: item.after ?? item.before }]));

  async function placeOf(kind: string, state: ChangedState): Promise<Place> {
    const here = { kind, name: state.name };
    if (state.parent === null) {
      return [here];
    }
    const changed = known.get(state.parent);
    const stored = changed === undefined ? await records.get(state.parent) : undefined;
    const parent = changed?.state ?? stored;
    const parentKind = changed?.kind ?? stored?.kind;
    return parent == null || parentKind === undefined ? [here] : [...(await placeOf(parentKind, parent)), here];
  }

  const items: object[] = [];
  for (const item of change.items) {
    const state = item.after ?? item.before;
    items.push({
      kind: item.kind,
      id: item.id,
      path: state === null ? null : addressOf(await placeOf(item.kind, state)),
      action: actionOf(item),
      before: fieldsOf(item.before),
      after: fieldsOf(item.after),
    });
  }
  const at = atMs === null ? null : new Date(atMs).toISOString();
  return { sequence, at, who, what, undoes: null, items };
}

function actionOf({ before, after }: ChangeItem): 'create' | 'update' | 'delete' {
  return before === null ? 'create' : after === null ? 'delete' : 'update';
}

function fieldsOf(state: ChangedState | null): object | null {
  return state && { name: state.name, ...state.body };
}

/** Where it is read, without an extension; null for records that have no address of their own. */
function addressOf(place: Place): string | null {
  const segments = segmentsOf(place);
  return segments && `/${segments.map(encodeURIComponent).join('/')}`;
}

function segmentsOf(place: Place): readonly string[] | null {
  const kinds = place.map(({ kind }) => kind);
  const [first = '', second = '', third = ''] = place.map(({ name }) => name);
  switch (kinds.join('/')) {
    case 'workspace':
      return ['workspaces', first];
    case 'style':
      return ['styles', first];
    case 'workspace/style':
      return ['workspaces', first, 'styles', second];
    case 'urlCheck':
      return ['urlchecks', first];
    case 'authProvider':
      return ['security', 'authproviders', first];
    case 'userGroupService':
      return ['security', 'usergroupservices', first];
  }
  const store = storeKinds.find(({ kind }) => kind === kinds[1]);
  if (kinds[0] !== 'workspace' || store === undefined) {
    return null;
  }
  const storeSegments = ['workspaces', first, store.collection, second];
  const resource = resourceKinds.find(({ kind }) => kind === kinds[2]);
  if (kinds.length === 2) {
    return storeSegments;
  }
  if (resource === undefined) {
    return null;
  }
  const isLayer = kinds.length === 4 && kinds[3] === 'layer';
  const name = place.at(-1)?.name ?? '';
  return isLayer ? ['workspaces', first, 'layers', name] : [...storeSegments, resource.collection, third];
}
