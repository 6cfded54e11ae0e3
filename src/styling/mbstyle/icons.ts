/** Icons and patterns: of sprite sheets, as files in the folder of the style, and marks by name. */
import { writeEcqlExpression } from '../../filter/ecql/ecql.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { type DocumentValue, isList, isObject } from '../documents/document-value.ts';
import { formatSpriteAddress } from '../graphics/sprite-address.ts';
import type { Graphic, GraphicSymbol, Mark } from '../model/paint.ts';

const marks: ReadonlySet<string> = new Set(['circle', 'square', 'triangle', 'star', 'cross', 'x']);

/** The addresses of sprite sheets by id. Without sheets each icon is a file beside the style: `shop` is `shop.png`. */
export type Sprites = ReadonlyMap<string, string>;

/** Icons of this sheet have no prefix. */
const DEFAULT_SHEET = 'default';

/** Reads an address, or a list of addresses with ids. */
export function readSprites(sprite: DocumentValue | undefined): Sprites {
  const entries = isList(sprite) ? sprite : [new Map([['url', sprite ?? null]])];
  return new Map(
    entries.flatMap((entry): readonly (readonly [string, string])[] => {
      const [id = DEFAULT_SHEET, url] = isObject(entry) ? [entry.get('id'), entry.get('url')] : [];
      const sheet = typeof url === 'string' ? formatSheetAddress(url) : undefined;
      return typeof id !== 'string' || sheet === undefined ? [] : [[id, sheet]];
    }),
  );
}

/** Returns undefined for the addresses of other clients, such as `mapbox://sprites/…`. */
function formatSheetAddress(url: string): string | undefined {
  const [scheme] = /^[a-z][a-z0-9+.-]*:/i.exec(url) ?? [];
  if (scheme !== undefined && !/^https?:$/i.test(scheme)) return undefined;
  const [, path = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url) ?? [];
  return path === '' ? undefined : `${path}.png${query}`;
}

export interface IconAppearance {
  readonly sprites: Sprites;
  readonly color?: Expression | undefined;
  /** The factor of the size of an icon in a sheet. */
  readonly size?: Expression | undefined;
}

export function createIconSymbols(image: Expression, appearance: IconAppearance): readonly GraphicSymbol[] {
  const mark = image.kind === 'literal' && marks.has(image.value) ? [createMark(image.value, appearance)] : [];
  const sprite = createSpriteGraphic(image, appearance);
  if (sprite !== undefined || mark.length > 0) return [...(sprite === undefined ? [] : [sprite]), ...mark];
  const name = formatHref(image);
  const href = /\.(?:png|svg|jpe?g|gif)$/i.test(name) ? name : `${name}.png`;
  const format = /\.svg$/i.test(href) ? 'image/svg+xml' : 'image/png';
  return [{ kind: 'externalGraphic', source: { kind: 'online', href }, format }];
}

/** Whether a size of the icon is a factor of its size in a sheet. */
export function isSpriteIcon([first]: readonly GraphicSymbol[], sprites: Sprites): boolean {
  return first?.kind === 'externalGraphic' && sprites.size > 0;
}

function createSpriteGraphic(image: Expression, { sprites, color, size }: IconAppearance): GraphicSymbol | undefined {
  const [prefix = '', name = ''] = image.kind === 'literal' ? (/^([^:]+):(.+)$/.exec(image.value)?.slice(1) ?? []) : [];
  const named = sprites.get(prefix);
  const sheet = named ?? sprites.get(DEFAULT_SHEET);
  if (sheet === undefined) return undefined;
  const icon = named === undefined ? image : createLiteral(name);
  const options = {
    size: size && formatHref(size, encodeURIComponent),
    color: color?.kind === 'literal' ? encodeURIComponent(color.value) : undefined,
  };
  const href = formatSpriteAddress(sheet, formatHref(icon, encodeURIComponent), options);
  return { kind: 'externalGraphic', source: { kind: 'online', href }, format: 'image/png' };
}

function createMark(name: string, { color = createLiteral('#000000') }: IconAppearance): Mark {
  return { kind: 'mark', wellKnownName: createLiteral(name), fill: { kind: 'fill', color } };
}

function formatHref(image: Expression, encode: (text: string) => string = (text) => text): string {
  if (image.kind === 'literal') return encode(image.value);
  if (image.kind === 'concatenation') return image.parts.map((part) => formatHref(part, encode)).join('');
  return `\${${writeEcqlExpression(image)}}`;
}

export function createPattern(image: Expression, sprites: Sprites, opacity: Expression | undefined): Graphic {
  return {
    kind: 'graphic',
    symbols: createIconSymbols(image, { sprites }),
    ...(opacity === undefined ? {} : { opacity }),
  };
}
