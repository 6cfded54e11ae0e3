import { expect, test } from 'vitest';
import { problem } from './problem.ts';

test('a message that ends with a question has no full stop after it', () => {
  const message = (reason: string) => problem('data-rule-invalid', { field: 'rows', reason }).message;

  expect(message("did you mean 'name'?")).toBe("Invalid 'rows': did you mean 'name'?");
  expect(message('it is empty')).toBe("Invalid 'rows': it is empty.");
});
