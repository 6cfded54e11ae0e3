/** Describes the bands of a TIFF file. */
import { Problem } from '../../lib/problems/problem.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { attribute, listChildElements } from '../../lib/xml/elements.ts';
import { readXml } from '../../lib/xml/reader.ts';
import { readRawText } from '../../lib/xml/text.ts';
import type { Band, ColorInterpretation } from '../port/port.ts';
import { toSample } from '../port/samples.ts';
import { compressions, photometrics, type TiffImage, tags } from './tiff-image.ts';

export function describeBands(image: TiffImage): readonly Band[] {
  const noData = readNoData(image);
  const items = readItems(image);
  const palette = readPalette(image);
  const colors = listColors(image);
  return Array.from({ length: image.bands }, (_, index) => {
    const bandItems = items.get(index);
    const minimum = toNumber(bandItems?.minimum) ?? image.directory.readNumber(tags.smallestSample, index);
    const maximum = toNumber(bandItems?.maximum) ?? image.directory.readNumber(tags.largestSample, index);
    const scale = toNumber(bandItems?.scale);
    const offset = toNumber(bandItems?.offset);
    const isTrivial = (scale ?? 1) === 1 && (offset ?? 0) === 0;
    return {
      name: bandItems?.name === undefined || bandItems.name === '' ? `Band${index + 1}` : bandItems.name,
      type: image.type,
      colorInterpretation: bandItems?.color ?? colors[index] ?? 'undefined',
      ...(bandItems?.unit === undefined || bandItems.unit === '' ? {} : { unit: bandItems.unit }),
      ...(noData === undefined ? {} : { noData }),
      ...(minimum === undefined ? {} : { minimum }),
      ...(maximum === undefined ? {} : { maximum }),
      ...(scale === undefined || isTrivial ? {} : { scale }),
      ...(offset === undefined || isTrivial ? {} : { offset }),
      ...(palette === undefined ? {} : { palette }),
    };
  });
}

/** Reads the GDAL value for all bands. A value that is not valid for the sample type is ignored. */
function readNoData({ directory, type }: TiffImage): number | bigint | undefined {
  const text = directory.readText(tags.gdalNoData)?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^-?nan$/i.test(text)) return type.startsWith('float') ? Number.NaN : undefined;
  if (/^[+-]?inf$/i.test(text))
    return type.startsWith('float') ? (text.startsWith('-') ? -Infinity : Infinity) : undefined;
  const value = type.endsWith('64') && /^-?\d{1,20}$/.test(text) ? BigInt(text) : Number(text);
  return Number.isNaN(value) ? undefined : toSample(type, value);
}

interface BandItems {
  name?: string;
  unit?: string;
  scale?: string;
  offset?: string;
  minimum?: string;
  maximum?: string;
  color?: ColorInterpretation;
}

const LIMITS = { maxDepth: 8, maxNodes: 200_000 };

/** Reads the GDAL metadata items by band. Invalid XML is ignored. */
function readItems({ directory, bands }: TiffImage): ReadonlyMap<number, BandItems> {
  const items = new Map<number, BandItems>();
  const text = directory.readText(tags.gdalMetadata);
  if (text === undefined) return items;
  const root = parseRoot(text);
  for (const child of root === undefined ? [] : listChildElements(root)) {
    const band = Number(attribute(child, 'sample') ?? Number.NaN);
    if (!Number.isInteger(band) || band < 0 || band >= bands) continue;
    const bandItems = items.get(band) ?? {};
    items.set(band, bandItems);
    setBandItem(bandItems, attribute(child, 'role') ?? '', attribute(child, 'name') ?? '', readRawText(child));
  }
  return items;
}

function setBandItem(bandItems: BandItems, role: string, name: string, value: string): void {
  if (role === 'description') bandItems.name = value.trim();
  else if (role === 'unittype') bandItems.unit = value.trim();
  else if (role === 'scale') bandItems.scale = value;
  else if (role === 'offset') bandItems.offset = value;
  else if (role === 'colorinterp') bandItems.color = toColorInterpretation(value);
  else if (name === 'STATISTICS_MINIMUM') bandItems.minimum = value;
  else if (name === 'STATISTICS_MAXIMUM') bandItems.maximum = value;
}

function toColorInterpretation(value: string): ColorInterpretation {
  const name = value.trim().toLowerCase();
  const known = ['gray', 'red', 'green', 'blue', 'alpha', 'cyan', 'magenta', 'yellow', 'black'] as const;
  return known.find((color) => color === name) ?? 'undefined';
}

function parseRoot(text: string): XmlElement | undefined {
  try {
    return readXml(text.trim(), LIMITS);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function toNumber(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function listColors(image: TiffImage): readonly ColorInterpretation[] {
  const extra = image.directory.readNumbers(tags.extraSamples) ?? [];
  const basic = listBasicColors(image);
  const isAlpha = (kind: number | undefined) => kind === 1 || kind === 2;
  return Array.from({ length: image.bands }, (_, index) => {
    const isExtra = index >= image.bands - extra.length && index > 0;
    if (isExtra && isAlpha(extra[index - (image.bands - extra.length)])) return 'alpha';
    return basic[index] ?? 'undefined';
  });
}

function listBasicColors({ photometric, compression }: TiffImage): readonly ColorInterpretation[] {
  switch (photometric) {
    case photometrics.whiteIsZero:
    case photometrics.blackIsZero:
      return ['gray'];
    case photometrics.rgb:
      return ['red', 'green', 'blue'];
    case photometrics.palette:
      return ['palette'];
    case photometrics.cmyk:
      return ['cyan', 'magenta', 'yellow', 'black'];
    case photometrics.yCbCr:
      return compression === compressions.jpeg ? ['red', 'green', 'blue'] : [];
    default:
      return [];
  }
}

/** Reads 16-bit colours: all reds, then all greens, then all blues. */
function readPalette({ directory, photometric, bands, bits }: TiffImage): Uint8Array | undefined {
  if (photometric !== photometrics.palette || bands !== 1 || bits > 16) return undefined;
  const map = directory.readNumbers(tags.colorMap) ?? [];
  const count = Math.floor(map.length / 3);
  // Some writers store bytes instead.
  const divisor = map.some((value) => value > 255) ? 257 : 1;
  const palette = new Uint8Array(count * 4).fill(255);
  for (let index = 0; index < count; index += 1) {
    for (let color = 0; color < 3; color += 1) palette[index * 4 + color] = (map[color * count + index] ?? 0) / divisor;
  }
  return count === 0 ? undefined : palette;
}
