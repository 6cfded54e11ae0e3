/** Draws styles and reads the pixels. */
import { loadCanvas, type Surface } from '../../../src/styling/legend/canvas/canvas.ts';
import { drawLegend, type GraphicLoader, type LegendRequest } from '../../../src/styling/legend/legend.ts';
import { readSld } from '../../../src/styling/sld/reader.ts';

/** Red, green, blue and opacity, each 0 to 255. */
export type Pixel = readonly [number, number, number, number];

export interface Drawn {
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): Pixel;
  /** The number of matching pixels. */
  count(isLike: (pixel: Pixel) => boolean): number;
  /** The pixels of a row from left to right. */
  row(y: number): readonly Pixel[];
  column(x: number): readonly Pixel[];
}

export const nothing: Pixel = [0, 0, 0, 0];
export const isPainted = ([, , , alpha]: Pixel): boolean => alpha > 0;

/** Whether a pixel has approximately this color and is not transparent. */
export function isLike(red: number, green: number, blue: number): (pixel: Pixel) => boolean {
  return ([r, g, b, alpha]) =>
    alpha > 200 && Math.abs(r - red) < 40 && Math.abs(g - green) < 40 && Math.abs(b - blue) < 40;
}

/** One feature type style of SLD 1.0 with these rules. */
export function styleOf(rules: string): string {
  return `<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld"
      xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
    <NamedLayer><Name>anything</Name><UserStyle><FeatureTypeStyle>${rules}</FeatureTypeStyle></UserStyle></NamedLayer>
  </StyledLayerDescriptor>`;
}

export function rule(symbolizers: string, heading = ''): string {
  return `<Rule>${heading}${symbolizers}</Rule>`;
}

/** Parameters of a fill, a stroke or a font. */
export function css(parameters: Readonly<Record<string, string | number>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `<CssParameter name="${name}">${value}</CssParameter>`)
    .join('');
}

const noGraphics: GraphicLoader = async () => undefined;

export async function drawStyle(
  sld: string,
  request: Partial<LegendRequest> = {},
  loadGraphic: GraphicLoader = noGraphics,
): Promise<Drawn> {
  return readPixels(await drawLegend(readSld(sld).model, { width: 40, height: 40, ...request }, loadGraphic));
}

/** A style of one rule. */
export function drawRule(
  symbolizers: string,
  request: Partial<LegendRequest> = {},
  loadGraphic: GraphicLoader = noGraphics,
): Promise<Drawn> {
  return drawStyle(styleOf(rule(symbolizers)), request, loadGraphic);
}

export async function readPixels(png: Uint8Array): Promise<Drawn> {
  const library = await loadCanvas();
  const image = new library.Image();
  await new Promise<void>((resolve, reject) => {
    image.onload = () => resolve();
    image.onerror = () => reject(new Error('The bytes are no picture.'));
    image.src = png;
  });
  const { width, height } = image;
  const context = library.createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const at = (x: number, y: number): Pixel => {
    const start = (y * width + x) * 4;
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(start, start + 4);
    return [red, green, blue, alpha];
  };
  const row = (y: number): readonly Pixel[] => Array.from({ length: width }, (_, x) => at(x, y));
  return {
    width,
    height,
    at,
    row,
    column: (x) => Array.from({ length: height }, (_, y) => at(x, y)),
    count: (isWanted) =>
      Array.from({ length: height }, (_, y) => row(y).filter(isWanted).length).reduce((sum, each) => sum + each, 0),
  };
}

/** An image of one color. */
export async function plainPng(width: number, height: number, color: string): Promise<Uint8Array> {
  return (await plainSurface(width, height, color)).encode('png');
}

/** The same in another format. */
export async function plainPicture(
  kind: 'jpeg' | 'gif' | 'bmp',
  width: number,
  height: number,
  color: readonly [number, number, number],
): Promise<Uint8Array> {
  if (kind === 'bmp') return plainBmp(width, height, color);
  const surface = await plainSurface(width, height, `rgb(${color.join()})`);
  // The type declaration of the library in this project covers only what the server needs.
  const { encode } = surface as unknown as { encode: (format: string) => Promise<Uint8Array> };
  return encode.call(surface, kind);
}

async function plainSurface(width: number, height: number, color: string): Promise<Surface> {
  const library = await loadCanvas();
  const surface = library.createCanvas(width, height);
  const context = surface.getContext('2d');
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
  return surface;
}

/** Four bytes per pixel, so that rows need no padding. */
function plainBmp(width: number, height: number, [red, green, blue]: readonly [number, number, number]): Uint8Array {
  const headerBytes = 54;
  const bytes = Buffer.alloc(headerBytes + width * height * 4);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(headerBytes, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(32, 28);
  for (let at = headerBytes; at < bytes.length; at += 4) bytes.set([blue, green, red, 255], at);
  return bytes;
}
