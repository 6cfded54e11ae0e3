import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Problem } from '../../lib/problems/problem.ts';
import { readSld } from './reader.ts';

const corpus = new URL('../../../test/styles/sld/accepted/', import.meta.url);
const declaring = readdirSync(corpus)
  .filter((name) => name.endsWith('.sld'))
  .map((name) => [name, readFileSync(new URL(name, corpus), 'utf8')] as const)
  .filter(([, text]) => /version="1\.[01]\.0"/.test(text));

const rule = (inside: string) => `<Rule><Name>r</Name>${inside}</Rule>`;
const line = '<LineSymbolizer><Stroke><CssParameter name="stroke">#ff0000</CssParameter></Stroke></LineSymbolizer>';
const style = (rules: string) =>
  `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"><NamedLayer><Name>n</Name><UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;

describe('rules that are read before the end of the document', () => {
  test.each(declaring)('equal those that are read afterwards: %s', (_, text) => {
    // An approximate version delays reading until the whole document is known.
    const later = readSld(text.replace(/version="(1\.[01])\.0"/, 'version="$1"'));

    const { version, model } = readSld(text);

    expect({ version, model }).toEqual({ version: later.version, model: later.model });
    expect(later.warnings).toHaveLength(1);
  });

  test('do not affect the positions of errors in other rules', () => {
    const text = style(rule(line) + rule(line.replace('#ff0000', 'reddish')) + rule(line));

    expect(complaintsOf(text)).toEqual([
      [
        'StyledLayerDescriptor/NamedLayer/UserStyle/FeatureTypeStyle/Rule[2]/LineSymbolizer/Stroke/CssParameter',
        expect.stringContaining("'reddish'"),
      ],
    ]);
  });

  test('do not hide errors of the elements around them', () => {
    const text = style(rule(line)).replaceAll('UserStyle>', 'UserStile>');

    expect(complaintsOf(text)).toEqual([
      ['StyledLayerDescriptor/NamedLayer/UserStile', expect.stringContaining('UserStile')],
    ]);
  });

  test('report tolerated deviations in order', () => {
    const text = style(rule(line) + rule(line).replaceAll('Stroke>', 'stroke>') + rule(line));

    const { model, warnings } = readSld(text);

    expect(warnings).toEqual([expect.stringContaining("'stroke' is read as 'Stroke'")]);
    expect(JSON.stringify(model).match(/ff0000/g)).toHaveLength(3);
  });

  test('are rejected for deviations in strict handling', () => {
    const text = style(rule(line).replaceAll('Stroke>', 'stroke>'));

    expect(() => readSld(text, { strict: true })).toThrow(Problem);
  });
});

function complaintsOf(text: string): readonly (readonly [string, string])[] {
  try {
    readSld(text, { strict: true });
  } catch (error) {
    if (error instanceof Problem) return (error.details.complaints ?? []).map(({ field, message }) => [field, message]);
  }
  throw new Error('No error was reported.');
}
