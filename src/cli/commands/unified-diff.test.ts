import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatUnifiedDiff } from './unified-diff.ts';

const numbers = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`);

it('prints the changed lines with three lines of context', () => {
  const changed = numbers.map((line) => (line === 'line 6' ? 'line six' : line));

  expect(formatUnifiedDiff(numbers.join('\n'), changed.join('\n'))).toEqual([
    '--- before',
    '+++ after',
    '@@ -3,7 +3,7 @@',
    ' line 3',
    ' line 4',
    ' line 5',
    '-line 6',
    '+line six',
    ' line 7',
    ' line 8',
    ' line 9',
  ]);
});

it('separates distant differences and joins near ones', () => {
  const [first, ...others] = numbers;
  const near = [first, 'new', ...others].filter((line) => line !== 'line 4');
  const distant = ['new', ...numbers, 'last'];
  const listHunks = (lines: readonly (string | undefined)[]) =>
    formatUnifiedDiff(numbers.join('\n'), lines.join('\n')).filter((line) => line.startsWith('@@'));

  expect(listHunks(near)).toEqual(['@@ -1,7 +1,7 @@']);
  expect(listHunks(distant)).toEqual(['@@ -1,3 +1,4 @@', '@@ -10,3 +11,4 @@']);
});

it('splits a long line between elements, and masks control characters', () => {
  const rules = Array.from({ length: 60 }, (_, index) => `<Rule>${index}</Rule>`).join('');

  const printed = formatUnifiedDiff(rules, rules.replace('>30<', '>\u001b[31m30<'));

  expect(printed).toContain('-<Rule>30</Rule>');
  expect(printed).toContain('+<Rule>\ufffd[31m30</Rule>');
  expect(printed.join('\n').length).toBeLessThan(300);
});

it('contains every removed and added line, whatever the texts are', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const printed = formatUnifiedDiff(before.join('\n'), after.join('\n')).slice(2);
      const rest = [...before.join('\n').split('\n')];
      const result: string[] = [];
      for (const line of printed) {
        const position = /^@@ -(\d+)/.exec(line)?.[1];
        if (position !== undefined) {
          const passed = before.join('\n').split('\n').length - rest.length;
          result.push(...rest.splice(0, Number(position) - 1 - passed));
        } else if (line.startsWith('+')) result.push(line.slice(1));
        else {
          const next = rest.shift();
          expect(next).toBe(line.slice(1));
          if (line.startsWith(' ')) result.push(line.slice(1));
        }
      }
      expect([...result, ...rest].join('\n')).toBe(after.join('\n'));
    }),
  );
});
