import { expect, it } from 'vitest';
import { countTurns } from '../../../test/support/count-turns.ts';
import { RestoreConflict } from '../../records/restore-records.ts';
import { serverPrincipal } from '../../security/core/administrator.ts';
import type { ChangeEntry } from '../../storage/port/port.ts';
import { checkReferences } from './check-references.ts';
import { type UndoServices, undoChange } from './undo.ts';

const COUNT = 500;
const state = (name: string) => ({ parent: null, name, body: {} });

function entryOf(side: 'before' | 'after'): ChangeEntry {
  const items = Array.from({ length: COUNT }, (_, index) => ({
    kind: 'thing',
    id: `thing-${index}`,
    before: side === 'before' ? state(`thing-${index}`) : null,
    after: side === 'after' ? state(`thing-${index}`) : null,
  }));
  return { sequence: 1, atMs: 0, who: 'admin', what: 'test', items };
}

/** Creates services that pass the work of the change to a test, with records that differ from the change. */
function servicesWith(change: (work: () => Promise<unknown>) => Promise<unknown>): UndoServices {
  const transaction = { stored: { get: async (id: string) => ({ id, ...state('renamed') }) } };
  return {
    catalog: {
      log: { findCreationTime: async () => 0 },
      change: (_principal: unknown, _what: string, work: (given: unknown) => Promise<unknown>) =>
        change(() => work(transaction)),
    },
    recordKinds: new Map(),
  } as unknown as UndoServices;
}

it('yields to other requests while an undo looks up the previous states of many deleted records', async () => {
  const services = servicesWith(async () => undefined);

  const turns = await countTurns(() => undoChange(services, serverPrincipal, entryOf('before')));

  expect(turns).toBeGreaterThan(COUNT / 10);
});

it('yields to other requests while an undo compares many records with the states after the change', async () => {
  let turns = 0;
  const services = servicesWith(async (work) => {
    turns = await countTurns(() => expect(work()).rejects.toBeInstanceOf(RestoreConflict));
  });

  await undoChange(services, serverPrincipal, entryOf('after'));

  expect(turns).toBeGreaterThan(COUNT / 10);
});

it('yields to other requests while references to many records are checked', async () => {
  const formers = entryOf('before').items.map(({ kind, id, before }) => ({ kind, id, state: before, createdAtMs: 0 }));
  const transaction = { stored: { get: async () => undefined } };

  const turns = await countTurns(() => checkReferences(transaction as never, formers));

  expect(turns).toBeGreaterThan(COUNT / 10);
});
