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

describe('rules that are read before the document has ended', () => {
  test.each(declaring)('are those that are read after it: %s', (_, text) => {
    // A version that is only near tells nothing until the whole was looked at.
    const later = readSld(text.replace(/version="(1\.[01])\.0"/, 'version="$1"'));

    const { version, model } = readSld(text);

    expect({ version, model }).toEqual({ version: later.version, model: later.model });
    expect(later.warnings).toHaveLength(1);
  });

  test('leave the places of what is wrong in the others as they were', () => {
    const text = style(rule(line) + rule(line.replace('#ff0000', 'reddish')) + rule(line));

    expect(complaintsOf(text)).toEqual([
      [
        'StyledLayerDescriptor/NamedLayer/UserStyle/FeatureTypeStyle/Rule[2]/LineSymbolizer/Stroke/CssParameter',
        expect.stringContaining("'reddish'"),
      ],
    ]);
  });

  test('are told of where they stand in something else that is wrong', () => {
    const text = style(rule(line)).replaceAll('UserStyle>', 'UserStile>');

    expect(complaintsOf(text)).toEqual([
      ['StyledLayerDescriptor/NamedLayer/UserStile', expect.stringContaining('UserStile')],
    ]);
  });

  test('warn of what was forgiven in them, in their order', () => {
    const text = style(rule(line) + rule(line).replaceAll('Stroke>', 'stroke>') + rule(line));

    const { model, warnings } = readSld(text);

    expect(warnings).toEqual([expect.stringContaining("'stroke' is read as 'Stroke'")]);
    expect(JSON.stringify(model).match(/ff0000/g)).toHaveLength(3);
  });

  test('are forgiven nothing in strict handling', () => {
    const text = style(rule(line).replaceAll('Stroke>', 'stroke>'));

    expect(() => readSld(text, { strict: true })).toThrow(Problem);
  });
});

function complaintsOf(text: string): readonly (readonly [string, string])[] {
  try {
    readSld(text);
  } catch (error) {
    if (error instanceof Problem) return (error.details.complaints ?? []).map(({ field, message }) => [field, message]);
  }
  throw new Error('Nothing was complained of.');
}
