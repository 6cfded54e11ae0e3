/** Converts a style from one format to another. */
import { problem } from '../../lib/problems/problem.ts';
import { writeMbStyle } from '../mbstyle/writer.ts';
import type { NamedLayer, StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { writeSld } from '../sld/writer.ts';
import type { StyleContent } from './read-content.ts';
import { getStyleFormatName, type StyleFormat } from './style-format.ts';

/**
 * Returns the converted text. Throws `style-not-convertible` if SLD 1.0.0 cannot express the style, and
 * `style-language-not-written` for CSS, which is read only. A MapLibre style lists what it does not express. A style in its own format needs no conversion: its bytes
 * are stored.
 */
export function convertContent({ format, model }: StyleContent, to: StyleFormat): string {
  if (to.language === 'mbstyle') return writeMbStyle(model);
  if (to.language !== 'sld')
    throw problem('style-language-not-written', { from: getStyleFormatName(format), to: getStyleFormatName(to) });
  return writeSld(format.language === 'css' ? splitLayersByType(model) : model, to.version);
}

/**
 * Converts types to layers: each type with rules of its own becomes a layer of its name. The first layer contains the
 * whole style, because other servers read it from there for any layer.
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
