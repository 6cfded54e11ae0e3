/** SVG graphics in styles: harmless ones, and ones that would take minutes to draw. */

function filtered(primitives: string, size = 100): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><filter id="f">${primitives}</filter><rect width="${size}" height="${size}" fill="#00ff00" filter="url(#f)"/></svg>`;
}

/** Used to take a minute and gigabytes at a size of 2000 pixels. */
export const noiseSvg = filtered('<feTurbulence baseFrequency="0.05" numOctaves="255"/>');

/** A shadow, as drawing programs write it. */
export const shadowSvg = filtered(
  '<feGaussianBlur in="SourceAlpha" stdDeviation="2"/><feOffset dx="2" dy="2" result="o"/><feMerge><feMergeNode in="o"/><feMergeNode in="SourceGraphic"/></feMerge>',
);

/** Four consecutive blurs, which are applied to small images only. */
export const blurredSvg = filtered('<feGaussianBlur stdDeviation="1"/>'.repeat(4));

/** A style with the graphic inline, drawn at the center of each feature. */
export function inlineGraphicSld(svg: string, { layer = 'any', size = 16 } = {}): string {
  const content = Buffer.from(svg).toString('base64');
  return `<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se"><NamedLayer><se:Name>${layer}</se:Name><UserStyle><se:Name>${layer}</se:Name><se:FeatureTypeStyle><se:Rule><se:PointSymbolizer><se:Graphic><se:ExternalGraphic><se:InlineContent encoding="base64">${content}</se:InlineContent><se:Format>image/svg+xml</se:Format></se:ExternalGraphic><se:Size>${size}</se:Size></se:Graphic></se:PointSymbolizer></se:Rule></se:FeatureTypeStyle></UserStyle></NamedLayer></StyledLayerDescriptor>`;
}
