/** Writes a style that was read in one format in another one. */
import { problem } from '../../lib/problems/problem.ts';
import type { NamedLayer, StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { writeSld } from '../sld/writer.ts';
import type { StyleContent } from './read-content.ts';
import { getStyleFormatName, type StyleFormat } from './style-format.ts';

/**
 * The whole text. Throws `style-not-convertible` where the older SLD cannot say it all, and `style-language-not-written`
 * for CSS, which is only read. A style in its own format needs no conversion: its bytes are kept.
 */
export function convertContent({ format, model }: StyleContent, to: StyleFormat): string {
  if (to.language === 'css')
    throw problem('style-language-not-written', { from: getStyleFormatName(format), to: 'CSS' });
  return writeSld(format.language === 'css' ? splitLayersByType(model) : model, to.version);
}

/**
 * SLD says by layers what a style sheet says by types: each type that has rules of its own gets a layer of its name, with
 * what is drawn for it. The first has the whole style: others look for it there, whatever layer they draw.
 */
function splitLayersByType(model: StyledLayerDescriptor): StyledLayerDescriptor {
  const [layer] = model.layers;
  const [style] = layer?.styles ?? [];
  if (style?.kind !== 'userStyle') return model;
  const types = [...new Set(style.featureTypeStyles.flatMap(({ featureTypeName }) => featureTypeName ?? []))];
  if (types.length === 0) return model;
  const layers = types.map((type, index): NamedLayer => {
    const drawn = style.featureTypeStyles.filter(({ featureTypeName = type }) => featureTypeName === type);
    return {
      kind: 'namedLayer',
      name: type,
      styles: [index === 0 ? style : { ...style, featureTypeStyles: drawn }],
    };
  });
  return { ...model, layers };
}
