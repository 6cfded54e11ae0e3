/**
 * Addresses of icons in sprite sheets: `icons/sprite.png#icon=shop&size=1.5`. The index of the sheet is the file
 * `icons/sprite.json` beside it.
 */

export interface SpriteAddress {
  /** The address of the picture with all icons. */
  readonly sheet: string;
  /** The address of the list of icons. */
  readonly index: string;
  readonly icon: string;
  /** The factor of its size. */
  readonly size: number;
  /** The colour of an icon without colours, as `#rrggbb`; black by default. */
  readonly color: string;
}

/** The parts of an address are encoded, and may contain `${…}`. */
export function formatSpriteAddress(
  sheet: string,
  icon: string,
  { size, color }: { readonly size?: string | undefined; readonly color?: string | undefined } = {},
): string {
  const options = [
    ...(size === undefined ? [] : [`&size=${size}`]),
    ...(color === undefined ? [] : [`&color=${color}`]),
  ];
  return `${sheet}#icon=${icon}${options.join('')}`;
}

/** Returns the addresses of the sheet and of its index; undefined for the address of another picture. */
export function findSpriteFiles(href: string): Pick<SpriteAddress, 'sheet' | 'index'> | undefined {
  const [, base, query = ''] = /^([^?#]+)\.png(\?[^#]*)?#icon=/i.exec(href.trim()) ?? [];
  return base === undefined ? undefined : { sheet: `${base}.png${query}`, index: `${base}.json${query}` };
}

/** Returns undefined for the address of another picture. */
export function parseSpriteAddress(href: string): SpriteAddress | undefined {
  const files = findSpriteFiles(href);
  if (files === undefined) return undefined;
  const options = new URLSearchParams(href.slice(href.indexOf('#') + 1).replaceAll('+', '%2B'));
  const size = Number(options.get('size') ?? '1');
  return {
    ...files,
    icon: options.get('icon') ?? '',
    size: Number.isFinite(size) ? Math.min(MAX_SIZE, Math.max(MIN_SIZE, size)) : 1,
    color: options.get('color') ?? '#000000',
  };
}

/** Icons have about 20 pixels, and symbols of a map at most a few hundred. */
const MAX_SIZE = 10;
const MIN_SIZE = 0.05;
