import { expect, it } from 'vitest';
import { countTurns } from '../../../../../test/support/count-turns.ts';
import type { PublishedType } from '../../../access/published-type.ts';
import type { FeaturesContext } from './features-context.ts';
import { loadTimeExtents } from './time-extent.ts';

const COUNT = 500;

function typeOf(name: string): PublishedType {
  const record = { id: name, version: 1 };
  return {
    qualifiedName: name,
    attributes: [{ kind: 'value', name: 'seen', type: 'date', nillable: true }],
    records: { store: record, layer: record, type: { ...record, metadata: {} } },
  } as unknown as PublishedType;
}

it('checks access to few of many collections and yields to other requests', async () => {
  const asked: string[] = [];
  const visit = {
    featureAccess: {
      find: async (name: string) => {
        asked.push(name);
        return {};
      },
    },
    // The source never responds.
    call: { services: { vectorData: { hold: () => new Promise(() => undefined) } } },
    now: () => new Date(0),
    extentTimes: { patienceMs: 1, budgetMs: 1 },
  } as unknown as FeaturesContext;
  const types = Array.from({ length: COUNT }, (_, index) => typeOf(`type-${index}`));

  const turns = await countTurns(() => loadTimeExtents(visit, types));

  expect(asked).toEqual(['type-0', 'type-1', 'type-2', 'type-3']);
  expect(turns).toBeGreaterThan(COUNT / 10);
});
