/** Wraps single symbolizers into SLD documents, and extracts them. */
import { describe, expect, test } from 'vitest';
import type { Symbolizer } from '../../src/styling/model/model.ts';
import type { SldVersion } from '../../src/styling/sld/document/sld-version.ts';
import { readSld } from '../../src/styling/sld/reader.ts';
import { writeSld } from '../../src/styling/sld/writer.ts';

/** For these symbolizers, the two versions differ only in prefixes and two names. */
function inSymbologyEncoding(older: string): string {
  return older
    .replaceAll('CssParameter', 'SvgParameter')
    .replace(/<OverlapBehavior>\s*<(\w+)\/>\s*<\/OverlapBehavior>/, '<OverlapBehavior>$1</OverlapBehavior>')
    .replace(/<(\/?)(?=[A-Z])/g, '<$1se:');
}

export function documentWith(symbolizer: string, version: SldVersion): string {
  const prefix = version === '1.0.0' ? '' : 'se:';
  return `<StyledLayerDescriptor version="${version}" xmlns="http://www.opengis.net/sld"
      xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
    <NamedLayer><${prefix}Name>a</${prefix}Name><UserStyle><${prefix}FeatureTypeStyle><${prefix}Rule>
    ${symbolizer}
    </${prefix}Rule></${prefix}FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
}

export function symbolizersIn(document: string): readonly Symbolizer[] {
  const [layer] = readSld(document).model.layers;
  const [style] = layer?.styles ?? [];
  return style?.kind === 'userStyle' ? (style.featureTypeStyles[0]?.rules[0]?.symbolizers ?? []) : [];
}

export function writtenWith(symbolizer: Symbolizer, version: SldVersion): string {
  const text = writeSld(
    {
      kind: 'styledLayerDescriptor',
      layers: [
        {
          kind: 'namedLayer',
          name: 'a',
          styles: [
            {
              kind: 'userStyle',
              featureTypeStyles: [{ kind: 'featureTypeStyle', rules: [{ kind: 'rule', symbolizers: [symbolizer] }] }],
            },
          ],
        },
      ],
    },
    version,
  );
  const rule = /<(?:se:)?Rule>\n(.*?)\n *<\/(?:se:)?Rule>/s.exec(text)?.[1] ?? '';
  const indent = rule.length - rule.trimStart().length;
  return rule
    .split('\n')
    .map((line) => line.slice(indent))
    .join('\n');
}

/** Each symbolizer in the model and in SLD 1.0.0; both versions are parsed and written back. */
export function describeSymbolizers(rows: readonly (readonly [what: string, Symbolizer, older: string])[]): void {
  describe.each(rows)('%s', (_, symbolizer, older) => {
    test.each([
      ['1.0.0', older],
      ['1.1.0', inSymbologyEncoding(older)],
    ] as const)('is read from SLD %s and written as the same XML', (version, text) => {
      expect(symbolizersIn(documentWith(text, version))).toEqual([symbolizer]);
      expect(writtenWith(symbolizer, version)).toBe(text);
    });
  });
}
