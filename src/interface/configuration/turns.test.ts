import { expect, it } from 'vitest';
import { countTurns } from '../../../test/support/count-turns.ts';
import { applyPlan } from './apply/apply-plan.ts';
import { DataFailures } from './apply/data-failures.ts';
import { createPlan, type Plan } from './apply/plan.ts';
import type { Step } from './apply/step.ts';
import { filterCooperatively, joinCooperatively } from './document/cooperative-lists.ts';
import { createScope } from './document/scope.ts';
import { TextBuffer } from './document/text-buffer.ts';
import type { ConfigurationKind } from './model/kind.ts';

const COUNT = 500;
const numbers = Array.from({ length: COUNT }, (_, index) => index);

/** A kind without resources that nothing creates. */
const row = {
  kind: 'thing',
  patterns: ['/things/:name'],
  fieldNames: [],
  defaults: {},
  create: () => [],
  every: async function* () {
    yield [];
  },
} as unknown as ConfigurationKind;

it('yields to other requests before and after the steps of a large apply', async () => {
  const steps = numbers.map((index): Step => {
    const path = `/things/${index}`;
    const address = { path, pattern: '/things/:name', names: {} };
    return { action: 'create', row, path, address, wanted: { ...address, fields: {} }, mayContain: () => false };
  });
  const plan: Plan = { mode: 'merge', hash: '', steps, summary: { create: COUNT, update: 0, delete: 0, unchanged: 0 } };
  const document = { message: null, scope: [], kinds: [], resources: new Map(), deletions: new Map(), unfitFields: [] };
  const services = { catalog: { everyWritten: async function* () {} } };
  const dataFailures = new DataFailures('reject');
  const applying = { services, files: new Map(), dataFailures } as unknown as Parameters<typeof applyPlan>[0];

  const turns = await countTurns(() =>
    applyPlan(
      applying,
      { kinds: [row], document, texts: new TextBuffer(), mode: 'merge', scope: createScope([], []) },
      plan,
    ),
  );

  // For the selection of steps, the checks before them, and the remaining differences.
  expect(turns).toBeGreaterThan((3 * COUNT) / 10);
});

it('yields to other requests while a large document is compared with its scope', async () => {
  const resources = new Map(numbers.map((index) => [`/things/${index}`, { row, path: `/things/${index}` }]));
  const document = { message: null, scope: [], kinds: [], resources, deletions: new Map(), unfitFields: [] };
  const scope = createScope(['/others'], []);

  const turns = await countTurns(() =>
    expect(
      createPlan([row], { resources: [], hash: '' }, document as never, { mode: 'merge', secrets: 'done', scope }),
    ).rejects.toMatchObject({ code: 'outside-scope' }),
  );

  expect(turns).toBeGreaterThan(COUNT / 10);
});

it('filters and formats long lists in order while yielding to other requests', async () => {
  let even: readonly number[] = [];
  let text = '';

  const filtering = await countTurns(async () => {
    even = await filterCooperatively(numbers, (number) => number % 2 === 0);
  });
  const printing = await countTurns(async () => {
    text = await joinCooperatively(numbers, String);
  });

  expect(even).toEqual(numbers.filter((number) => number % 2 === 0));
  expect(text).toBe(numbers.join(','));
  expect(Math.min(filtering, printing)).toBeGreaterThan(COUNT / 10);
});
