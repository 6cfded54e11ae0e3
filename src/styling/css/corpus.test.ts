import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compactJson } from '../../../test/support/compact-json.ts';
import { lossesIn } from '../../../test/support/styles.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { readSld } from '../sld/reader.ts';
import { writeSld } from '../sld/writer.ts';
import { readCss } from './reader.ts';

const corpus = new URL('../../../test/styles/css/', import.meta.url);

function documentsIn(folder: string): readonly (readonly [string, string])[] {
  const directory = new URL(`${folder}/`, corpus);
  return readdirSync(directory)
    .filter((name) => name.endsWith('.css'))
    .map((name) => [name.replace(/\.css$/, ''), readFileSync(new URL(name, directory), 'utf8')] as const);
}

const accepted = documentsIn('accepted');
const broken = documentsIn('broken');
const forgiven = documentsIn('forgiven');

test('the corpus has the required size', () => {
  expect(accepted.length).toBeGreaterThanOrEqual(35);
  expect(broken.length).toBeGreaterThanOrEqual(30);
});

describe('valid style sheet', () => {
  test.each(accepted)('%s has the expected translation', async (name, text) => {
    const { model } = readCss(text);

    await expect(`${compactJson(model)}\n`).toMatchFileSnapshot(new URL(`accepted/${name}.golden`, corpus).pathname);
  });

  test.each(accepted)('%s is unchanged after a round trip through both versions of SLD', (_, text) => {
    const { model } = readCss(text);

    expect(lossesIn(model, '1.0.0')).toEqual([]);
    expect(readSld(writeSld(model, '1.0.0')).model).toEqual(model);
    expect(readSld(writeSld(model, '1.1.0')).model).toEqual(model);
  });
});

describe('style sheet with tolerable deviations', () => {
  test.each(forgiven)('%s has the expected translation, with a warning for each position', async (name, text) => {
    const { model, warnings } = readCss(text);

    expect(warnings.map((warning) => warning.replace(/, column \d+/, ''))).toEqual(
      markersIn(text, '?').map(([line, message]) => `Line ${line}: ${message}.`),
    );
    await expect(`${compactJson(model)}\n`).toMatchFileSnapshot(new URL(`forgiven/${name}.golden`, corpus).pathname);
  });

  test.each(forgiven)('%s is rejected in strict handling, for the same positions', (_, text) => {
    const places = complaintsOf(text, true).map(([line]) => line);

    expect(places).toEqual(markersIn(text, '?').map(([line]) => line));
  });
});

describe('invalid style sheet', () => {
  test.each(broken)('%s is rejected with every error on its line', (_, text) => {
    expect(complaintsOf(text)).toEqual(
      markersIn(text, '!').map(([line, message]) => [line, expect.stringContaining(message)]),
    );
  });

  test('lists all ten errors with their positions', () => {
    const [, text = ''] = broken.find(([name]) => name === 'ten-errors') ?? [];

    const problem = problemOf(text);

    expect(problem.status).toBe(400);
    expect(problem.details['language']).toBe('CSS');
    expect(problem.details['count']).toBe(10);
    expect(problem.details.complaints?.map(({ field }) => field)).toEqual([
      '@mood',
      '[pop >> 10]',
      'rule',
      'fill',
      'stroke-widht',
      'stroke-opacity',
      ':marc',
      'size',
      'label',
      'font-weight',
    ]);
  });
});

/**
 * Returns the expected messages from comments in the style sheets, on the line of each error: errors after `!`,
 * warnings after `?`.
 */
function markersIn(text: string, mark: '!' | '?'): readonly (readonly [number, string])[] {
  const marker = mark === '!' ? /\/\*! (.*?) \*\//g : /\/\*\? (.*?) \*\//g;
  return text
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(marker)].map(([, message = '']) => [index + 1, message] as const));
}

function complaintsOf(text: string, strict = false): readonly (readonly [number, string])[] {
  const { code, details } = problemOf(text, strict);
  expect(code).toBe('style-invalid');
  return (details.complaints ?? []).map(({ message }) => {
    const [, line, sentence = ''] = /^line (\d+), column \d+: (.*)$/s.exec(message) ?? [];
    return [Number(line), sentence];
  });
}

function problemOf(text: string, strict = false): Problem {
  try {
    readCss(text, { strict });
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('The style sheet was accepted.');
}
