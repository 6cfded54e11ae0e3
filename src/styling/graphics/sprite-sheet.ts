/** Cuts icons out of the sprite sheets of MapLibre styles. */
import { decodeText } from '../../lib/files/decode-text.ts';
import { Problem } from '../../lib/problems/problem.ts';
import { parseColor } from '../../lib/values/parse-color.ts';
import { parseSpriteAddress, type SpriteAddress } from './sprite-address.ts';

interface Icon {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly pixelRatio: number;
  /** Whether its alpha is a distance to its outline, and its colour is that of the style. */
  readonly isMask: boolean;
}

/** A list of so many bytes has about 10,000 icons, and takes 10 ms. */
export const MAX_INDEX_BYTES = 1_048_576;

/** A sheet of 2,000 by 2,000 pixels has 10,000 icons. */
const MAX_SHEET_PIXELS = 4_000_000;

/** Larger icons are not drawn: they are copied and coloured in the main thread, within a few milliseconds. */
const MAX_ICON_PIXELS = 262_144;

/** Returns the bytes of a file by its address in the style; undefined if it is missing or not allowed. */
type FileLoader = (href: string) => Promise<Uint8Array | undefined>;

/** Loads icons of sheets with the loader of their files. Each sheet is read once. */
export function createSpriteLoader(load: FileLoader): FileLoader {
  const sheets = new Map<string, Promise<SpriteSheet | undefined>>();
  return async (href) => {
    const address = parseSpriteAddress(href);
    if (address === undefined) return load(href);
    const opening = sheets.get(address.sheet) ?? openSheet(load, address);
    sheets.set(address.sheet, opening);
    return (await opening)?.cut(address);
  };
}

async function openSheet(load: FileLoader, { sheet, index }: SpriteAddress): Promise<SpriteSheet | undefined> {
  const list = await load(index);
  const icons = list && parseSpriteIndex(list);
  const picture = icons && (await load(sheet));
  return icons && picture && decodeSheet(icons, picture);
}

async function decodeSheet(icons: SpriteIndex, picture: Uint8Array): Promise<SpriteSheet | undefined> {
  const { default: sharp } = await import('sharp');
  try {
    const { data, info } = await sharp(picture, { limitInputPixels: MAX_SHEET_PIXELS, failOn: 'error' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return new SpriteSheet(icons, { data, width: info.width, height: info.height });
  } catch {
    // The file is not a picture; its icons are missing.
    return undefined;
  }
}

interface SheetPixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

class SpriteSheet {
  readonly #icons: SpriteIndex;
  readonly #sheet: SheetPixels;

  constructor(icons: SpriteIndex, sheet: SheetPixels) {
    this.#icons = icons;
    this.#sheet = sheet;
  }

  /** Returns a PNG picture; undefined for an unknown icon. */
  async cut({ icon: name, size, color }: SpriteAddress): Promise<Uint8Array | undefined> {
    const icon = this.#icons.get(name);
    const { width, height } = this.#sheet;
    if (icon === undefined || icon.x + icon.width > width || icon.y + icon.height > height) return undefined;
    if (icon.width * icon.height > MAX_ICON_PIXELS) return undefined;
    const { default: sharp } = await import('sharp');
    const pixels = this.#copyPixels(icon);
    if (icon.isMask) paintMask(pixels, color);
    const scale = size / icon.pixelRatio;
    const picture = sharp(pixels, { raw: { width: icon.width, height: icon.height, channels: 4 } });
    const shown = { width: scaleSide(icon.width, scale), height: scaleSide(icon.height, scale), fit: 'fill' } as const;
    return (scale === 1 ? picture : picture.resize(shown)).png().toBuffer();
  }

  #copyPixels({ x, y, width, height }: Icon): Buffer {
    const pixels = Buffer.alloc(width * height * 4);
    for (let row = 0; row < height; row += 1) {
      const start = ((y + row) * this.#sheet.width + x) * 4;
      this.#sheet.data.copy(pixels, row * width * 4, start, start + width * 4);
    }
    return pixels;
  }
}

/** Symbols of maps are smaller. */
const MAX_SIDE = 1_000;

function scaleSide(pixels: number, scale: number): number {
  return Math.min(MAX_SIDE, Math.max(1, Math.round(pixels * scale)));
}

/** The alpha of the outline in a mask, and half the width of its soft edge. */
const OUTLINE_ALPHA = 192;
const EDGE_ALPHA = 16;

function paintMask(pixels: Buffer, color: string): void {
  const [red, green, blue] = parseColor(color) ?? [0, 0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const share = ((pixels[at + 3] ?? 0) - OUTLINE_ALPHA + EDGE_ALPHA) / (2 * EDGE_ALPHA);
    pixels[at] = red;
    pixels[at + 1] = green;
    pixels[at + 2] = blue;
    pixels[at + 3] = Math.round(255 * Math.min(1, Math.max(0, share)));
  }
}

export type SpriteIndex = ReadonlyMap<string, Icon>;

/** Returns undefined for a document that is not the index of a sprite sheet, such as a style. */
export function parseSpriteIndex(bytes: Uint8Array): SpriteIndex | undefined {
  if (bytes.length > MAX_INDEX_BYTES) return undefined;
  const document = parseJson(bytes);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined;
  const icons = new Map<string, Icon>();
  for (const [name, entry] of Object.entries(document)) {
    const icon = readIcon(entry);
    if (icon === undefined) return undefined;
    icons.set(name, icon);
  }
  return icons.size === 0 ? undefined : icons;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeText(bytes, undefined, false));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Problem) return undefined;
    throw error;
  }
}

function readIcon(entry: unknown): Icon | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { x, y, width, height, pixelRatio = 1, sdf = false } = entry as Readonly<Record<string, unknown>>;
  if (!isWhole(x, 0) || !isWhole(y, 0) || !isWhole(width, 1) || !isWhole(height, 1)) return undefined;
  if (typeof pixelRatio !== 'number' || !(pixelRatio > 0)) return undefined;
  return { x, y, width, height, pixelRatio, isMask: sdf === true };
}

function isWhole(value: unknown, min: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= min;
}
