import { expect, test } from 'vitest';
import { compilePredicate } from './predicate.ts';

test('long integers that are text are compared exactly', async () => {
  const matches = await compilePredicate<string>(
    {
      kind: 'comparison',
      operator: 'lessOrEqual',
      left: { kind: 'constant', type: 'number', value: 9007199254740993n },
      right: { kind: 'attribute', type: 'number', name: 'pop' },
    },
    { value: (row) => row, identifier: () => '' },
  );
  const texts = ['9007199254740992', '9007199254740993', '-9007199254740993', '9.1e15', '1', ''];

  expect(texts.filter((text) => matches(text))).toEqual(['9007199254740993', '9.1e15']);
});
