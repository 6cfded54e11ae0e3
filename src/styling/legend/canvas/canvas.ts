/** Loads the 2D renderer on first use, with fonts that are independent of the machine. */
import { type FontFile, listOwnFonts } from '../../fonts/font-registry.ts';

/** The used part of a 2D context. The library refers to browser types, which are not available here. */
export interface DrawingContext {
  fillStyle: string | Paint;
  strokeStyle: string | Paint;
  lineWidth: number;
  lineCap: 'butt' | 'round' | 'square';
  lineJoin: 'miter' | 'round' | 'bevel';
  miterLimit: number;
  lineDashOffset: number;
  globalAlpha: number;
  /** A blend mode of CSS. */
  globalCompositeOperation: string;
  font: string;
  /** The axes of variable fonts, such as `"wdth" 80`. */
  fontVariationSettings: string;
  /** Such as `2px`. */
  letterSpacing: string;
  wordSpacing: string;
  textAlign: 'left' | 'center';
  textBaseline: 'alphabetic' | 'middle';
  direction: 'ltr' | 'rtl';
  save(): void;
  restore(): void;
  translate(x: number, y: number): void;
  rotate(radians: number): void;
  scale(x: number, y: number): void;
  beginPath(): void;
  rect(x: number, y: number, width: number, height: number): void;
  clip(): void;
  fill(path: Path, rule?: 'nonzero' | 'evenodd'): void;
  stroke(path: Path): void;
  fillRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  strokeText(text: string, x: number, y: number): void;
  measureText(text: string): {
    readonly width: number;
    /** Distances from the position of the text, each in its direction. */
    readonly actualBoundingBoxLeft: number;
    readonly actualBoundingBoxRight: number;
    readonly actualBoundingBoxAscent: number;
    readonly actualBoundingBoxDescent: number;
    readonly alphabeticBaseline: number;
  };
  setLineDash(lengths: readonly number[]): void;
  drawImage(image: Picture | Surface, x: number, y: number, width: number, height: number): void;
  createPattern(tile: Surface, repetition: 'repeat'): Pattern | null;
  createLinearGradient(x0: number, y0: number, x1: number, y1: number): Gradient;
  putImageData(image: ImageData, x: number, y: number): void;
  getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
}

/** Straight pixels for a surface. */
export interface ImageData {
  readonly data: Uint8ClampedArray;
}

/** A pattern or a gradient. */
export type Paint = object;

export interface Pattern {
  setTransform(transform: Transform): void;
}

export interface Transform {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

export interface Gradient {
  addColorStop(offset: number, color: string): void;
}

export interface Path {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
  addPath(path: Path, transform?: Transform): void;
  /** Returns path data with absolute positions, of straight lines and curves. */
  toSVGString(): string;
  computeTightBounds(): readonly [left: number, top: number, right: number, bottom: number];
}

export interface Surface {
  readonly width: number;
  readonly height: number;
  getContext(kind: '2d'): DrawingContext;
  encode(format: 'png'): Promise<Uint8Array>;
  /** Returns the pixels in memory: premultiplied red, green and blue, and opacity. */
  data(): Uint8Array;
}

/** Records shapes and text as SVG. */
export interface SvgSurface {
  getContext(kind: '2d'): DrawingContext;
  getContent(): Buffer;
}

export interface PdfDocument {
  beginPage(width: number, height: number): DrawingContext;
  endPage(): void;
  close(): Uint8Array;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  src: Uint8Array;
  onload?: () => void;
  onerror?: () => void;
}

export interface CanvasLibrary {
  createCanvas(width: number, height: number): Surface;
  createCanvas(width: number, height: number, flag: number): SvgSurface;
  readonly SvgExportFlag: { readonly NoPrettyXML: number; readonly ConvertTextToPaths: number };
  readonly PDFDocument: new () => PdfDocument;
  readonly ImageData: new (data: Uint8ClampedArray, width: number, height: number) => ImageData;
  readonly Path2D: new (data?: string) => Path;
  readonly Image: new () => Picture;
  readonly GlobalFonts: {
    /** Returns null if the font is invalid. */
    registerFromPath(path: string, family?: string): object | null;
    remove(font: object): boolean;
  };
}

let loading: Promise<CanvasLibrary> | undefined;

/** Loads the renderer lazily: it takes tens of megabytes, which a server without maps does not need. */
export async function loadCanvas(): Promise<CanvasLibrary> {
  loading ??= runWithoutSystemFonts(() => import('@napi-rs/canvas')) as unknown as Promise<CanvasLibrary>;
  const library = await loading;
  registerOwnFonts(library);
  return library;
}

let registeredFiles: readonly FontFile[] | undefined;
const registeredFonts = new Map<string, object | null>();

/** The library has the same fonts as the registry, also after the folders of fonts change. */
function registerOwnFonts({ GlobalFonts }: CanvasLibrary): void {
  const files = listOwnFonts();
  if (files === registeredFiles) return;
  registeredFiles = files;
  const wanted = new Set(files.flatMap(({ path, face }) => (face.separate === undefined ? path : [])));
  for (const [path, font] of registeredFonts) {
    if (wanted.has(path)) continue;
    if (font !== null) GlobalFonts.remove(font);
    registeredFonts.delete(path);
  }
  for (const path of wanted)
    if (!registeredFonts.has(path)) registeredFonts.set(path, GlobalFonts.registerFromPath(path));
}

/** The library loads system fonts during its import unless this variable is set. */
async function runWithoutSystemFonts<T>(action: () => Promise<T>): Promise<T> {
  const before = process.env['DISABLE_SYSTEM_FONTS_LOAD'];
  process.env['DISABLE_SYSTEM_FONTS_LOAD'] = '1';
  try {
    return await action();
  } finally {
    if (before === undefined) delete process.env['DISABLE_SYSTEM_FONTS_LOAD'];
    else process.env['DISABLE_SYSTEM_FONTS_LOAD'] = before;
  }
}
