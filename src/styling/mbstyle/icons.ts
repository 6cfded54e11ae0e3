/** Icons and patterns: marks by name, and pictures in the folder of the style. */
import { writeEcqlExpression } from '../../filter/ecql/ecql.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import type { Graphic, GraphicSymbol, Mark } from '../model/paint.ts';

const marks: ReadonlySet<string> = new Set(['circle', 'square', 'triangle', 'star', 'cross', 'x']);

/** The folder of pictures; empty for that of the style. */
export type SpriteFolder = string;

/** A server reads no sprite sheet: each icon is a file beside the style, `shop` is `shop.png`. */
export function readSpriteFolder(sprite: unknown): SpriteFolder {
  if (typeof sprite !== 'string' || /^[a-z][a-z0-9+.-]*:|^\//i.test(sprite)) return '';
  const folder = sprite.replace(/\/$/, '');
  return folder === '' || folder === 'sprite' ? '' : `${folder}/`;
}

export interface IconAppearance {
  readonly color?: Expression | undefined;
  readonly folder: SpriteFolder;
}

export function createIconSymbols(image: Expression, appearance: IconAppearance): readonly GraphicSymbol[] {
  if (image.kind === 'literal' && marks.has(image.value)) return [createMark(image.value, appearance)];
  const name = formatHref(image);
  const href = `${appearance.folder}${/\.(?:png|svg|jpe?g|gif)$/i.test(name) ? name : `${name}.png`}`;
  const format = /\.svg$/i.test(href) ? 'image/svg+xml' : 'image/png';
  return [{ kind: 'externalGraphic', source: { kind: 'online', href }, format }];
}

function createMark(name: string, { color = createLiteral('#000000') }: IconAppearance): Mark {
  return { kind: 'mark', wellKnownName: createLiteral(name), fill: { kind: 'fill', color } };
}

function formatHref(image: Expression): string {
  if (image.kind === 'literal') return image.value;
  if (image.kind === 'concatenation') return image.parts.map(formatHref).join('');
  return `\${${writeEcqlExpression(image)}}`;
}

export function createPattern(image: Expression, folder: SpriteFolder, opacity: Expression | undefined): Graphic {
  return {
    kind: 'graphic',
    symbols: createIconSymbols(image, { folder }),
    ...(opacity === undefined ? {} : { opacity }),
  };
}
