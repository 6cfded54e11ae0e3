import { expect, test } from 'vitest';
import { getGrammar } from '../sld/grammar/grammars.ts';
import { ignoredElements } from './ignored-elements.ts';

test('all ignored elements are elements of SLD', () => {
  const known = new Set([...getGrammar('1.0.0').keys(), ...getGrammar('1.1.0').keys()]);

  expect(Object.keys(ignoredElements).filter((name) => !known.has(name))).toEqual([]);
});
