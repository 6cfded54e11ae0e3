import { expect, test } from 'vitest';
import { excerpt } from './excerpt.ts';

test('returns a short text unchanged', () => {
  expect(excerpt('workspace')).toBe('workspace');
});

test('truncates a long text', () => {
  expect(excerpt('x'.repeat(1000))).toBe(`${'x'.repeat(40)}…`);
});

test('does not split a surrogate pair', () => {
  expect(excerpt(`${'x'.repeat(39)}😀😀`).isWellFormed()).toBe(true);
});
