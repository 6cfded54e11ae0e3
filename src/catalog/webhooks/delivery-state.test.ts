import { expect, test } from 'vitest';
import { notesInMemory } from '../../../test/support/notes-in-memory.ts';
import { openDeliveryStates } from './delivery-state.ts';

const state = (reached: number) => ({ position: reached, reached, failure: null, deliveries: [] });

test('never moves the position of a webhook backwards', async () => {
  const log = { createdBy: async () => 3, lastChangeOf: async () => undefined };
  const states = openDeliveryStates(notesInMemory(), log as unknown as Parameters<typeof openDeliveryStates>[1]);
  const webhook = { id: 'webhook-1' };

  const saved = [];
  for (const reached of [5, 5, 4, 6]) saved.push(await states.save(webhook, state(reached)));

  expect(saved).toEqual([true, true, false, true]);
  expect(await states.load(webhook)).toEqual(state(6));
});
