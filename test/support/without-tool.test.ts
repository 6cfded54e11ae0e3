import { describe, expect, test } from 'vitest';
import { isContinuousIntegration } from './continuous-integration.ts';
import type { Tool } from './tools.ts';
import { judgeTests } from './without-tool.ts';

const tool = (path: string | undefined): Tool => ({
  title: 'Sextant',
  purpose: 'finding the way',
  neededBy: ['test/stars'],
  find: () => path,
  packages: () => [],
  byHand: 'buy one',
});

describe('tests that need a tool', () => {
  test.each([true, false])('tests run when the tool is installed (CI: %s)', (continuousIntegration) => {
    expect(judgeTests(tool('/usr/bin/sextant'), continuousIntegration)).toEqual({ kind: 'run' });
  });

  test('tests are skipped with the reason and the remedy when the tool is missing', () => {
    expect(judgeTests(tool(undefined), false)).toEqual({
      kind: 'skip',
      reason: 'Sextant is missing; to get it: buy one',
    });
  });

  test('tests fail in CI when the tool is missing', () => {
    expect(judgeTests(tool(undefined), true)).toEqual({
      kind: 'fail',
      reason: 'Sextant is missing; to get it: buy one',
    });
  });

  test.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['', false],
    [undefined, false],
  ])('CI=%s is treated as CI: %s', (value, expected) => {
    expect(isContinuousIntegration(value === undefined ? {} : { CI: value })).toBe(expected);
  });
});
