import { expect, test } from 'vitest';
import { excerpt } from './excerpt.ts';

test('a short text is quoted whole', () => {
  expect(excerpt('workspace')).toBe('workspace');
});

test('a long text is cut', () => {
  expect(excerpt('x'.repeat(1000))).toBe(`${'x'.repeat(40)}…`);
});

test('a cut never leaves half a character behind', () => {
  expect(excerpt(`${'x'.repeat(39)}😀😀`).isWellFormed()).toBe(true);
});
