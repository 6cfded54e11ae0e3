/** The log check must detect problems: a check that reports nothing would let every test pass. */
import { expect, test } from 'vitest';
import { readLog, unexpectedLines } from './log-lines.ts';

const info = '{"level":30,"time":"2026-01-01T00:00:00.000Z","msg":"listening"}';
const warning = '{"level":40,"time":"2026-01-01T00:00:00.000Z","msg":"slow"}';

test('an info line in JSON or text is expected', () => {
  expect(unexpectedLines(`${info}\n12:00:00.000 INFO  listening\n`, [])).toEqual([]);
});

test.each([
  ['a warning', warning],
  ['an error in text', '12:00:00.000 ERROR unexpected failure'],
  ['a line of a stack trace', '    at main (src/main.ts:1:1)'],
  ['a Node.js warning', '(node:1) ExperimentalWarning: this may change'],
  ['an error hidden in an info line', '{"level":30,"msg":"oops","err":{"stack":"Error: oops"}}'],
])('%s is unexpected', (_what, line) => {
  expect(unexpectedLines(`${info}\n${line}\n`, [])).toEqual([line]);
});

test('a line that the test announces is expected', () => {
  expect(unexpectedLines(`${warning}\n`, [/"msg":"slow"/])).toEqual([]);
});

test('an incomplete line at the end is ignored', () => {
  expect(unexpectedLines(`${info}\n{"level":50,"ms`, [])).toEqual([]);
});

test('the log is parsed line by line', () => {
  expect(readLog(`${info}\nnot a line\n${warning}\n`).map((line) => line.msg)).toEqual(['listening', 'slow']);
});
