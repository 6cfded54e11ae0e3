/** Random style documents that a version of SLD can write. */
import fc from 'fast-check';
import type { StyledLayerDescriptor } from '../../../src/styling/model/model.ts';
import type { SldVersion } from '../../../src/styling/sld/document/sld-version.ts';
import { recode } from './expressions.ts';
import { filter } from './filters.ts';
import { foreignElement, stylePieces, symbolizer, vendorOptions } from './symbolizers.ts';
import { nonNegative, tidyText } from './texts.ts';

export function descriptor(version: SldVersion): fc.Arbitrary<StyledLayerDescriptor> {
  const { fill, graphic, onlyNew, isNew } = stylePieces(version);
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const translation = fc.record({ of: fc.constant('title' as const), language: tidyText, text: tidyText });
  const heading = fc.record({
    name: maybe(tidyText),
    title: maybe(tidyText.filter((text) => text !== '')),
    abstract: maybe(tidyText),
    translations: maybe(fc.array(translation, { minLength: 1, maxLength: 2 })),
  });
  const lostHeading = fc.record({ title: onlyNew(tidyText), abstract: onlyNew(tidyText) });
  const hrefs = fc.array(fc.webUrl(), { minLength: 1, maxLength: 2 });

  const rule = fc
    .tuple(
      heading,
      fc.record({
        legendGraphic: maybe(graphic),
        filter: maybe(
          fc.oneof({ weight: 4, arbitrary: filter }, { weight: 1, arbitrary: fc.constant({ kind: 'else' as const }) }),
        ),
        minScaleDenominator: maybe(nonNegative),
        maxScaleDenominator: maybe(nonNegative),
        symbolizers: fc.array(symbolizer(version), { maxLength: 3 }),
        vendorOptions: maybe(vendorOptions),
      }),
    )
    .map(([head, rest]) => ({ kind: 'rule' as const, ...head, ...rest }));
  const featureTypeStyle = fc
    .tuple(
      heading,
      fc.record({
        ofCoverages: onlyNew(fc.constant(true as const)),
        featureTypeName: maybe(tidyText),
        semanticTypeIdentifiers: maybe(fc.array(tidyText, { minLength: 1, maxLength: 2 })),
        transformation: maybe(recode.map((call) => ({ ...call, name: 'vec:Heatmap', fallback: undefined }))),
        rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
        remoteRules: onlyNew(hrefs),
        vendorOptions: maybe(vendorOptions),
      }),
    )
    .map(([head, rest]) => ({ kind: 'featureTypeStyle' as const, ...head, ...rest }));
  const userStyle = fc
    .tuple(
      heading,
      fc.record({
        isDefault: maybe(fc.boolean()),
        background: maybe(fill),
        featureTypeStyles: fc.array(featureTypeStyle, { minLength: 1, maxLength: 2 }),
        remoteStyles: onlyNew(hrefs),
      }),
    )
    .map(([head, rest]) => ({ kind: 'userStyle' as const, ...head, ...rest }));
  const namedStyle = fc
    .tuple(fc.record({ name: tidyText }), lostHeading)
    .map(([{ name }, rest]) => ({ kind: 'namedStyle' as const, name, ...rest }));
  const featureConstraints = maybe(
    fc.array(
      fc.record({
        featureTypeName: maybe(tidyText),
        filter: maybe(filter),
        extents: fc.array(fc.record({ name: tidyText, value: tidyText }), { maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  );
  const namedLayer = fc
    .tuple(
      lostHeading,
      fc.record({
        name: tidyText,
        featureConstraints,
        styles: fc.array(fc.oneof(namedStyle, userStyle), { maxLength: 2 }),
      }),
    )
    .map(([head, rest]) => ({ kind: 'namedLayer' as const, ...head, ...rest }));
  const userLayer = fc
    .tuple(
      lostHeading,
      fc.record({
        name: maybe(tidyText),
        source: maybe(
          fc.oneof(
            fc.record({
              kind: fc.constant('remoteService' as const),
              service: fc.constantFrom('WFS' as const, 'WCS' as const),
              href: fc.webUrl(),
            }),
            foreignElement.map((inner) => ({
              kind: 'inlineFeatures' as const,
              element: { ...inner, name: 'InlineFeature', namespace: 'http://www.opengis.net/sld', attributes: [] },
            })),
          ),
        ),
        featureConstraints,
        coverageConstraints: onlyNew(
          foreignElement.map((inner) => ({
            ...inner,
            name: 'LayerCoverageConstraints',
            namespace: 'http://www.opengis.net/sld',
            attributes: [],
          })),
        ),
        styles: fc.array(userStyle, { minLength: 1, maxLength: 2 }),
      }),
    )
    .map(([head, { coverageConstraints, featureConstraints: constraints, ...rest }]) => ({
      kind: 'userLayer' as const,
      ...head,
      ...rest,
      ...(coverageConstraints === undefined ? { featureConstraints: constraints } : { coverageConstraints }),
    }));

  return fc
    .tuple(
      heading,
      fc.record({
        libraries: isNew ? maybe(hrefs) : fc.constant(undefined),
        layers: fc.array(fc.oneof(namedLayer, userLayer), { maxLength: 2 }),
      }),
    )
    .map(([head, rest]) => ({ kind: 'styledLayerDescriptor', ...head, ...rest }));
}
